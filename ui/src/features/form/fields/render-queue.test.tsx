import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { createRef } from 'react'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { texts } from '@/i18n/zh'
import * as registry from '@/registry/properties'
import { fakeServer } from '@/testing/fake-server'
import { RecordForm, type Submit } from '../record/record-form'
import { type RecordController, useRecord } from '../record/use-record'

const makeLoad = (count: number) => {
  const fields = Array.from(
    { length: count },
    (_, i) =>
      ({
        propertyCode: `f${i}`,
        propertyType: 0,
        name: `f${i}`,
        name_i18n: {},
        children: null,
      }) as unknown as FormField,
  )
  return {
    id: 'r1',
    version: 1,
    name: 'r',
    actions: ['save'],
    data: Object.fromEntries(fields.map(({ propertyCode }) => [propertyCode, `text ${propertyCode}`])),
    form: {
      schemaCode: 's',
      sheetCode: 's',
      columns: 1,
      fields,
      layout: [
        { type: 'Section', name: '', items: fields.map(({ propertyCode }) => ({ type: 'Field', propertyCode })) },
      ],
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          fields.map(({ propertyCode }) => [propertyCode, { type: 'string', maxLength: 20 }]),
        ),
      },
      uiSchema: {},
    },
  } as unknown as FormLoad
}

/** The browser tells what comes into sight, and when it has nothing to do, when a test says so. */
let near: (elements: Element[]) => void
let idle: (() => void)[]
let watched: Set<Element>

let record: RecordController
const form = createRef<Submit>()
const faults = vi.fn()
const found = vi.fn()
function Page({ load }: { load: FormLoad }) {
  record = useRecord(load, () => {})
  return (
    <RecordForm
      load={load}
      record={record}
      form={form}
      layout={{ layout: load.form.layout, columns: 1, related: () => null, shown: () => true }}
      onSubmit={() => {}}
      onFaults={faults}
      onFound={found}
    />
  )
}

const show = (count: number) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Page load={makeLoad(count)} />
    </QueryClientProvider>,
  )
const field = (code: string) => document.querySelector<HTMLElement>(`[data-field="${code}"]`) as HTMLElement
const input = (code: string) => field(code).querySelector('input') as HTMLInputElement
const later = () => [...document.querySelectorAll('[data-later]')]
const isLater = (code: string) => field(code).querySelector('[data-later]') !== null

describe('a large form', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await i18next.use(initReactI18next).init({
      lng: 'zh',
      ns: ['texts'],
      defaultNS: 'texts',
      resources: { zh: { texts } },
      interpolation: { prefix: '{', suffix: '}' },
    })
    await registry.loadWidgets([0])
  })
  beforeEach(() => {
    fakeServer({ '/api/system/config': () => ({ timezone: 'UTC' }) })
    idle = []
    watched = new Set()
    vi.stubGlobal('requestIdleCallback', (work: () => void) => idle.push(work))
    vi.stubGlobal('cancelIdleCallback', () => {})
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(told: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
          near = (elements) => told(elements.map((target) => ({ target, isIntersecting: true })))
        }
        observe = (element: Element) => watched.add(element)
        unobserve = (element: Element) => watched.delete(element)
        disconnect() {}
      },
    )
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  it('draws the controls in sight first; the others stand as their values', () => {
    show(100)
    expect(isLater('f0')).toBe(false)
    expect(isLater('f99')).toBe(true)
    expect(later().length).toBeGreaterThan(50)
    expect(input('f99').value).toBe('text f99')
    expect(document.querySelectorAll('label')).toHaveLength(100)
    expect(watched.size).toBe(later().length)
  })

  it('draws a small form as one', () => {
    show(30)
    expect(later()).toHaveLength(0)
  })

  it('draws what comes near to sight, and all others when there is time', () => {
    show(100)
    act(() => near([field('f90').querySelector('[data-later]') as Element]))
    expect(isLater('f90')).toBe(false)
    expect(isLater('f89')).toBe(true)
    for (let n = 0; idle.length > 0 && n < 200; n++) act(() => idle.shift()?.())
    expect(later()).toHaveLength(0)
    expect(watched.size).toBe(0)
    fireEvent.change(input('f80'), { target: { value: 'typed' } })
    expect(record.values.f80).toBe('typed')
  })

  it('puts the keyboard into the control that was asked for', () => {
    show(100)
    act(() => input('f70').focus())
    expect(isLater('f70')).toBe(false)
    expect(document.activeElement).toBe(input('f70'))
    expect(input('f70').readOnly).toBe(false)
    fireEvent.change(input('f70'), { target: { value: 'typed' } })
    expect(record.values.f70).toBe('typed')
    expect(isLater('f71')).toBe(true)
  })

  it('draws a control before the pointer presses it', () => {
    show(100)
    fireEvent.pointerEnter(field('f60').querySelector('[data-later]') as Element)
    expect(isLater('f60')).toBe(false)
  })

  it('checks fields that are not drawn, and says what is wrong there', async () => {
    show(100)
    act(() => record.change({ ...record.values, f95: 'x'.repeat(30) }))
    expect(input('f95').value).toBe('x'.repeat(30))
    act(() => form.current?.submit())
    expect(faults).toHaveBeenLastCalledWith(['f95'])
    await waitFor(() => expect(found).toHaveBeenLastCalledWith([{ code: 'f95', message: '最多 20 个字' }]))
    await waitFor(() => expect(field('f95').querySelector('[role="alert"]')).not.toBeNull())
  })

  it('prints all of it', () => {
    show(100)
    act(() => void window.dispatchEvent(new Event('beforeprint')))
    expect(later()).toHaveLength(0)
  })
})
