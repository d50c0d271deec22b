/** What `ui/codes.json` of a pack holds: kinds with codes ("property contract.amount"), by the words that the pack has for them. */
export type Declared = Record<string, string | readonly string[]>

/** The code of one declaration: the last part of its path. */
function codeOf(declaration: string): string {
  const [kind = '', ...rest] = declaration.split(' ')
  const path = rest.join(' ')
  return kind === 'option' ? path.slice(path.indexOf(':') + 1) : path.slice(path.lastIndexOf('.') + 1)
}

/**
 * The codes that the interface of a pack names, as its `codes.json` declares them. The server looks for each of them when it starts, `sluice uses`
 * lists them and `sluice rename` refuses while they are there. Several things of one word have one code.
 */
export function defineCodes<T extends Declared>(declared: T): { readonly [K in keyof T]: string } {
  const out: Record<string, string> = {}
  for (const [word, of] of Object.entries(declared)) {
    const [code, ...others] = [...new Set([of].flat().map((one) => codeOf(String(one))))]
    if (code === undefined || others.length > 0) throw new Error(`codes.json: ${word} has to be one code`)
    out[word] = code
  }
  return out as { readonly [K in keyof T]: string }
}
