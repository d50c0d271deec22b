import { describe, expect, it } from 'vitest'
import type { Row } from '@/api/types'
import { flatten, reachable } from './use-tree-rows'

const row = (id: string, leaf = false): Row => ({
  id,
  data: {},
  workflowInstanceId: null,
  sequenceStatus: null,
  version: 1,
  leaf,
})
const below: Record<string, Row[]> = { a: [row('b'), row('c', true)], b: [row('d')], d: [row('e', true)] }
const shown = (expanded: string[], children = below) =>
  flatten([row('a'), row('z')], new Set(expanded), new Map(Object.entries(children))).map(
    ({ id, depth, branch }) => `${'.'.repeat(depth)}${id} ${branch ?? '-'}`,
  )
const asked = (expanded: string[], children = below) =>
  reachable([row('a'), row('z')], new Set(expanded), (id) => children[id])

describe('rows of a tree', () => {
  it('stand below their open parents', () => {
    expect(shown(['a', 'b', 'z'])).toEqual(['a open', '.b open', '..d closed', '.c -', 'z loading'])
  })

  it('are asked for as far as they are seen, and not below a row that is closed, gone or a leaf', () => {
    expect(asked(['b', 'd', 'gone'])).toEqual([])
    expect(asked(['a', 'd', 'c', 'gone'])).toEqual(['a'])
    expect(asked(['a', 'b', 'd', 'z'])).toEqual(['a', 'b', 'd', 'z'])
    expect(asked(['a', 'b'], {})).toEqual(['a'])
  })

  it('that went below their own child between two calls stand once', () => {
    const moved = { a: [row('b')], b: [row('a')] }
    expect(asked(['a', 'b'], moved)).toEqual(['a', 'b'])
    expect(shown(['a', 'b'], moved)).toEqual(['a open', '.b open', 'z closed'])
  })
})
