import type { Flow } from './document'
import { type Diagnostic, keysOf, type Problem } from './shared/problems'

export interface FlowProblem extends Problem {
  /** The node that it is about; null: the workflow as a whole. */
  node: string | null
}

/** What the compiler says, each at the node that it is about. */
export function problemsOf(diagnostics: Diagnostic[], flow: Flow): FlowProblem[] {
  return diagnostics.map((one) => {
    const own = one.file.startsWith('workflows/')
    const [first, at, ...rest] = own ? keysOf(one.pointer ?? '') : []
    const node = first === 'nodes' && at !== undefined ? flow.nodes[Number(at)] : undefined
    if (node) return { ...one, node: node.id, path: rest }
    return { ...one, node: null, path: first === undefined ? [] : at === undefined ? [first] : [first, at, ...rest] }
  })
}
