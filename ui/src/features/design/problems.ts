import type { Diagnostic } from './api'
import type { Flow } from './document'

export interface Problem extends Diagnostic {
  /** The node that it is about; null: the workflow as a whole. */
  node: string | null
  /** The keys below the node, or below the document. */
  path: string[]
}

const keysOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** What the compiler says, each at the node that it is about. */
export function problemsOf(diagnostics: Diagnostic[], flow: Flow): Problem[] {
  return diagnostics.map((one) => {
    const own = one.file.startsWith('workflows/')
    const [first, at, ...rest] = own ? keysOf(one.pointer ?? '') : []
    const node = first === 'nodes' && at !== undefined ? flow.nodes[Number(at)] : undefined
    if (node) return { ...one, node: node.id, path: rest }
    return { ...one, node: null, path: first === undefined ? [] : at === undefined ? [first] : [first, at, ...rest] }
  })
}

/** Those at a key or below it. */
export const at = (problems: Problem[], path: (string | number)[]) =>
  problems.filter((one) => path.every((key, i) => one.path[i] === String(key)))
