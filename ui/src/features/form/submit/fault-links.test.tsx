import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef, useRef } from 'react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad, LayoutItem } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { AskedPlaceContext } from '@/sdk/errors'
import { fakeServer, refuse } from '@/testing/fake-server'
import { RecordForm, type Submit } from '../record/record-form'
import { useRecord } from '../record/use-record'
import { FaultLinks } from './fault-links'
import { useFormFaults } from './form-faults'
import { useAskedPlace } from './use-asked-place'

const field = (propertyCode: string, propertyType: number, name: string, more: object = {}) =>
  ({ propertyCode, propertyType, name, name_i18n: {}, children: null, settings: {}, ...more }) as unknown as FormField
const option = (code: string, name: string) => ({
  code,
  name,
  name_i18n: {},
  color: null,
  disabled: false,
  parent: null,
})
const fields = [
  field('grade', 14, '等级', { options: [option('A', '甲'), option('B', '乙')] }),
  field('price', 2, '单价'),
  field('weight', 2, '重量'),
  field('lines', 8, '明细', { children: [field('item', 0, '名称'), field('count', 2, '数量')] }),
]
const at = (propertyCode: string) => ({ type: 'Field', propertyCode })
const layout = [
  at('grade'),
  {
    type: 'Tabs',
    items: [
      { type: 'Tab', name: '一', items: [at('price')] },
      {
        type: 'Tab',
        name: '二',
        items: [{ type: 'Section', name: '详情', collapsed: true, items: [at('weight'), at('lines')] }],
      },
    ],
  },
] as unknown as LayoutItem[]
const load = {
  id: 'r1',
  version: 3,
  actions: ['save'],
  data: { lines: ['a', 'b', 'c'].map((id) => ({ id, item: id, count: '1' })) },
  form: {
    schemaCode: 's',
    sheetCode: 's',
    columns: 1,
    fields,
    layout,
    schema: {
      type: 'object',
      properties: {
        grade: { type: 'string' },
        price: { type: 'string' },
        weight: { type: 'string' },
        lines: { type: 'array' },
      },
    },
    uiSchema: {},
  },
} as unknown as FormLoad

const form = createRef<Submit>()
const shown = { layout, columns: 1, related: () => null, shown: () => true }

function Page() {
  const page = useRef<HTMLDivElement>(null)
  const record = useRecord(load, () => {})
  const { found, note } = useFormFaults(true)
  const { asked, go } = useAskedPlace(page)
  return (
    <div ref={page}>
      <AskedPlaceContext value={asked}>
        <RecordForm
          {...{ load, record, form }}
          layout={shown}
          onSubmit={() => record.saving.mutate(undefined)}
          onFaults={() => {}}
          onFound={note}
        />
      </AskedPlaceContext>
      <FaultLinks {...{ load, record, found }} layout={shown} onGo={go} />
    </div>
  )
}

const box = (code: string) => document.querySelector(`[data-field="${code}"] input`) as HTMLInputElement
const links = () => screen.queryByRole('navigation', { name: '需要修改的内容' })?.textContent ?? ''
const save = () => act(() => form.current?.submit())

describe('what names the faults of a form', { timeout: 60_000 }, () => {
  let answer: () => unknown
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadWidgets([0, 2, 8, 14])
    await setLocale('zh')
    // jsdom lays nothing out.
    vi.spyOn(Element.prototype, 'getClientRects').mockImplementation(() => [{}] as unknown as DOMRectList)
    Element.prototype.scrollIntoView ??= () => {}
  })
  beforeEach(async () => {
    server = fakeServer({
      '/api/system/config': () => ({ timezone: 'UTC' }),
      '/api/runtime/form/save': () => answer(),
    })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Page />
      </QueryClientProvider>,
    )
    await screen.findByText('等级')
  })

  it('leads into fields of other tabs, closed groups and rows', async () => {
    const errors = [
      { propertyCode: 'price', errmsg: 'a' },
      { propertyCode: 'weight', errmsg: 'b' },
      { propertyCode: 'lines.count', row: 'b', errmsg: 'c' },
    ]
    answer = () => refuse(422, 302001, '', { errors: errors.map((one) => ({ ...one, errcode: 302004 })) })
    save()
    await waitFor(() => expect(links()).toBe('单价重量明细: 数量，第 2 行'))
    for (const code of ['weight', 'price']) {
      fireEvent.click(screen.getByRole('button', { name: code === 'weight' ? '重量' : '单价' }))
      await waitFor(() => expect(document.activeElement).toBe(box(code)))
      expect(box(code).getAttribute('aria-invalid')).toBe('true')
    }
    fireEvent.click(screen.getByRole('button', { name: /第 2 行/ }))
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset.keys).toBe('1:1'))
  })

  it('names the cells that the form itself refuses', async () => {
    const cell = () => document.querySelector('[data-field="price"] input') as HTMLInputElement
    fireEvent.change(cell(), { target: { value: 'x' } })
    save()
    await waitFor(() => expect(links()).toBe('单价'))
    fireEvent.change(cell(), { target: { value: '5' } })
    await waitFor(() => expect(links()).toBe(''))
  })

  it('names a choice that found nothing at the first save', async () => {
    answer = () => ({ id: 'r1', version: 4 })
    act(() => box('grade').focus())
    fireEvent.change(box('grade'), { target: { value: 'zzz' } })
    fireEvent.blur(box('grade'))
    save()
    await waitFor(() => expect(links()).toBe('等级'))
    expect(server.of('/api/runtime/form/save')).toHaveLength(0)
    fireEvent.change(box('price'), { target: { value: '5' } })
    await waitFor(() => expect(links()).toBe(''))
  })
})
