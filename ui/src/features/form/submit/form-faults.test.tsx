import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { fakeServer, refuse } from '@/testing/fake-server'
import { RecordForm, type Submit } from '../record/record-form'
import { type RecordController, useRecord } from '../record/use-record'
import { faultyFields, useFormFaults } from './form-faults'

const field = (propertyCode: string, propertyType: number, more: object = {}) =>
  ({ propertyCode, propertyType, name: propertyCode, name_i18n: {}, children: null, ...more }) as unknown as FormField
const makeLoad = () => {
  const fields = [
    field('name', 0, { required: true }),
    field('plate', 0, { rules: [{ pattern: '[A-Z]\\d+', message: '字母加数字', message_i18n: {} }] }),
    field('photos', 6),
    field('total', 2, { readOnly: true }),
    field('lines', 8, { children: [field('item', 0), field('note', 0), field('sum', 2, { readOnly: true })] }),
  ]
  return {
    id: 'r1',
    version: 3,
    actions: ['save'],
    data: {
      name: 'n',
      photos: [{ refId: 'f1', name: 'a.png', mimeType: 'image/png', size: 5, isImage: true }],
      lines: ['a', 'b', 'c'].map((id) => ({ id, item: id, note: 'x' })),
    },
    form: {
      schemaCode: 's',
      sheetCode: 's',
      columns: 1,
      fields,
      layout: fields.map(({ propertyCode }) => ({ type: 'Field', propertyCode })),
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          plate: { type: 'string' },
          photos: { type: 'array' },
          total: { type: 'string' },
          lines: { type: 'array' },
        },
      },
      uiSchema: {},
    },
  } as unknown as FormLoad
}

const form = createRef<Submit>()
const saved = vi.fn()
const onFaults = vi.fn()
let record: RecordController

function Page({ load }: { load: FormLoad }) {
  record = useRecord(load, saved)
  const { found, note } = useFormFaults(true)
  return (
    <>
      <output>{faultyFields(found, record.extraErrors)}</output>
      <RecordForm
        {...{ load, record, form, onFaults }}
        layout={{ layout: load.form.layout, columns: 1, related: () => null, shown: () => true }}
        onSubmit={() => record.saving.mutate(undefined)}
        onFound={note}
      />
    </>
  )
}

const type = (code: string, value: string) => {
  const input = document.querySelector<HTMLInputElement>(`[data-field="${code}"] input`)
  if (!input) throw new Error(`no ${code}`)
  fireEvent.change(input, { target: { value } })
}
const count = () => Number(screen.getByRole('status').textContent)
const save = () => act(() => form.current?.submit())
const cursor = () => document.querySelector('[role="gridcell"][data-active]')?.getAttribute('data-at')
const point = (place: string) => {
  const cell = document.querySelector(`[data-at="${place}"]`)
  if (!cell) throw new Error(`no cell ${place}`)
  fireEvent.pointerDown(cell, { button: 0 })
  fireEvent.pointerUp(cell)
}

