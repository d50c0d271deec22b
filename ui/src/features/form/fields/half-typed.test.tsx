import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { fakeServer } from '@/testing/fake-server'
import { press, type } from '@/testing/keys'
import { RecordForm, type Submit } from '../record/record-form'
import { useRecord } from '../record/use-record'

const option = (code: string, name: string) => ({
  code,
  name,
  name_i18n: {},
  color: null,
  disabled: false,
  parent: null,
})
const options = [option('A1', '甲'), option('B2', '乙'), option('C3', '丙')]
const field = (propertyCode: string, propertyType: number, more: object = {}) =>
  ({
    propertyCode,
    propertyType,
    name: propertyCode,
    name_i18n: {},
    settings: {},
    children: null,
    ...more,
  }) as unknown as FormField
const fields = [field('grade', 14, { options }), field('grades', 15, { options }), field('keeper', 50)]
const load = {
  id: 'r1',
  version: 1,
  actions: ['save'],
  data: { grade: 'A1', grades: ['A1'] },
  form: {
    schemaCode: 's',
    sheetCode: 's',
    columns: 1,
    fields,
    layout: fields.map(({ propertyCode }) => ({ type: 'Field', propertyCode })),
    schema: {
      type: 'object',
      properties: { grade: { type: 'string' }, grades: { type: 'array' }, keeper: { type: 'object' } },
    },
    uiSchema: {},
  },
} as unknown as FormLoad
const form = createRef<Submit>()
const typing = vi.fn()

function Page() {
  const record = useRecord(load, () => {})
  return (
    <RecordForm
      {...{ load, record, form }}
      layout={{ layout: load.form.layout, columns: 1, related: () => null, shown: () => true }}
      onFaults={() => {}}
      onFound={() => {}}
      onTyping={typing}
      onSubmit={() => record.saving.mutate(undefined)}
    />
  )
}

describe('a save while a choice is being typed', { timeout: 60_000 }, () => {
  let server: ReturnType<typeof fakeServer>
  const patient = { timeout: 8_000 }
  const saved = () => server.of('/api/runtime/form/save').map(({ body }) => (body as { data: unknown }).data)
  const save = () => act(() => form.current?.submit())
  const enter = (code: string) =>
    act(() => document.querySelector<HTMLInputElement>(`[data-field="${code}"] input`)?.focus())
  const alert = () => screen.findByRole('alert', {}, patient)
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadWidgets([14, 15, 50])
    await setLocale('zh')
  })
  beforeEach(async () => {
    typing.mockClear()
    server = fakeServer({
      '/api/system/config': () => ({ timezone: 'UTC' }),
      '/api/runtime/form/save': () => ({ id: 'r1', version: 2 }),
      '/api/runtime/form/options': ({ search }: { search: URLSearchParams }) => {
        const found = [{ id: 'u1', name: '王芳', imgUrl: null, type: 3, leaf: true, detail: null, named: 'sound' }]
        const content = search.get('keyword') === 'wangfang' ? found : []
        return { content, totalElements: content.length }
      },
    })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Page />
      </QueryClientProvider>,
    )
    await waitFor(() => expect(document.querySelectorAll('[data-field] input').length).toBe(3), patient)
  })
  afterEach(cleanup)

  it('takes what the text finds', async () => {
    enter('grade')
    await type('乙')
    expect(typing).toHaveBeenLastCalledWith(true)
    save()
    await waitFor(() => expect(saved()).toEqual([{ grade: 'B2' }]), patient)
    expect(typing).toHaveBeenLastCalledWith(false)
  })

  it('waits until it is known what the text finds', async () => {
    enter('keeper')
    await type('wangfang')
    save() // before the server was asked
    await waitFor(() => expect(saved()).toMatchObject([{ keeper: { id: 'u1' } }]), patient)
  })

  it('waits for a text that was left before it was known what it finds', async () => {
    enter('keeper')
    await type('wangfang')
    press('Tab')
    save()
    await waitFor(() => expect(saved()).toMatchObject([{ keeper: { id: 'u1' } }]), patient)
    enter('keeper')
    await type('nobody')
    press('Tab')
    save()
    expect((await alert()).textContent).toContain('nobody')
    expect(saved()).toHaveLength(1)
  })

  it('is refused where the text finds nothing, and the text stays', async () => {
    enter('grade')
    await type('zzz')
    save()
    expect((await alert()).textContent).toContain('zzz')
    const box = document.activeElement as HTMLInputElement
    expect(box.value).toBe('zzz')
    expect(box.closest('.ant-select-status-error')).not.toBeNull()
    save()
    await act(() => new Promise((done) => setTimeout(done, 50)))
    expect(saved()).toEqual([])
    press('Escape')
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    await type('bing')
    save()
    await waitFor(() => expect(saved()).toEqual([{ grade: 'C3' }]), patient)
  })

  it('is refused once when such a text was left behind: it says that the old value stands', async () => {
    enter('grade')
    await type('zzz')
    enter('grades')
    expect((await alert()).textContent).toContain('zzz')
    save()
    await act(() => new Promise((done) => setTimeout(done, 50)))
    expect(saved()).toEqual([])
    expect(document.activeElement?.closest('[data-field]')?.getAttribute('data-field')).toBe('grade')
    enter('grades')
    await type('丙')
    save()
    await waitFor(() => expect(saved()).toEqual([{ grades: ['A1', 'C3'] }]), patient)
  })

  it('takes nothing away from several that are chosen', async () => {
    enter('grades')
    await type('甲')
    save()
    await act(() => new Promise((done) => setTimeout(done, 100)))
    expect(saved().every((data) => Object.keys(data as object).length === 0)).toBe(true)
  })
})
