import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { type RecordController, useRecord } from '../record/use-record'
import { narrowedAnew, withoutRefused } from './narrowed'
import { useNarrowed } from './use-narrowed'

const OPTIONS = '/api/runtime/form/options'
const field = (propertyCode: string, propertyType: number, more: object = {}) =>
  ({
    propertyCode,
    propertyType,
    name: `名${propertyCode}`,
    name_i18n: {},
    children: null,
    ...more,
  }) as unknown as FormField
const part = field('part', 9, { settings: { narrowedBy: ['region'] } })
const fields = [
  field('region', 0),
  field('kinds', 15, { settings: { narrowedBy: ['region'] } }),
  part,
  field('lines', 8, {
    children: [field('maker', 0), field('part', 9, { settings: { narrowedBy: ['region', 'maker'] } })],
  }),
]
const of = (id: string) => ({ id, name: id })
const data = {
  region: 'north',
  kinds: ['a', 'b'],
  part: of('p1'),
  lines: [
    { id: '1', maker: 'x', part: of('p1') },
    { id: '2', maker: 'y', part: of('p2') },
  ],
}

describe('choices that a condition narrows', () => {
  it('are asked for anew when what narrows them changed, in rows too', () => {
    const paths = (after: object) =>
      narrowedAnew(fields, data, { ...data, ...after }).map(({ path, row }) => (row ? `${path} ${row}` : path))
    expect(paths({})).toEqual([])
    expect(paths({ region: 'south' })).toEqual(['kinds', 'part', 'lines.part 1', 'lines.part 2'])
    expect(paths({ region: 'south', kinds: null, part: null, lines: [] })).toEqual([])
    expect(paths({ lines: [{ ...data.lines[0], maker: 'z' }, data.lines[1]] })).toEqual(['lines.part 1'])
  })

  it('keep what is still offered', () => {
    const [kinds, one] = narrowedAnew(fields, data, { ...data, region: 's' })
    if (!kinds || !one) throw new Error('none')
    expect(withoutRefused(data, kinds, new Set(['b'])).kinds).toEqual(['b'])
    expect(withoutRefused(data, kinds, new Set()).kinds).toBeNull()
    expect(withoutRefused(data, one, new Set(['p1']))).toBe(data)
  })

  describe('in a form', () => {
    let record: RecordController
    let asked: { propertyCode: string; form: Record<string, unknown>; ids: string[] }[]
    const load = {
      id: 'r',
      version: 1,
      actions: ['save'],
      data,
      form: { schemaCode: 's', sheetCode: 's', fields, layout: [] },
    }
    function Form() {
      record = useRecord(load as unknown as FormLoad, vi.fn())
      useNarrowed(load as unknown as FormLoad, record)
      return null
    }
    beforeAll(async () => {
      await startI18n()
      await loadAllTexts()
      await setLocale('zh')
    })
    beforeEach(() => {
      asked = []
      fakeServer({
        '/api/system/config': () => ({ timezone: 'UTC' }),
        [OPTIONS]: ({ body }: { body: unknown }) => {
          const request = body as (typeof asked)[0]
          asked.push(request)
          const offered = request.form.region === 'south' ? ['p2', 'b'] : ['p1', 'p2', 'a', 'b']
          const content = request.propertyCode === 'kinds' ? offered : request.ids.filter((id) => offered.includes(id))
          return { content: content.map(of), totalElements: content.length }
        },
      })
      render(
        <QueryClientProvider client={new QueryClient()}>
          <App>
            <Form />
          </App>
        </QueryClientProvider>,
      )
    })
    afterEach(cleanup)

    it('are emptied when they are not offered any more, and named', async () => {
      act(() => record.change({ ...record.values, region: 'south' }))
      await waitFor(() => expect(record.values.part ?? null).toBeNull())
      await waitFor(() => expect(record.values.kinds).toEqual(['b']))
      const lines = () => record.values.lines as (typeof data)['lines']
      await waitFor(() => expect(lines()[0]?.part ?? null).toBeNull())
      expect(lines()[1]?.part).toEqual(of('p2'))
      expect(asked.find(({ propertyCode }) => propertyCode === 'part')).toMatchObject({
        form: { region: 'south' },
        ids: ['p1'],
        objectId: 'r',
      })
      await waitFor(() => expect(document.body.textContent).toContain('名part'))
    })

    it('stay where they are offered, and nobody asks while nothing narrows them anew', async () => {
      act(() => record.change({ ...record.values, region: 'west' }))
      await waitFor(() => expect(asked.length).toBe(4))
      act(() => record.change({ ...record.values, kinds: ['a'] }))
      await act(() => new Promise((done) => setTimeout(done, 400)))
      expect(asked.length).toBe(4)
      expect(record.values.part).toEqual(of('p1'))
    })
  })
})
