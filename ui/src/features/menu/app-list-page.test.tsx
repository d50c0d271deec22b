import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { type Call, fakeServer, refuse } from '@/testing/fake-server'
import { AppListPage } from './app-list-page'

const app = (code: string, name: string, en: string, group: string | null = null) => ({
  code,
  name,
  name_i18n: { en },
  group,
  group_i18n: {},
  logoUrl: null,
})
const page = (code: string, more: object = {}) => ({
  kind: 'page',
  place: 'lock',
  code,
  name: '',
  modelName: '',
  modelName_i18n: {},
  favorite: false,
  visitedTime: '2026-11-23T02:00:00Z',
  node: {
    id: `lock/${code}`,
    code,
    name: code,
    name_i18n: { en: `${code} page` },
    icon: null,
    type: 'BizModel',
    appCode: 'lock',
    parentId: null,
    openMode: null,
    pcUrl: null,
    queryCode: code,
    schemaCode: code,
    children: [],
  },
  ...more,
})
const record = {
  kind: 'record',
  place: 'contract',
  code: 'c1',
  name: '闸区合同',
  modelName: '合同',
  modelName_i18n: { en: 'Contract' },
  node: null,
  favorite: true,
  visitedTime: '2026-11-23T03:00:00Z',
}
const empty = {
  recentApps: [],
  favorites: [],
  pages: [],
  records: [],
  drafts: { content: [], totalElements: 0 },
  unread: { STATION: 0, COMMENT: 0 },
  messages: [],
  steps: [] as object[],
}

describe('the start page', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  beforeEach(async () => {
    await setLocale('zh')
    answers = {
      '/api/app/apppackage/list': [app('lock', '船闸工程', 'Ship lock', '工程'), app('org', '组织', 'Organization')],
      '/api/app/home': { ...empty, pages: [page('lots')], records: [record], favorites: [record] },
      '/api/app/home/favorite': ({ body }: Call) => ({ favorite: (body as { favorite: boolean }).favorite, most: 50 }),
      '/api/app/home/visit': null,
      '/api/system/config': { timezone: 'Asia/Shanghai' },
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = () =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter>
            <AppListPage />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  const names = () =>
    within(screen.getByRole('tabpanel'))
      .getAllByRole('link')
      .map((link) => link.textContent)

  it('has what was opened last, above all applications, by one call of its own', async () => {
    draw()
    await screen.findByText('闸区合同')
    expect(names()).toEqual(['闸区合同', 'lots'])
    expect(screen.getByRole('link', { name: '闸区合同' }).getAttribute('href')).toBe(
      '/form/detail?schemaCode=contract&key=c1',
    )
    expect(screen.getByRole('link', { name: 'lots' }).getAttribute('href')).toBe(
      '/application/lock/application-list/lots?code=lots&queryCode=lots',
    )
    expect(screen.getByText('船闸工程', { selector: 'a span' })).toBeTruthy()
    expect(server.of('/api/app/home')).toHaveLength(1)
    expect(screen.queryByText('开始使用')).toBeNull()
  })

  it('draws nothing before both answers are there, so nothing moves', async () => {
    let answer = (_: unknown) => {}
    answers['/api/app/home'] = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    draw()
    await waitFor(() => expect(server.of('/api/app/home')).toHaveLength(1))
    await waitFor(() => expect(server.of('/api/app/apppackage/list')).toHaveLength(1))
    expect(screen.queryByText('船闸工程')).toBeNull()
    answer(empty)
    expect(await screen.findByText('您最近打开的页面和记录会显示在这里。')).toBeTruthy()
    expect(screen.getByText('没有未读消息和草稿。')).toBeTruthy()
  })

  it('has the applications also when the rest fails', async () => {
    answers['/api/app/home'] = () => refuse(500, 999999, '未知错误')
    draw()
    expect(await screen.findByText('船闸工程')).toBeTruthy()
  })

  it('marks a page as a favorite, and says when there are too many', async () => {
    draw()
    fireEvent.click(await screen.findByRole('button', { name: '收藏“lots”' }))
    await waitFor(() =>
      expect(server.of('/api/app/home/favorite')[0]?.body).toEqual({
        kind: 'page',
        place: 'lock',
        code: 'lots',
        favorite: true,
      }),
    )
    answers['/api/app/home/favorite'] = { favorite: false, most: 50 }
    fireEvent.click(await screen.findByRole('button', { name: '收藏“lots”' }))
    expect(await screen.findByText('最多收藏 50 项，请先取消不再需要的收藏')).toBeTruthy()
  })

  it('switches to favorites by pointer and arrows', async () => {
    draw()
    const recent = await screen.findByRole('tab', { name: '最近' })
    fireEvent.keyDown(recent, { key: 'ArrowRight' })
    expect(names()).toEqual(['闸区合同'])
    expect(document.activeElement?.textContent).toBe('收藏')
  })

  it('leads an administrator to the next steps until they are dismissed', async () => {
    answers['/api/app/home'] = {
      ...empty,
      steps: [
        { code: 'people', done: false },
        { code: 'look', done: true },
      ],
    }
    draw()
    const step = await screen.findByRole('link', { name: /导入人员/ })
    expect(step.getAttribute('href')).toContain('/application/organisation/application-list/user?')
    expect(screen.getByRole('link', { name: /设置名称和标识/ }).textContent).toContain('已完成')
    fireEvent.click(screen.getByRole('button', { name: '不再显示' }))
    await waitFor(() => expect(screen.queryByText('开始使用')).toBeNull())
    expect(server.of('/api/app/home/visit')[0]?.body).toEqual({ kind: 'steps', place: '', code: '' })
  })

  it('shows an application in the same color in both languages, and its names in the language', async () => {
    draw()
    const tint = (name: string) =>
      screen
        .getByText(name, { selector: 'a > span' })
        .parentElement?.querySelector('[data-hue]')
        ?.getAttribute('data-hue')
    await screen.findByText('船闸工程', { selector: 'a > span' })
    const zh = tint('船闸工程')
    await setLocale('en')
    await screen.findByText('Ship lock', { selector: 'a > span' })
    expect(tint('Ship lock')).toBe(zh)
    expect(screen.getByRole('link', { name: 'lots page' })).toBeTruthy()
  })
})
