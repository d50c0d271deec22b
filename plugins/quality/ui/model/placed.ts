import type { Component } from '../shared/components'
import type { BoxPart } from './box-scene'

/** A component that has a place in space. */
export interface Placed extends BoxPart {
  title: string
  component: Component
}

/** Colors of components by what they are bound to. What is not bound is fainter than any state. */
export const unboundColor = (dark: boolean) => (dark ? '#424a57' : '#d5dae1')
export const HERE = '#3b82d6'
export const ELSEWHERE = '#98a2b0'

/** The components of a tree that have a bounding box; a parent is drawn by its parts. */
export function placedOf(nodes: readonly Component[], into: Placed[] = []): Placed[] {
  for (const node of nodes) {
    if (node.children?.length) placedOf(node.children, into)
    else if (node.bbox) into.push({ id: node.id, box: node.bbox, title: `${node.title} ${node.code}`, component: node })
  }
  return into
}
