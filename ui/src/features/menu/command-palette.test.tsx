import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { type Call, fakeServer, refuse } from '@/testing/fake-server'
import { CommandPalette } from './command-palette'

const SEARCH = '/api/app/search'
const app = { code: 'lock', name: '船闸', name_i18n: {}, group: null, group_i18n: {}, logoUrl: null }
const entry = (code: string, name: string) => ({
  id: `lock/${code}`,
  code,
  name,
  name_i18n: {},
  icon: null,
  type: 'BizModel',
  appCode: 'lock',
  parentId: null,
  openMode: null,
  pcUrl: null,
  queryCode: code,
  schemaCode: code,
  children: [],
})
const record = (id: string, name: string, number: string, named?: string) => ({
  id,
  name,
  number,
  detail: null,
  createdTime: '2026-11-20T02:00:00Z',
  ...(named ? { named } : {}),
})
const lots = {
  schemaCode: 'lot',
  queryCode: 'lot',
  appCode: 'lock',
  name: '检验批',
  name_i18n: {},
  searchable: true,
  more: false,
  begins: false,
}
const pile = { ...lots, content: [record('r1', '灌注桩', 'JYP-1', 'text'), record('r2', '灌注桩基础', 'JYP-2')] }

const Here = () => {
  const { pathname, search } = useLocation()
  return <output aria-label="here">{decodeURIComponent(pathname + search)}</output>
}

describe('the palette', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  const close = vi.fn()
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    close.mockClear()
    Element.prototype.scrollIntoView = () => {}
    answers = {
      '/api/app/apppackage/list': [app],
      '/api/app/function/tree': [entry('piles', '灌注桩检验'), entry('lots', '检验批')],
      [SEARCH]: { groups: [pile], left: [] },
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = async () => {
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={['/app-list/applications']}>
            <CommandPalette commands={[]} onClose={close} />
            <Here />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
    await screen.findByRole('option', { name: /灌注桩检验/ })
    return screen.getByRole('combobox')
  }
  const put = (box: HTMLElement, value: string) => fireEvent.change(box, { target: { value } })
  const options = () => screen.getAllByRole('option').map((one) => one.textContent)
  const chosen = () => screen.getByRole('option', { selected: true }).textContent
  const here = () => screen.getByLabelText('here').textContent

  it('shows records below pages, marks what was found, and begins with what is named', async () => {
    const box = await draw()
    put(box, '灌注桩')
    await screen.findByRole('option', { name: /JYP-1/ })
    expect(options()).toEqual(['灌注桩检验船闸', '灌注桩JYP-1', '灌注桩基础JYP-2', '查看“灌注桩”的全部结果'])
    expect(chosen()).toBe('灌注桩JYP-1')
    expect(screen.getAllByRole('option')[2]?.querySelector('mark')?.textContent).toBe('灌注桩')
    expect(server.of(SEARCH).map(({ search }) => `${search}`)).toEqual([
      `${new URLSearchParams({ keyword: '灌注桩', size: '5' })}`,
    ])
    fireEvent.keyDown(box, { key: 'ArrowDown' })
    fireEvent.keyDown(box, { key: 'ArrowDown' })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(close).toHaveBeenCalledOnce()
    expect(here()).toBe('/search?q=灌注桩')
  })

  it('opens a record by Enter', async () => {
    const box = await draw()
    put(box, '灌注桩')
    await screen.findByRole('option', { name: /JYP-1/ })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(here()).toBe('/form/detail?schemaCode=lot&key=r1')
  })

  it('waits for the answer when Enter comes before it', async () => {
    let tell: (data: unknown) => void = () => {}
    answers[SEARCH] = () =>
      new Promise((done) => {
        tell = done
      })
    const box = await draw()
    put(box, '灌注桩')
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(close).not.toHaveBeenCalled()
    await waitFor(() => expect(server.of(SEARCH)).toHaveLength(1))
    await act(async () => tell({ groups: [pile], left: [] }))
    await waitFor(() => expect(here()).toBe('/form/detail?schemaCode=lot&key=r1'))
  })

  it.each([
    ['a longer name', [{ ...pile.content[1], named: undefined }]],
    ['one of several', ['r1', 'r2'].map((id) => ({ ...pile.content[0], id, named: 'text' }))],
  ])('does not open %s by an Enter that came before the answer', async (_, content) => {
    let tell: (data: unknown) => void = () => {}
    answers[SEARCH] = () =>
      new Promise((done) => {
        tell = done
      })
    const box = await draw()
    put(box, '灌注桩')
    fireEvent.keyDown(box, { key: 'Enter' })
    await waitFor(() => expect(server.of(SEARCH)).toHaveLength(1))
    await act(async () => tell({ groups: [{ ...pile, content }], left: [] }))
    await screen.findByRole('option', { name: /全部结果/ })
    expect(close).not.toHaveBeenCalled()
  })

  it('does not wait where a page is named, or the arrows lead to one', async () => {
    answers[SEARCH] = () => new Promise(() => {})
    const box = await draw()
    put(box, '检验批')
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(here()).toMatch(/application-list\/lots/)
    put(box, '检验')
    fireEvent.keyDown(box, { key: 'ArrowDown' })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(close).toHaveBeenCalledTimes(2)
  })

  it('never opens what an earlier text has found', async () => {
    answers[SEARCH] = ({ search }: Call) =>
      search.get('keyword') === '灌注桩' ? { groups: [pile], left: [] } : new Promise(() => {})
    const box = await draw()
    put(box, '灌注桩')
    await screen.findByRole('option', { name: /JYP-1/ })
    put(box, '灌注桩基')
    expect(options()).toEqual(['灌注桩基础JYP-2', '查看“灌注桩基”的全部结果'])
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(close).not.toHaveBeenCalled()
    put(box, '银行')
    expect(screen.queryAllByRole('option')).toEqual([])
    expect(screen.getByText('正在搜索记录…')).toBeTruthy()
  })

  it('keeps pages when records cannot be searched, and asks again', async () => {
    answers[SEARCH] = () => refuse(503, 100004, '服务暂不可用')
    const box = await draw()
    put(box, '灌注桩')
    expect((await screen.findByRole('alert')).textContent).toContain('服务暂不可用')
    expect(options()).toEqual(['灌注桩检验船闸'])
    answers[SEARCH] = { groups: [pile], left: [{ ...lots, schemaCode: 'letter', name: '函件' }] }
    fireEvent.click(screen.getByRole('button', { name: /重 ?试/ }))
    await screen.findByRole('option', { name: /JYP-1/ })
    expect(screen.getByText(/1 类记录未能及时搜索完/)).toBeTruthy()
  })

  it('asks nothing without a text, and says where nothing is found', async () => {
    answers[SEARCH] = { groups: [], left: [] }
    const box = await draw()
    put(box, '  ')
    put(box, 'zzz')
    expect(await screen.findByText('没有匹配“zzz”的结果')).toBeTruthy()
    expect(server.of(SEARCH)).toHaveLength(1)
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(close).not.toHaveBeenCalled()
  })
})
