import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MenuNode } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { useMenuStore } from '../menu-store'
import { MenuList } from './menu-list'

const node = (code: string, more: Partial<MenuNode> = {}) =>
  ({
    id: `lock/${code}`,
    code,
    name: code,
    name_i18n: {},
    type: 'BizModel',
    appCode: 'lock',
    schemaCode: code,
    queryCode: code,
    children: [],
    parentId: null,
    openMode: null,
    pcUrl: null,
    icon: null,
    ...more,
  }) as unknown as MenuNode
const tree = [
  node('quality', {
    type: 'Folder',
    schemaCode: null,
    name: '质量',
    name_i18n: { en: 'Quality' },
    children: [node('lots', { name: '检验批', name_i18n: { en: 'Lots' }, parentId: 'lock/quality' })],
  }),
  node('wall', { type: 'Page', schemaCode: null, name: '大屏' }),
  node('bare', { type: 'Folder', schemaCode: null, name: '空' }),
]

describe('the side menu', () => {
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  beforeEach(async () => {
    await setLocale('zh')
    useMenuStore.setState({ closed: [] })
  })
  afterEach(cleanup)

  function draw(current: string | null = null, leads = false) {
    const router = createMemoryRouter([
      { path: '*', element: <MenuList nodes={tree} current={current} leads={leads} /> },
    ])
    render(
      <QueryClientProvider client={new QueryClient()}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>,
    )
    return router
  }
  const lines = () => [...document.querySelectorAll('li')].map((li) => li.textContent)
  const search = (text: string) => fireEvent.change(screen.getByLabelText('搜索菜单'), { target: { value: text } })

  it('has folders with what is in them, and none without', () => {
    draw()
    expect(lines()).toEqual(['质量', '检验批', '大屏'])
    fireEvent.click(screen.getByRole('button', { name: '质量' }))
    expect(lines()).toEqual(['质量', '大屏'])
    expect(screen.getByRole('button', { name: '质量' }).getAttribute('aria-expanded')).toBe('false')
  })

  it('leads to the first entry of a folder that is opened beside the page, and from nowhere away', () => {
    useMenuStore.setState({ closed: ['lock/quality'] })
    const router = draw(null, true)
    const folder = screen.getByRole('button', { name: '质量' })
    fireEvent.click(folder)
    expect(lines()).toEqual(['质量', '检验批', '大屏'])
    expect(router.state.location.pathname).toBe('/application/lock/application-list/lots')
    fireEvent.click(folder)
    expect(lines()).toEqual(['质量', '大屏'])
    expect(router.state.location.pathname).toBe('/application/lock/application-list/lots')
  })

  it('only opens and closes a folder by its arrow, by keys, and where the menu is the page itself', () => {
    useMenuStore.setState({ closed: ['lock/quality'] })
    const router = draw(null, true)
    const folder = screen.getByRole('button', { name: '质量' })
    fireEvent.click(folder.querySelector('[data-caret]') as Element)
    expect(lines()).toEqual(['质量', '检验批', '大屏'])
    fireEvent.keyDown(folder, { key: 'ArrowLeft' })
    expect(lines()).toEqual(['质量', '大屏'])
    fireEvent.keyDown(folder, { key: 'ArrowLeft' })
    expect(lines()).toEqual(['质量', '大屏'])
    fireEvent.keyDown(folder, { key: 'ArrowRight' })
    expect(lines()).toEqual(['质量', '检验批', '大屏'])
    cleanup()
    useMenuStore.setState({ closed: ['lock/quality'] })
    const page = draw()
    fireEvent.click(screen.getByRole('button', { name: '质量' }))
    expect([router, page].map((one) => one.state.location.pathname)).toEqual(['/', '/'])
  })

  it('marks what a search finds, and says when it finds nothing', async () => {
    draw()
    search('检验')
    expect(await screen.findByText('检验', { selector: 'mark' })).toBeTruthy()
    expect(lines()).toEqual(['质量', '检验批'])
    search('没有的')
    expect(screen.getByText('没有匹配“没有的”的菜单项')).toBeTruthy()
  })

  it('opens the first match by Enter', () => {
    const router = draw()
    search('检验')
    fireEvent.keyDown(screen.getByLabelText('搜索菜单'), { key: 'Enter', code: 'Enter', keyCode: 13 })
    expect(router.state.location.pathname).toBe('/application/lock/application-list/lots')
    expect(router.state.location.search).toBe('?parentId=lock%2Fquality&code=lots&queryCode=lots')
  })

  it('says that an entry has no address', async () => {
    const router = draw()
    fireEvent.click(screen.getByRole('button', { name: '大屏' }))
    expect(await screen.findByText('页面地址未设置，请联系管理员！')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/')
  })

  it('opens a page of another site, a new window and a design of a workflow beside the application', () => {
    const page = (code: string, pcUrl: string, openMode: string | null = null) =>
      node(code, { type: 'Page', schemaCode: null, queryCode: null, pcUrl, openMode })
    const router = createMemoryRouter([
      {
        path: '*',
        element: (
          <MenuList
            nodes={[
              page('site', 'https://bim.example/'),
              page('window', '/my-draft', 'NEW_PAGE_MODE'),
              page('design', '/workflow-design/lock/measure'),
              page('here', '/my-draft'),
            ]}
            current={null}
          />
        ),
      },
    ])
    render(
      <QueryClientProvider client={new QueryClient()}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>,
    )
    expect(screen.getAllByRole('link').map((one) => [one.textContent, one.getAttribute('target')])).toEqual([
      ['site', '_blank'],
      ['window', '_blank'],
      ['design', '_blank'],
      ['here', null],
    ])
    fireEvent.click(screen.getByRole('link', { name: 'here' }))
    expect(router.state.location.pathname).toBe('/my-draft')
  })

  it('ignores the entry that is open, whose folder opens by itself', () => {
    useMenuStore.setState({ closed: ['lock/quality'] })
    const router = draw('lock/lots')
    const open = screen.getByRole('link', { name: '检验批' })
    expect(open.getAttribute('aria-current')).toBe('page')
    fireEvent.click(open)
    expect(router.state.location.pathname).toBe('/')
  })

  it('has its names in the language', async () => {
    await setLocale('en')
    draw()
    expect(lines()).toEqual(['Quality', 'Lots', '大屏'])
  })
})
