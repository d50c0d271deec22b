import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import i18next from 'i18next'
import { createRef } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { fakeServer } from '@/testing/fake-server'
import errors from '../../../../../schemas/errors.json'
import { RecordForm, type Submit } from '../record/record-form'
import { useRecord } from '../record/use-record'
import { keeps, patternOf, switchedOff } from './field-check'

const field = (propertyCode: string, propertyType: number, more: object = {}) =>
  ({ propertyCode, propertyType, name: propertyCode, name_i18n: {}, children: null, ...more }) as unknown as FormField
const plate = { pattern: '[A-Z]\\d+', message: '字母加数字', message_i18n: { en: 'A letter and digits' } }
const fields = [
  field('price', 2, { settings: { scale: 2, min: '0' } }),
  field('name', 0, { settings: { maxLength: 5 } }),
  field('plate', 0, { rules: [plate] }),
  field('lines', 8, { children: [field('qty', 2, { settings: { scale: 0 }, cellSchema: { type: 'string' } })] }),
]
const load = {
  id: 'r1',
  version: 1,
  actions: ['save'],
  data: { lines: [{ id: 'a', qty: '3.7' }] },
  form: {
    schemaCode: 's',
    sheetCode: 's',
    columns: 1,
    fields,
    layout: fields.map(({ propertyCode }) => ({ type: 'Field', propertyCode })),
    schema: {
      type: 'object',
      properties: {
        price: { type: 'string' },
        name: { type: 'string', maxLength: 5 },
        plate: { type: 'string' },
        lines: { type: 'array' },
      },
    },
    uiSchema: {},
  },
} as unknown as FormLoad

const saved = vi.fn()
const form = createRef<Submit>()
function Page() {
  const record = useRecord(load, () => {})
  return (
    <RecordForm
      {...{ load, record, form }}
      layout={{ layout: load.form.layout, columns: 1, related: () => null, shown: () => true }}
      onSubmit={saved}
      onFaults={() => {}}
      onFound={() => {}}
    />
  )
}

const inputOf = (code: string) => {
  const input = document.querySelector<HTMLInputElement>(`[data-field="${code}"] input`)
  if (!input) throw new Error(`no ${code}`)
  return input
}
const said = (code: string) => document.querySelector(`[data-field="${code}"] [role="alert"]`)?.textContent ?? null
const type = (code: string, value: string) => fireEvent.change(inputOf(code), { target: { value } })
const leave = (code: string, value: string) => {
  fireEvent.focus(inputOf(code))
  type(code, value)
  fireEvent.blur(inputOf(code))
  return said(code)
}

/** A sentence of the server, as it says it. */
function sentence(key: string, locale: 'zh' | 'en', ...args: unknown[]) {
  const text = errors.find((one) => one.key === key)?.[locale] ?? ''
  return text
    .replace(/\{(\d)\|([^|]*)\|([^}]*)\}/g, (_, i, one, many) => (args[Number(i)] === 1 ? one : many))
    .replace(/\{(\d)\}/g, (_, i) => String(args[Number(i)]))
}

