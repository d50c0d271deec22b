import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, useLocation, useNavigate } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { type Call, fakeServer, refuse } from '@/testing/fake-server'
import { SearchPage } from './search-page'

const SEARCH = '/api/app/search'
const group = {
  schemaCode: 'lot',
  queryCode: 'lot_all',
  appCode: 'lock',
  name: '检验批',
  name_i18n: { en: 'Lots' },
  searchable: true,
  more: true,
  begins: false,
  content: [
    {
      id: 'r1',
      name: '灌注桩',
      number: 'JYP-1',
      detail: '左岸 · JYP-1',
      createdTime: '2026-11-20T02:00:00Z',
      named: 'text',
    },
    { id: 'r2', name: '', number: 'JYP-2', detail: null, createdTime: null },
  ],
}

const Here = () => {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  return (
    <>
      <output aria-label="here">{decodeURIComponent(pathname + search)}</output>
      <button type="button" onClick={() => navigate('/search?q=银行')}>
        other
      </button>
      <button type="button" onClick={() => navigate(-1)}>
        back
      </button>
    </>
  )
}

describe('the page of a search', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    answers = {
      '/api/app/apppackage/list': [
        { code: 'lock', name: '船闸', name_i18n: {}, group: null, group_i18n: {}, logoUrl: null },
      ],
      '/api/app/function/tree': [],
      [SEARCH]: { groups: [group], left: [] },
    }
    server = fakeServer(answers)
  })
  afterEach(async () => {
    cleanup()
    vi.unstubAllGlobals()
    await setLocale('zh')
  })
  const draw = (at: string, ...before: string[]) =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[...before, at]}>
            <SearchPage />
            <Here />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  const here = () => screen.getByLabelText('here').textContent
  const asked = () => server.of(SEARCH).map(({ search }) => search.get('keyword'))

  it('shows models with their best records, and leads to the list with the same text', async () => {
    draw('/search?q=灌注')
    const section = await screen.findByRole('region', { name: '检验批' })
    expect(await within(section).findByText('船闸')).toBeTruthy()
    const links = within(section).getAllByRole('link')
    expect(links.map((link) => link.textContent)).toEqual(['灌注桩', '未命名记录', '在列表中查看更多检验批'])
    expect(links[0]?.getAttribute('href')).toBe('/form/detail?schemaCode=lot&key=r1')
    expect(links[0]?.querySelector('mark')?.textContent).toBe('灌注')
    expect(decodeURIComponent(links[2]?.getAttribute('href') ?? '')).toBe(
      '/application/lock/application-list/lot?queryCode=lot_all&q=灌注',
    )
    expect(within(section).getByText('左岸 · JYP-1')).toBeTruthy()
    expect(document.title).toContain('搜索“灌注”')
  })

  it('keeps the text in the address, and follows the address', async () => {
    draw('/search')
    expect(screen.getByText('输入名称或编号，查找所有应用中的记录')).toBeTruthy()
    expect(asked()).toEqual([])
    const box = screen.getByRole('textbox', { name: '搜索记录' }) as HTMLInputElement
    fireEvent.change(box, { target: { value: '灌注桩 ' } })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(here()).toBe('/search?q=灌注桩')
    await screen.findByRole('region', { name: '检验批' })
    fireEvent.change(box, { target: { value: '混凝土' } })
    await waitFor(() => expect(here()).toBe('/search?q=混凝土'), { timeout: 3000 })
    await screen.findByRole('region', { name: '检验批' }) // a question that is left before its answer is asked again
    fireEvent.click(screen.getByText('other'))
    await waitFor(() => expect(box.value).toBe('银行'))
    await screen.findByRole('region', { name: '检验批' })
    fireEvent.click(screen.getByText('back'))
    await waitFor(() => expect(box.value).toBe('混凝土'))
    expect(here()).toBe('/search?q=混凝土')
    expect(asked()).toEqual(['灌注桩', '混凝土', '银行'])
  })

  it('is one step of the way back for each text that was searched for', async () => {
    draw('/search', '/search?q=从前')
    const box = screen.getByRole('textbox', { name: '搜索记录' }) as HTMLInputElement
    const rest = async (text: string) => {
      fireEvent.change(box, { target: { value: text } })
      await waitFor(() => expect(here()).toBe(`/search?q=${text}`), { timeout: 3000 })
    }
    const back = async (text: string) => {
      fireEvent.click(screen.getByText('back'))
      await waitFor(() => expect(here()).toBe(`/search?q=${text}`))
      expect(box.value).toBe(text)
    }
    fireEvent.focus(box)
    for (const text of ['灌', '灌注', '灌注桩']) await rest(text) // the keys rested between
    fireEvent.keyDown(box, { key: 'Enter' })
    for (const text of ['混', '混凝土']) await rest(text)
    fireEvent.blur(box) // a record was looked at
    for (const text of ['混凝土', '银', '银行']) await rest(text)
    await back('混凝土')
    await rest('钢筋')
    await back('混凝土')
    await back('灌注桩')
    await back('从前') // the page began without a text
  })

  it('says where nothing is found, in both languages', async () => {
    answers[SEARCH] = { groups: [], left: [] }
    await setLocale('en')
    draw('/search?q=zzz')
    expect(await screen.findByText('No records match “zzz”')).toBeTruthy()
  })

  it('tells what was not searched in time, and goes on by a press', async () => {
    answers[SEARCH] = ({ search }: Call) =>
      search.get('thorough') === 'true'
        ? { groups: [{ ...group, more: false, begins: true }], left: [] }
        : { groups: [], left: [{ ...group, name: '函件' }] }
    draw('/search?q=灌')
    expect((await screen.findByText('以下记录未能及时搜索完：函件')).textContent).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: /继续搜索/ }))
    expect(await screen.findByRole('region', { name: '检验批' })).toBeTruthy()
    expect(screen.getByText('只输入一个字时，仅查找以它开头的名称。')).toBeTruthy()
    expect(screen.queryByText(/未能及时/)).toBeNull()
  })

  it('says what failed, and asks again', async () => {
    answers[SEARCH] = () => refuse(503, 100004, '服务暂不可用')
    draw('/search?q=灌')
    expect(await screen.findByText('服务暂不可用')).toBeTruthy()
    answers[SEARCH] = { groups: [{ ...group, appCode: '' }], left: [] }
    fireEvent.click(screen.getByRole('button', { name: /重 ?试/ }))
    expect(await screen.findByText('还有更多记录，请输入更完整的内容。')).toBeTruthy()
  })
})
