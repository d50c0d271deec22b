import { describe, expect, it } from 'vitest'
import type { Row } from '@/api/types'
import { flatten, placeFound, reachable } from './use-tree-rows'

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

describe('what was found in a tree', () => {
  const at = (id: string, parentId: string | null, more: object = {}) => ({ ...row(id, true), parentId, ...more })
  const placed = (found: Row[], ancestors: Row[]) =>
    placeFound(found, ancestors).map(({ id, depth, above }) => `${'.'.repeat(depth)}${id}${above ? '?' : ''}`)

  it('stands below the rows above it, in the order in which it was found', () => {
    const found = [at('d', 'c'), at('x', 'a'), at('e', 'c'), at('z', null)]
    const ancestors = [at('a', null, { match: false }), at('c', 'b', { match: false }), at('b', 'a', { match: true })]
    expect(placed(found, ancestors)).toEqual(['a?', '.b', '..c?', '...d', '...e', '.x', 'z'])
  })

  it('stands once where it is above another one that was found, and at the top where what is above is not seen', () => {
    const parent = at('a', null)
    expect(placed([at('b', 'a'), parent, at('c', 'hidden')], [parent])).toEqual(['a', '.b', 'c'])
  })
})

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
