// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { ListPage, Row } from '@/api/types'
import { putRows } from './use-changes'

const row = (id: string, name: string, more: Partial<Row> = {}) => ({ id, version: 1, data: { name }, ...more }) as Row
const page = (...content: Row[]) => ({ content, totalElements: content.length }) as ListPage

describe('rows that others changed', () => {
  it('take their new contents where they stand', () => {
    const shown = page(row('b', 'old b'), row('a', 'old a'))
    const put = putRows(shown, new Map([['a', row('a', 'new a', { version: 2 })]]))
    expect(put?.content.map(({ id, version, data }) => [id, version, data.name])).toEqual([
      ['b', 1, 'old b'],
      ['a', 2, 'new a'],
    ])
    expect(put?.content[0]).toBe(shown.content[0])
  })

  it('keep what only the tree knows', () => {
    const put = putRows(page(row('a', 'old', { leaf: false })), new Map([['a', row('a', 'new')]]))
    expect(put?.content[0]).toMatchObject({ leaf: false, data: { name: 'new' } })
  })

  it('keep their place in what a search found in a tree, the rows above too', () => {
    const above = row('r', 'old', { parentId: null, match: false })
    const shown = { ...page(row('a', 'old', { parentId: 'r', match: true })), ancestors: [above] }
    const put = putRows(
      shown,
      new Map([
        ['a', row('a', 'new')],
        ['r', row('r', 'new r')],
      ]),
    )
    expect(put?.content[0]).toMatchObject({ parentId: 'r', match: true, data: { name: 'new' } })
    expect(put?.ancestors?.[0]).toMatchObject({ parentId: null, match: false, data: { name: 'new r' } })
  })

  it('leave a page alone that shows none of them', () => {
    const shown = page(row('b', 'b'))
    expect(putRows(shown, new Map([['a', row('a', 'new')]]))).toBe(shown)
  })
})
