const ID = "'([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})'"

/** The ids that an expression has as texts. */
export const idsIn = (text: string) => [...new Set([...text.matchAll(new RegExp(ID, 'gi'))].map(([, id]) => id ?? ''))]

/** The list of the last call of belongs, without its bracket at the end. */
const LAST_LIST = /^(.*belongs\([^[\]]*\[)([^\]]*)(\].*)$/s

/** An expression with one more department: in the list of its last belongs, else as another condition. */
export function withDepartment(text: string, id: string): string {
  const quoted = `'${id}'`
  const list = LAST_LIST.exec(text)
  if (list) {
    const [, before = '', inside = '', after = ''] = list
    return `${before}${inside.trim() ? `${inside.trimEnd()}, ` : ''}${quoted}${after}`
  }
  const condition = `has(initiator.allDepartments, ${quoted})`
  return text.trim() ? `${text.trimEnd()} and ${condition}` : condition
}
