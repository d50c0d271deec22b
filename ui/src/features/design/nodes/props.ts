import type { Flow, FlowNode } from '../document'

/** What the panel of a node is given. */
export interface NodeProps {
  node: FlowNode
  change: (flow: Flow, of?: string) => void
  /** The workflow is published: other documents may name its nodes. */
  published?: boolean
}