describe('what stands in the way of a save', { timeout: 60_000 }, () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const page = (load: FormLoad) => (
    <QueryClientProvider client={client}>
      <Page load={load} />
    </QueryClientProvider>
  )
  let answer: (body: Record<string, unknown>) => unknown
  let server: ReturnType<typeof fakeServer>
  let again: (load: FormLoad) => void
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadWidgets([0, 6, 8])
    await setLocale('zh')
  })
  beforeEach(async () => {
    saved.mockClear()
    onFaults.mockClear()
    answer = () => ({ id: 'r1', version: 4 })
    server = fakeServer({
      '/api/system/config': () => ({ timezone: 'UTC' }),
      '/api/runtime/form/save': ({ body }: { body: unknown }) => answer(body as Record<string, unknown>),
    })
    const { rerender } = render(page(makeLoad()))
    again = (load) => rerender(page(load))
    await screen.findByRole('grid')
  })
  afterEach(() => {
    cleanup()
  })
  const refused = (...errors: { propertyCode: string; row?: string; errmsg: string }[]) => {
    answer = () => refuse(422, 302001, '', { errors: errors.map((one) => ({ ...one, errcode: 302004 })) })
  }

  it('is counted live once a save was refused', async () => {
    type('name', '')
    type('plate', 'x')
    expect(count()).toBe(0)
    save()
    await waitFor(() => expect(count()).toBe(2))
    type('name', 'again')
    await waitFor(() => expect(count()).toBe(1))
    type('plate', 'A1')
    await waitFor(() => expect(count()).toBe(0))
    type('name', '')
    await waitFor(() => expect(count()).toBe(1))
    expect(onFaults).toHaveBeenCalledTimes(1)
    expect(server.of('/api/runtime/form/save')).toHaveLength(0)
  })

  it('counts what the server refused until it is repaired', async () => {
    refused({ propertyCode: 'plate', errmsg: 'taken' }, { propertyCode: 'name', errmsg: 'not so' })
    type('plate', 'A1')
    save()
    await waitFor(() => expect(count()).toBe(2))
    type('plate', 'A2')
    expect(count()).toBe(1)
    act(() => record.reset())
    expect(count()).toBe(0)
  })

  it('counts what is wrong with results until something is typed: it may be right then', async () => {
    refused(
      { propertyCode: 'total', errmsg: 'too large' },
      { propertyCode: 'lines.sum', row: 'a', errmsg: 'too large' },
      { propertyCode: 'name', errmsg: 'not so' },
    )
    type('plate', 'A1')
    save()
    await waitFor(() => expect(count()).toBe(3))
    expect(document.querySelector('[data-field="total"] [role="alert"]')?.textContent).toBe('too large')
    type('plate', 'A2')
    expect(count()).toBe(1)
  })

  it('takes the cursor of a sub-table to the first wrong cell at each refusal, and at nothing else', async () => {
    refused(
      { propertyCode: 'lines.note', row: 'b', errmsg: 'one' },
      { propertyCode: 'lines.item', row: 'c', errmsg: 'two' },
    )
    type('plate', 'A1')
    save()
    await waitFor(() => expect(cursor()).toBe('1:1'))
    point('0:0')
    const rows = () => record.values.lines as { id: string }[]
    const write = (id: string, more: object) =>
      act(() =>
        record.change({ ...record.values, lines: rows().map((row) => (row.id === id ? { ...row, ...more } : row)) }),
      )
    write('b', { note: 'repaired' })
    expect(cursor()).toBe('0:0')
    expect(document.querySelector('[data-at="1:1"][aria-invalid]')).toBeNull()
    expect(document.querySelector('[data-at="2:0"][aria-invalid]')).not.toBeNull()
    // Definitions that were loaded again bring functions of their own.
    act(() => again(makeLoad()))
    expect(cursor()).toBe('0:0')
    refused({ propertyCode: 'lines.item', row: 'c', errmsg: 'two' })
    save()
    await waitFor(() => expect(cursor()).toBe('2:0'))
    point('0:1')
    save() // the same answer once more
    await waitFor(() => expect(cursor()).toBe('2:0'))
  })

  it('is no more when what was typed becomes a record of its own', async () => {
    answer = (body) => (body.id ? refuse(404, 302000, 'gone') : { id: 'n1', version: 1 })
    type('name', 'typed')
    save()
    await waitFor(() => expect(record.saving.isError).toBe(true))
    expect(saved).not.toHaveBeenCalled()
    act(() => record.saveAsNew())
    await waitFor(() => expect(saved).toHaveBeenCalledWith('n1', true))
    const [first, second] = server.of('/api/runtime/form/save').map(({ body }) => body)
    expect(first).toEqual({ schemaCode: 's', sheetCode: 's', id: 'r1', version: 3, data: { name: 'typed' } })
    expect(second).toEqual({
      schemaCode: 's',
      sheetCode: 's',
      data: {
        name: 'typed',
        photos: [{ refId: 'f1', name: 'a.png', mimeType: 'image/png', size: 5, isImage: true }],
        lines: ['a', 'b', 'c'].map((item) => ({ item, note: 'x' })),
      },
    })
  })

  it('is said when the new record is refused too, and what was typed stays', async () => {
    answer = (body) =>
      body.id
        ? refuse(404, 302000, 'gone')
        : refuse(422, 302001, '', { errors: [{ propertyCode: 'photos', errcode: 302009, errmsg: 'not yours' }] })
    type('name', 'typed')
    save()
    await waitFor(() => expect(record.saving.isError).toBe(true))
    act(() => record.saveAsNew())
    await waitFor(() => expect(count()).toBe(1))
    expect(document.querySelector('[data-field="photos"] [role="alert"]')?.textContent).toBe('not yours')
    expect(record.values.name).toBe('typed')
    expect(saved).not.toHaveBeenCalled()
  })
})
