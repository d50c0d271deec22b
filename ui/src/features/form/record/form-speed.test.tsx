import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import i18next from 'i18next'
import { createRef, type ReactNode } from 'react'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { texts } from '@/i18n/zh'
import * as registry from '@/registry/properties'
import { fakeServer } from '@/testing/fake-server'
import { drawn } from '../../../../../plugins/core/property/sheet/grid-cell'
import { RecordForm, type Submit } from './record-form'
import { type RecordController, useRecord } from './use-record'

const number = (column: string) => ({ op: 'field', column, kind: 'number' })
const field = (propertyCode: string, more: object = {}) =>
  ({
    propertyCode,
    propertyType: 0,
    name: propertyCode,
    name_i18n: {},
    children: null,
    ...more,
  }) as unknown as FormField
const fields = [
  ...Array.from({ length: 40 }, (_, i) => field(`f${i}`)),
  field('qty', { propertyType: 2 }),
  field('double', {
    propertyType: 2,
    readOnly: true,
    computeRule: { op: 'arith', sign: '+', a: number('qty'), b: number('qty') },
  }),
  field('items', { propertyType: 8, children: [field('item'), field('note')], settings: { maxRows: 500 } }),
]
const load = {
  id: 'r1',
  version: 1,
  name: 'r',
  actions: ['save'],
  data: { qty: '1', items: Array.from({ length: 500 }, (_, i) => ({ id: `i${i}`, item: `n${i}`, note: 'x' })) },
  form: {
    schemaCode: 's',
    sheetCode: 's',
    columns: 2,
    fields,
    layout: fields.map(({ propertyCode }) => ({ type: 'Field', propertyCode })),
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        fields.map(({ propertyCode }) => [
          propertyCode,
          propertyCode === 'items' ? { type: 'array', items: { type: 'object' } } : { type: 'string' },
        ]),
      ),
    },
    uiSchema: {},
  },
} as unknown as FormLoad

/** The fields that were drawn: each reads its value once then. */
const { draws } = vi.hoisted(() => ({ draws: [] as string[] }))
vi.mock('../rules/value-store', async (original) => {
  const real = await original<typeof import('../rules/value-store')>()
  const useValue: typeof real.useValue = (store, code, others) => {
    draws.push(code)
    return real.useValue(store, code, others)
  }
  return { ...real, useValue }
})

let record: RecordController
const form = createRef<Submit>()
function Page() {
  record = useRecord(load, () => {})
  return (
    <RecordForm
      load={load}
      record={record}
      form={form}
      layout={{ layout: load.form.layout, columns: 2, related: () => null, shown: () => true }}
      onSubmit={() => {}}
      onFaults={() => {}}
      onFound={() => {}}
    />
  )
}

const show = (page: ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      {page}
    </QueryClientProvider>,
  )

describe('how much a keystroke draws', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await i18next.use(initReactI18next).init({
      lng: 'zh',
      ns: ['texts'],
      defaultNS: 'texts',
      resources: { zh: { texts } },
      interpolation: { prefix: '{', suffix: '}' },
    })
    await registry.loadWidgets([0, 2, 8])
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  it('a field, and the field that a rule computes from it; a cell, and no other', async () => {
    fakeServer({ '/api/system/config': () => ({ timezone: 'UTC' }) })
    show(<Page />)
    await screen.findByRole('grid')
    await act(() => new Promise((settled) => setTimeout(settled, 300))) // the time zone arrives
    const type = (code: string, value: string) => {
      draws.length = 0
      drawn.cells = 0
      const input = document.querySelector<HTMLInputElement>(`[data-field="${code}"] input`)
      if (!input) throw new Error(`no ${code}`)
      fireEvent.change(input, { target: { value } })
    }
    type('f7', 'typed')
    expect(draws).toEqual(['f7'])
    expect(drawn.cells).toBe(0)
    type('qty', '4')
    expect(draws.sort()).toEqual(['double', 'qty'])
    expect(record.values.double).toBe('8')

    const cell = document.querySelector('[data-at="3:1"]')
    if (!cell) throw new Error('no cell')
    fireEvent.pointerDown(cell, { button: 0 })
    fireEvent.pointerUp(cell)
    fireEvent.doubleClick(cell)
    const box = document.querySelector<HTMLInputElement>('[data-editor] input')
    if (!box) throw new Error('no widget')
    draws.length = 0
    drawn.cells = 0
    act(() => void fireEvent.change(box, { target: { value: 'typed' } }))
    expect((record.values.items as { note: string }[])[3]?.note).toBe('typed')
    expect(drawn.cells).toBe(1)
    expect(draws).toEqual(['items'])

    // The cursor on its way draws the cells that it leaves and enters, and nothing around them.
    fireEvent.keyDown(box, { key: 'Enter' })
    draws.length = 0
    drawn.cells = 0
    drawn.menus = 0
    const keys = document.querySelector('[data-keys]')
    if (!keys) throw new Error('no keyboard')
    const place = () => document.querySelector('[role="gridcell"][data-active]')?.getAttribute('data-at')
    const from = place()
    act(() => void fireEvent.keyDown(keys, { key: 'ArrowDown' }))
    expect(place()).not.toBe(from)
    expect(drawn).toEqual({ cells: 2, menus: 0 })
    expect(draws).toEqual([])
    fireEvent.contextMenu(cell, { clientX: 5, clientY: 5 })
    expect((await screen.findAllByRole('menuitem')).length).toBe(6)
  })
})
