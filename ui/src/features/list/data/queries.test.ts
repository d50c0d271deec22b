import { describe, expect, it } from 'vitest'
import type { ListPage, ListRequest } from '@/api/types'
import { childrenQuery, type RowSource } from './queries'

const row = (id: string) => ({ id, data: {}, workflowInstanceId: null, sequenceStatus: null, version: 1, leaf: true })

describe('rows below a row', () => {
  it('come all, page after page', async () => {
    const asked: [number, string | null][] = []
    const source: RowSource = {
      view: null,
      load: async ({ page = 0 }: ListRequest, cursor): Promise<ListPage> => {
        asked.push([page, cursor])
        const next = page < 2 ? `n${page}` : null
        return { content: [row(`r${page}`)], totalElements: 3, aggregates: {}, next, previous: null }
      },
      renew: () => Promise.reject(new Error('not asked')),
    }
    const { queryFn } = childrenQuery({ schemaCode: 'node', queryCode: 'nodes', parentId: 'a' }, source)
    const all = await queryFn({ signal: new AbortController().signal })
    expect(all.content.map(({ id }) => id)).toEqual(['r0', 'r1', 'r2'])
    expect(asked).toEqual([
      [0, null],
      [1, 'n0'],
      [2, 'n1'],
    ])
  })
})
