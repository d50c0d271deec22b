import { CellEditContext, type FilterProps, type FormWidgetProps } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { press, type } from '@/testing/keys'
import { Filter } from './filter'
import { FormWidget } from './form'
import type { Address } from './ui'

const patient = { timeout: 8_000 }
const row = (code: string, name: string, en: string, leaf = false) => ({ code, name, name_i18n: { en }, leaf })
const henan = row('41', '河南省', 'Henan')
const zhengzhou = row('4101', '郑州市', 'Zhengzhou')
const jinshui = row('410105', '金水区', 'Jinshui District', true)
const direct = row('4190', '省直辖县级行政区划', 'Divisions Directly under the Province')
const below: Record<string, unknown[]> = {
  '': [henan, row('42', '湖北省', 'Hubei')],
  41: [zhengzhou, direct],
  4101: [jinshui],
  4190: [row('419001', '济源市', 'Jiyuan', true)],
}
const found: Record<string, unknown[]> = {
  郑州: [
    { ...zhengzhou, above: [henan] },
    { ...jinshui, above: [henan, zhengzhou] },
  ],
  zz: [{ ...zhengzhou, above: [henan] }],
  jinshui: [{ ...jinshui, above: [henan, zhengzhou] }],
}

const stored = vi.fn()
const field = (more: object = {}) =>
  ({
    propertyCode: 'place',
    propertyType: 10,
    name: '地址',
    name_i18n: {},
    settings: {},
    children: null,
    ...more,
  }) as never

async function draw(inner: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      {inner}
      <input aria-label="next" />
    </QueryClientProvider>,
  )
  const box = await screen.findByRole<HTMLInputElement>('combobox')
  act(() => box.focus())
  return box
}
function Holder({ start, ...more }: { start: Address | null } & Partial<FormWidgetProps<Address>>) {
  const [value, setValue] = useState(start)
  const change = (next: Address | null) => {
    stored(next)
    setValue(next)
  }
  return (
    <FormWidget id="p" field={field()} schemaCode="s" value={value} onChange={change} values={() => ({})} {...more} />
  )
}
/** The server says that the text names the first. */
const bestNamed = (rows: readonly unknown[]) =>
  rows.map((row, i) => (i === 0 ? { ...(row as object), named: 'text' } : row))

const options = () =>
  [...document.querySelectorAll('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')].map(
    (one) => one.textContent,
  )
const shown = () => document.querySelector('.ant-select-content, .ant-select-selection-item')?.textContent

describe('an address', { timeout: 40_000 }, () => {
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  beforeEach(async () => {
    await setLocale('zh')
    stored.mockClear()
    server = fakeServer({
      '/api/runtime/form/divisions': ({ search }: { search: URLSearchParams }) =>
        search.has('keyword')
          ? bestNamed(found[search.get('keyword') ?? ''] ?? [])
          : (below[search.get('parent') ?? ''] ?? []),
    })
  })
  afterEach(cleanup)

  it('is found by typing, with its path; the first one by Enter', async () => {
    await draw(<Holder start={null} />)
    await type('郑州')
    await waitFor(() => expect(options()).toEqual(['河南省 / 郑州市', '河南省 / 郑州市 / 金水区']), patient)
    press('Enter')
    await waitFor(() =>
      expect(stored).toHaveBeenCalledWith({
        code: '4101',
        province: '河南省',
        city: '郑州市',
        district: null,
        detail: null,
      }),
    )
    await waitFor(() => expect(shown()).toContain('河南省 / 郑州市'))
  })

  it('is found by pinyin or initials, also before the answer, and keeps its free line', async () => {
    const start = { code: '42', province: '湖北省', city: null, district: null, detail: '一号' }
    await draw(<Holder start={start} />)
    await type('jinshui')
    press('Enter')
    await waitFor(() => expect(stored).toHaveBeenCalled(), patient)
    expect(stored.mock.calls).toEqual([
      [{ code: '410105', province: '河南省', city: '郑州市', district: '金水区', detail: '一号' }],
    ])
  })

  it('asks no deeper than the property goes', async () => {
    await draw(<Holder start={null} field={field({ displayFormat: 'province-city' })} />)
    await type('zz')
    await waitFor(() => expect(options()).toEqual(['河南省 / 郑州市']), patient)
    expect(server.calls.map(({ search }) => search.get('levels')).filter(Boolean)).toContain('2')
  })

  it('chooses nothing by Enter where nothing is found', async () => {
    const box = await draw(<Holder start={null} />)
    await type('qqq')
    await screen.findByText('无匹配项', {}, patient)
    press('Enter')
    expect(box.value).toBe('qqq')
    act(() => screen.getByLabelText('next').focus())
    expect((await screen.findByRole('alert', {}, patient)).textContent).toContain('qqq')
    expect(stored).not.toHaveBeenCalled()
  })

  it('is chosen level by level, by mouse and by keys', async () => {
    await draw(<Holder start={null} />)
    press('ArrowDown')
    await waitFor(() => expect(options()).toEqual(['河南省', '湖北省']), patient)
    fireEvent.click(screen.getByText('河南省'))
    await waitFor(() => expect(options()).toEqual(['郑州市', '济源市']), patient)
    expect(stored).toHaveBeenLastCalledWith(expect.objectContaining({ code: '41', city: null }))
    press('ArrowDown')
    press('Enter')
    await waitFor(() => expect(options()).toEqual(['金水区']), patient)
    press('ArrowLeft')
    await waitFor(() => expect(options()).toEqual(['郑州市', '济源市']), patient)
    fireEvent.click(screen.getByRole('button', { name: '全部' }))
    await waitFor(() => expect(options()).toEqual(['河南省', '湖北省']), patient)
    press('Escape')
    await waitFor(() => expect(options()).toEqual([]))
    expect(stored).toHaveBeenLastCalledWith(expect.objectContaining({ code: '4101', city: '郑州市' }))
  })

  it('passes over a level that nobody writes', async () => {
    await draw(<Holder start={{ code: '4101', province: '河南省', city: '郑州市', district: null, detail: null }} />)
    press('ArrowDown')
    fireEvent.click(await screen.findByText('济源市', {}, patient))
    expect(stored).toHaveBeenCalledWith(
      expect.objectContaining({ code: '419001', province: '河南省', city: '省直辖县级行政区划', district: '济源市' }),
    )
    await waitFor(() => expect(shown()).toContain('河南省 / 济源市'))
  })

  it('goes on to its free line in a cell', async () => {
    const done = vi.fn()
    const cell = { done, onLeave: () => {}, unread: vi.fn(), asking: () => {} }
    await draw(
      <CellEditContext value={cell}>
        <Holder start={null} inCell />
      </CellEditContext>,
    )
    await type('zz')
    press('Enter')
    await waitFor(() => expect(stored).toHaveBeenCalled(), patient)
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('详细地址'))
    expect(done).not.toHaveBeenCalled()
  })

  it('is filtered by typing, in the language of the page', async () => {
    await setLocale('en')
    const props = {
      id: 'f',
      field: field(),
      schemaCode: 's',
      operator: 'Contains',
      value: null,
      onChange: stored,
      onSubmit: () => {},
    }
    await draw(<Filter {...(props as FilterProps)} />)
    await type('zz')
    press('Enter')
    await waitFor(() => expect(stored).toHaveBeenCalledWith({ value: '4101', label: 'Henan Zhengzhou' }), patient)
  })
})
