import { packGet, type TreeItem } from '@sluice/sdk'
import { texts } from '../texts'
import { type Ask, QUALITY } from './api'
import { evalState } from './words'

export interface Component {
  id: string
  title: string
  code: string
  leaf: boolean
  guid?: string
  ifcClass?: string
  boundFlag: boolean
  /** The lower and the upper corner in meters. */
  bbox?: readonly [number, number, number, number, number, number]
  evalStatus?: string
  workStatus?: string
  qbsId?: string
  children?: Component[]
}

export const componentsQuery = (projectKey: string) => ({
  queryKey: [QUALITY, 'components', projectKey] as const,
  queryFn: ({ signal }: Ask) => packGet<Component[]>('/api/quality/v2/mbs/tree', { projectKey }, signal),
})

/** A component, in the color of the node that it is bound to. */
export const componentItem = (node: Component, parentId: string | null): TreeItem => ({
  id: node.id,
  parentId,
  title: node.title,
  code: node.code,
  leaf: (node.children?.length ?? 0) === 0,
  ...(node.boundFlag
    ? node.qbsId
      ? { state: evalState(node.evalStatus ?? 'NONE') }
      : { figure: texts.text('boundElsewhere') }
    : (node.children?.length ?? 0) === 0
      ? { figure: texts.text('unbound') }
      : {}),
  data: node,
})

/** Only what is not bound, with what is above it. */
export const unboundOf = (nodes: readonly Component[]): Component[] =>
  nodes.flatMap((node) => {
    const children = unboundOf(node.children ?? [])
    if ((node.children?.length ?? 0) > 0) return children.length > 0 ? [{ ...node, children }] : []
    return node.boundFlag ? [] : [node]
  })