describe('what a form says of values', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadWidgets([0, 2, 8])
  })
  beforeEach(async () => {
    fakeServer({ '/api/system/config': () => ({ timezone: 'UTC' }) })
    await setLocale('zh')
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Page />
      </QueryClientProvider>,
    )
    await screen.findByRole('grid')
  })
  afterEach(() => {
    cleanup()
  })

  it('is what the server says, when the field is left', () => {
    const most = '9999999999999999.99999999'
    expect(leave('price', '5.678')).toBe('最多 2 位小数')
    expect(leave('price', '-5')).toBe('不能小于 0')
    expect(leave('price', '99999999999999999999')).toBe(`须在 -${most} 与 ${most} 之间`)
    expect(leave('price', 'five')).toBe('请填写数字，如 12.5')
    expect(leave('price', '5.670')).toBeNull()
    type('plate', 'x')
    expect(said('plate')).toBeNull()
    expect(leave('plate', 'x')).toBe('字母加数字')
    expect(leave('plate', 'A1')).toBeNull()
  })
  it('keeps a text that is too long, says so at once and does not save it', () => {
    type('name', '一二三四五六')
    expect(inputOf('name').value).toBe('一二三四五六')
    expect(said('name')).toBe('最多 5 个字')
    act(() => form.current?.submit())
    expect(saved).not.toHaveBeenCalled()
  })
  it('shows what is wrong in a cell as it was entered, and why', () => {
    const cell = document.querySelector('[data-at="0:0"]')
    expect(cell?.textContent).toContain('3.7')
    expect(cell?.getAttribute('title')).toBe('须为整数')
  })
  it.each(['zh', 'en'] as const)('has the sentences of the server in %s', async (locale) => {
    await act(() => setLocale(locale))
    const t = i18next.t.bind(i18next)
    for (const count of [1, 2]) expect(t('form.scale', { count })).toBe(sentence('FieldScale', locale, count))
    expect(t('form.tooLong', { count: 9 })).toBe(sentence('FieldTooLong', locale, 9))
    expect(t('form.between', { low: '0', high: '1' })).toBe(sentence('FieldRange', locale, '0', '1'))
    expect(t('form.least', { limit: '0' })).toBe(sentence('FieldLeast', locale, '0'))
    expect(t('form.most', { limit: '9' })).toBe(sentence('FieldMost', locale, '9'))
    for (const count of [1, 3]) {
      expect(t('form.tooMany', { count })).toBe(sentence('FieldTooMany', locale, count))
      expect(t('form.tooFew', { count })).toBe(sentence('FieldTooFew', locale, count))
    }
    expect(t('form.disabled', { name: 'x' })).toBe(sentence('FieldDisabled', locale, 'x'))
    expect(t('form.whole')).toBe(sentence('FieldWhole', locale))
    expect(t('form.number', { example: '12.5' })).toBe(sentence('FieldNumber', locale, '12.5'))
    expect(t('form.step', { limit: '10%' })).toBe(sentence('FieldStep', locale, '10%'))
    expect(t('form.type')).toBe(sentence('FieldType', locale))
    expect(t('form.patternRule')).toBe(sentence('FieldPattern', locale))
    expect(t('form.rule')).toBe(sentence('FieldRule', locale))
  })
})

describe('an option that was switched off', () => {
  it('stays where it stands and is not chosen anew', () => {
    const options = ['new', 'old'].map((code) => ({ code, name: code, disabled: code === 'old' }))
    const off = (type: number, value: unknown, before?: unknown) =>
      switchedOff(field('age', type, { options }), value, () => before)?.code
    for (const single of [12, 14]) {
      expect(off(single, 'old')).toBe('old')
      expect(off(single, 'old', 'new')).toBe('old')
      expect(off(single, 'old', 'old')).toBeUndefined()
      expect(off(single, 'new')).toBeUndefined()
    }
    for (const several of [13, 15]) {
      expect(off(several, ['new', 'old'], ['new'])).toBe('old')
      expect(off(several, ['new', 'old'], ['old'])).toBeUndefined()
    }
  })
})

describe('rules of authors', () => {
  it('mean here what they mean for the server, or are left to it', () => {
    expect(patternOf('\\pL+')?.test('汉字')).toBe(true)
    expect(patternOf('a|b')?.test('ab')).toBe(false)
    for (const pattern of ['[[:alpha:]]+', '(?i)x', 'x\\z']) expect(patternOf(pattern)).toBeNull()
    const rule = {
      formula: { op: 'compare', cmp: '<=', a: { op: 'field', column: 'a' }, b: { op: 'field', column: 'b' } },
    }
    const scope = () => ({ column: ({ column }: { column: string }) => (column === 'a' ? '2' : '1') })
    expect(keeps(rule, '2', new Set(['a']), scope as never)).toBe(true)
  })
})
