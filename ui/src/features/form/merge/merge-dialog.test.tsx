import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { fakeServer } from '@/testing/fake-server'
import { type RecordController, useRecord } from '../record/use-record'
import { MergeDialog } from './merge-dialog'

const number = (column: string, more = {}) => ({ op: 'field', column, kind: 'number', ...more })
const field = (propertyCode: string, more: object = {}) =>
  ({
    propertyCode,
    propertyType: 2,
    name: propertyCode,
    name_i18n: {},
    settings: {},
    children: null,
    ...more,
  }) as unknown as FormField
const times = { op: 'arith', sign: '*', a: number('qty'), b: number('rate', { outer: true }) }
const fields = [
  field('rate'),
  field('items', {
    propertyType: 8,
    children: [field('qty'), field('amount', { readOnly: true, computeRule: times })],
  }),
]
const row = (id: string, qty: string, amount: string) => ({ id, qty, amount })
const data = (rate: string, ...items: object[]) => ({ rate, items })
const base = data('3', row('a', '2', '6'), row('b', '1', '3'))
const form = { schemaCode: 's', sheetCode: 's', columns: 1, fields, layout: [], schema: {}, uiSchema: {} }
const load = { id: 'r', version: 1, name: 'r', actions: ['save'], data: base, form } as unknown as FormLoad

describe('both sides of a record', () => {
  let record: RecordController
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadWidgets([2, 8])
    await setLocale('zh')
  })
  afterEach(cleanup)

  it('show what is computed of the rows that both become, not what either side stored', async () => {
    fakeServer({ '/api/system/config': () => ({ timezone: 'UTC' }) })
    const theirs = { ...load, version: 2, data: data('5', row('a', '2', '10'), row('b', '4', '20')) } as FormLoad
    const mine = data('3', row('a', '7', '21'), row('b', '1', '3'))
    function Page() {
      record = useRecord(load, vi.fn())
      const conflict = { purpose: 'save' as const, base, mine, theirs, again: false }
      return <MergeDialog record={record} conflict={conflict} onTaken={() => {}} />
    }
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Suspense>
          <Page />
        </Suspense>
      </QueryClientProvider>,
    )
    const cells = () =>
      [
        ...document.querySelectorAll(
          '[data-merge="items"] [data-rows] :is(tbody, [role="rowgroup"]) tr, [data-merge="items"] [data-rows] [role="row"]',
        ),
      ].map((one) => one.textContent)
    await waitFor(() => expect(cells().join(' | ')).toMatch(/7.*35.*4.*20/), { timeout: 8_000 })
    expect(cells().join(' | ')).not.toMatch(/\b21\b|\b10\b/)
  })
})
