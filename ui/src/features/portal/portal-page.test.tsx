import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { addPack } from '@/registry/registry'
import { definePack, defineWidget } from '@/sdk/pack'
import type { PortalParts } from '@/sdk/portal'
import { fakeServer, refuse } from '@/testing/fake-server'
import { PortalPage } from './portal-page'

const Nothing = () => null
const parts: PortalParts = { Chart: Nothing, Filters: Nothing, Value: Nothing }

const STYLE = {
  backgroundColor: null,
  backgroundImg: null,
  backgroundImgSrc: null,
  borderRadius: 'medium',
  borderStyle: 'none',
  borderThickness: 1,
  borderColor: null,
  textColor: null,
  textThickness: 'normal',
}
const PAPER = {
  size: 'fluid',
  width: 1200,
  padding: 16,
  backgroundColor: null,
  backgroundImg: null,
  backgroundImgSrc: null,
  overflow: 'auto',
  onEnter: null,
  onLeave: null,
}
let serial = 0
const widget = (type: string, options: object, more: object = {}) => ({
  id: `w${serial++}`,
  code: null,
  type,
  x: 0,
  y: 0,
  width: 6,
  height: 20,
  hidden: false,
  style: STYLE,
  options,
  widgets: null,
  problem: null,
  ...more,
})
const pageOf = (widgets: object[], more: object = {}) => ({
  portalCode: 'home',
  name: '工作台',
  name_i18n: { en: 'Workbench' },
  published: 1,
  fallback: false,
  appCode: null,
  mayEdit: false,
  mayArrange: false,
  arranged: false,
  script: null,
  page: PAPER,
  widgets,
  ...more,
})
const rows = (...names: string[]) => ({
  columns: [
    { propertyCode: 'name', propertyType: 0, name: '名称', name_i18n: { en: 'Name' } },
    { propertyCode: 'on', propertyType: 3, name: '日期', name_i18n: { en: 'Date' } },
  ],
  rows: names.map((name, i) => ({
    id: name,
    schemaCode: 'lot',
    to: `/form/detail?schemaCode=lot&key=${name}`,
    texts: [name, `2026-11-0${i + 1}`],
    values: [name, `2026-11-0${i + 1}`],
  })),
  more: false,
})

let fails = true
const Brittle = () => {
  if (fails) throw new Error('no')
  return <p>mended</p>
}

function Address() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

describe('a portal page', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    addPack(
      definePack({
        pack: 'brittle',
        widgets: [
          defineWidget({
            name: 'Brittle',
            label: { zh: '易碎', en: 'Brittle' },
            icon: 'alert',
            group: 'content',
            Widget: Brittle,
          }),
        ],
      }),
    )
  })
  beforeEach(async () => {
    await setLocale('zh')
    answers = {
      '/api/system/config': { name: 'Sluice', name_i18n: {}, timezone: 'Asia/Shanghai' },
      '/api/organization/user/info': { id: 'u1', name: '林', permissions: [] },
      '/api/runtime/interface/list': [],
      '/api/runtime/workitem/counts': { unfinished: 0, timeout: 0, unread: 0 },
    }
    server = fakeServer(answers)
    vi.stubGlobal(
      'EventSource',
      class {
        addEventListener() {}
        close() {}
      },
    )
  })

  function open(page: unknown, mode: 'runtime' | 'preview' = 'runtime') {
    answers['/api/runtime/portal/get'] = page
    const router = createMemoryRouter([
      {
        path: '*',
        element: (
          <App>
            <PortalPage portalCode="home" mode={mode} parts={parts} />
            <Address />
          </App>
        ),
      },
    ])
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
  }

  it('draws its widgets as people read them, and what fails stays in its box', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    answers['/api/runtime/portal/rows'] = rows('甲', '乙')
    open(
      pageOf([
        widget(
          'TextList',
          { title: '下面', dataSource: 'bizModel', moreTo: '/application/a/application-list/lot' },
          { y: 20 },
        ),
        widget('Brittle', {}, { x: 6 }),
        widget('Tide', {}),
        widget('Notice', { text: '停电' }, { problem: 'gone', x: 6, y: 20 }),
      ]),
    )
    expect(await screen.findByText('此部件显示失败')).toBeTruthy()
    expect(await screen.findByText('此版本不支持部件“Tide”')).toBeTruthy()
    expect(screen.getByText('此部件显示的内容已不存在')).toBeTruthy()
    const first = await screen.findByRole('link', { name: '甲' })
    const list = screen.getByRole('region', { name: '下面' })
    expect(first.getAttribute('href')).toBe('/form/detail?schemaCode=lot&key=甲')
    expect(within(list).getByRole('link', { name: '更多：下面' }).getAttribute('href')).toBe(
      '/application/a/application-list/lot',
    )
    const order = [...document.querySelectorAll('[data-widget]')].map((box) => box.getAttribute('data-type'))
    expect(order).toEqual(['Tide', 'Brittle', 'TextList', 'Notice'])
    fails = false
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(screen.getByText('mended')).toBeTruthy()
  })

  it('previews a draft that cannot be read under its banner, and says which widget is unfinished', async () => {
    open(() => refuse(409, 110005, '发布失败：1 个错误'), 'preview')
    expect(await screen.findByText('门户预览')).toBeTruthy()
    expect(await screen.findByText('发布失败：1 个错误')).toBeTruthy()
    cleanup()
    open(pageOf([widget('TextList', {}, { problem: 'unfinished' }), widget('Notice', { text: '停电' })]), 'preview')
    expect(await screen.findByText('部件“文本列表”尚未设置完整，完成后在此显示')).toBeTruthy()
    expect(await screen.findByText('停电')).toBeTruthy()
  })

  it('lists tasks by the time they came, whatever the document says', async () => {
    answers['/api/runtime/workitem/unread'] = { content: [], totalElements: 0 }
    open(pageOf([widget('TextList', { title: '待阅', dataSource: 'myUnread', sortRule: 'ascending', rowsShown: 4 })]))
    expect(await screen.findByText('暂无任务')).toBeTruthy()
    expect(server.of('/api/runtime/workitem/unread')[0]?.body).toEqual({ page: 0, size: 4, sort: '-receiveTime' })
    expect(screen.getByRole('link', { name: '更多：待阅' }).getAttribute('href')).toBe(
      '/workflow-center/my-unread-workitem',
    )
  })

  it('says which tab of the document it reads, and goes between tabs by keys', async () => {
    answers['/api/runtime/portal/rows'] = rows('甲')
    const tab = (title: string, at: number) => ({ title, dataSource: 'bizModel', tab: at })
    open(pageOf([widget('TabTextList', { tabs: [tab('一', 0), tab('三', 2)] }, { id: 'tabs' })]))
    const second = await screen.findByRole('tab', { name: '三' })
    fireEvent.keyDown(screen.getByRole('tab', { name: '一' }), { key: 'ArrowRight' })
    expect(document.activeElement).toBe(second)
    await waitFor(() => expect(server.of('/api/runtime/portal/rows')).toHaveLength(2))
    expect(server.of('/api/runtime/portal/rows').map(({ body }) => (body as { tab: number }).tab)).toEqual([0, 2])
  })

  it('keeps text as text: links of dangerous schemes and HTML lead nowhere', async () => {
    const text =
      '[own](/a) [far](https://b.example) [bad](javascript:alert(1)) [host](//evil.example)\n\n<b onclick="x()">raw</b>'
    open(pageOf([widget('RichText', { title: '说明', text })]))
    expect((await screen.findByRole('link', { name: 'own' })).getAttribute('href')).toBe('/a')
    const far = screen.getByRole('link', { name: 'far' })
    expect([far.getAttribute('href'), far.getAttribute('target'), far.getAttribute('rel')]).toEqual([
      'https://b.example',
      '_blank',
      'noopener noreferrer',
    ])
    expect(screen.getAllByRole('link')).toHaveLength(2)
    expect(screen.getByText('bad')).toBeTruthy()
    expect(document.querySelector('b')).toBeNull()
  })

  it('turns pictures by keys, by hand and by itself, but not while somebody is in them', async () => {
    const photo = (name: string) => ({ name, picUrlSrc: `/${name}.png`, to: `/${name}` })
    open(pageOf([widget('Carousel', { photos: [photo('a'), photo('b'), photo('c')], intervalSeconds: 1 })]))
    const region = await screen.findByRole('region', { name: '轮播图片' })
    const shown = () => region.querySelector('[data-shown] a')?.getAttribute('href')
    expect(shown()).toBe('/a')
    await waitFor(() => expect(shown()).toBe('/b'))
    fireEvent.mouseEnter(region)
    fireEvent.keyDown(region, { key: 'ArrowRight' })
    expect(shown()).toBe('/c')
    fireEvent.keyDown(region, { key: 'ArrowRight' })
    expect(shown()).toBe('/a')
    fireEvent.click(within(region).getByRole('button', { name: '上一张' }))
    expect(shown()).toBe('/c')
    expect(region.querySelectorAll('[inert]')).toHaveLength(2)
    expect(region.querySelector('[aria-live]')?.getAttribute('aria-live')).toBe('polite')
  })

  it('stays when it can’t be read again, unless it is gone', async () => {
    open(pageOf([widget('Notice', { text: '甲' })]))
    await screen.findByText('甲')
    const again = async (status: number) => {
      answers['/api/runtime/portal/get'] = () => refuse(status, 100500, '出错')
      const before = server.of('/api/runtime/portal/get').length
      focusManager.setFocused(false)
      focusManager.setFocused(true)
      await waitFor(() => expect(server.of('/api/runtime/portal/get').length).toBeGreaterThan(before))
    }
    await again(500)
    expect(await screen.findByText('甲')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    await again(404)
    expect(await screen.findByRole('alert')).toBeTruthy()
    focusManager.setFocused(undefined)
  })

  it('leads on by entries with their icons, in tiles of three sizes, lines and columns', async () => {
    const entries = [
      { title: '列表', actionType: 'bizModel', to: '/lists', targetIcon: 'calendar' },
      { title: '应用', actionType: 'app', to: '/application/a', logoSrc: '/logo.png' },
      { title: '外部', actionType: 'URL', to: 'https://b.example', external: true, openMode: 'newPage' },
    ]
    const more = { navigator: entries }
    open(
      pageOf([
        widget('GridNavigation', more),
        widget('GridNavigation', { ...more, componentTitle: '大图标', navigatorIconSize: 'big' }, { x: 6 }),
        widget('RowMenu', { ...more, title: '行' }, { y: 20 }),
        widget('ColMenu', { ...more, title: '列' }, { y: 30 }),
      ]),
    )
    const tiles = await screen.findByRole('region', { name: '宫格导航' })
    const sizes = (of: HTMLElement) =>
      [...of.querySelectorAll<HTMLElement>('li span[style]')].map((one) => one.style.width)
    expect(sizes(tiles)).toEqual(['44px', '44px', '44px'])
    expect(sizes(await screen.findByRole('region', { name: '大图标' }))).toEqual(['60px', '60px', '60px'])
    expect(tiles.querySelector('img')?.getAttribute('src')).toBe('/logo.png')
    for (const of of [
      tiles,
      await screen.findByRole('navigation', { name: '行' }),
      await screen.findByRole('navigation', { name: '列' }),
    ]) {
      const links = within(of).getAllByRole('link')
      expect(links.map((one) => one.getAttribute('href'))).toEqual(['/lists', '/application/a', 'https://b.example'])
      expect(links.map((one) => one.getAttribute('target'))).toEqual([null, null, '_blank'])
    }
  })

  it('has the applications that were chosen, in their order, and where somebody was lately', async () => {
    const app = (code: string) => ({ code, name: `应用${code}`, name_i18n: {}, logoUrl: null })
    const place = (code: string, visitedTime: string) => ({
      ...{ kind: 'record', place: 'lot', code, name: code, node: null, modelName: '检验批', modelName_i18n: {} },
      visitedTime,
    })
    answers['/api/app/apppackage/list'] = [app('a'), app('b'), app('c')]
    answers['/api/app/home'] = {
      pages: [place('旧', '2026-11-01T00:00:00Z')],
      records: [place('新', '2026-11-02T00:00:00Z')],
    }
    open(pageOf([widget('MyApplication', { apps: ['c', 'a', 'gone'] }), widget('ShortcutList', {}, { x: 6 })]))
    const names = async (title: string) => {
      const of = await screen.findByRole('region', { name: title })
      await waitFor(() => expect(within(of).getAllByRole('listitem')).toHaveLength(2))
      return within(of)
        .getAllByRole('listitem')
        .map((one) => one.querySelector('a')?.textContent?.slice(-3))
    }
    expect(await names('我的应用')).toEqual(['应用c', '应用a'])
    expect(await names('最近使用')).toEqual(['新', '旧'])
  })

  it('has sidebars of 106 pixels, between 48 and 500 where they are dragged, which fold', async () => {
    const side = (options: object) =>
      widget('LayoutSider', options, { widgets: [widget('RichText', { title: '边', text: '内容' })] })
    open(pageOf([widget('Layout', {}, { widgets: [side({}), side({ resizable: true, collapsible: true })] })]))
    const edge = await screen.findByRole('separator', { name: '侧栏宽度' })
    const box = edge.parentElement as HTMLElement
    expect(box.style.width).toBe('106px')
    expect([edge.getAttribute('aria-valuemin'), edge.getAttribute('aria-valuemax')]).toEqual(['48', '500'])
    fireEvent.keyDown(edge, { key: 'End' })
    expect(box.style.width).toBe('500px')
    fireEvent.keyDown(edge, { key: 'ArrowRight' })
    expect(box.style.width).toBe('500px')
    fireEvent.keyDown(edge, { key: 'Home' })
    fireEvent.keyDown(edge, { key: 'ArrowLeft' })
    expect(box.style.width).toBe('48px')
    expect(screen.getAllByText('内容')).toHaveLength(2)
    fireEvent.click(screen.getByRole('button', { name: '收起侧栏' }))
    expect(screen.getByRole('button', { name: '展开侧栏' }).getAttribute('aria-expanded')).toBe('false')
    expect(screen.queryByRole('separator')).toBeNull()
  })

  it('is a preview of the draft under a banner', async () => {
    open(pageOf([widget('Notice', { text: '草稿' })]), 'preview')
    expect(await screen.findByText('门户预览')).toBeTruthy()
    expect(server.of('/api/runtime/portal/get')[0]?.search.get('mode')).toBe('design')
  })

  it('tells those who may edit that it is not published, and nobody else', async () => {
    open(pageOf([widget('Notice', { text: '默认' })], { fallback: true, mayEdit: true }))
    expect(await screen.findByText('此门户尚未发布')).toBeTruthy()
  })

  it('says why there is none, above the page that every installation has', async () => {
    const standIn = (refused: () => unknown) => (call: { search: URLSearchParams }) =>
      call.search.get('portalCode') === 'builtInPortal'
        ? pageOf([widget('Notice', { text: '默认' })], { mayArrange: true, mayEdit: true, fallback: true })
        : refused()
    open(standIn(() => refuse(404, 307101, '页面不存在或无权查看')))
    expect((await screen.findByRole('alert')).textContent).toBe(
      '页面不存在它可能已被删除，或尚未发布。以下是系统默认页面。',
    )
    expect(await screen.findByText('默认')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '调整布局' })).toBeNull()
    cleanup()
    let fails = true
    const page = pageOf([widget('Notice', { text: '自己的' })])
    open(standIn(() => (fails ? refuse(500, 100500, '服务器出错') : page)))
    expect((await screen.findByRole('alert')).textContent).toContain('页面加载失败服务器出错以下是系统默认页面。')
    fails = false
    fireEvent.click(screen.getByRole('button', { name: /^重 ?试$/ }))
    expect(await screen.findByText('自己的')).toBeTruthy()
    expect(screen.queryByText('默认')).toBeNull()
  })

  it('says so alone where nothing else can be shown, and of a draft', async () => {
    open(() => refuse(404, 307101, '页面不存在或无权查看'))
    expect(await screen.findByRole('heading', { name: '页面不存在' })).toBeTruthy()
    cleanup()
    open(() => refuse(403, 403001, '没有权限'), 'preview')
    expect(await screen.findByRole('heading', { name: '没有权限' })).toBeTruthy()
    expect(server.of('/api/runtime/portal/get').at(-1)?.search.get('portalCode')).toBe('home')
  })

  it('is arranged by keys, hidden and shown again, and sent as a whole', async () => {
    answers['/api/runtime/portal/arrange'] = null
    const widgets = [
      widget('Notice', { text: '甲', title: '甲' }, { id: 'a', height: 10 }),
      widget('Notice', { text: '乙', title: '乙' }, { id: 'b', y: 10, height: 10 }),
      widget('Notice', { text: '丙', title: '丙' }, { id: 'c', x: 6, height: 10, hidden: true }),
    ]
    const list = widget('TextList', { title: '丁', dataSource: 'bizModel' }, { id: 'd', y: 100, height: 10 })
    answers['/api/runtime/portal/rows'] = rows()
    open(pageOf([...widgets, list], { mayArrange: true }))
    fireEvent.click(await screen.findByRole('button', { name: '调整布局' }))
    const move = await screen.findByRole('button', { name: /^移动“甲”/ })
    fireEvent.keyDown(move, { key: 'ArrowDown' })
    expect(screen.getByText('“甲”：第 1 列，第 11 行，宽 6 列，高 10 行')).toBeTruthy()
    fireEvent.keyDown(move, { key: 'ArrowRight', shiftKey: true })
    fireEvent.click(screen.getByRole('button', { name: '隐藏“乙”' }))
    fireEvent.click(screen.getByRole('button', { name: '显示“丙”' }))
    fireEvent.click(screen.getByRole('button', { name: '保存布局' }))
    await waitFor(() => expect(server.of('/api/runtime/portal/arrange')).toHaveLength(1))
    expect(server.of('/api/runtime/portal/arrange')[0]?.body).toEqual({
      portalCode: 'home',
      widgets: [
        { id: 'a', x: 0, y: 0, width: 7, height: 10, hidden: false },
        { id: 'b', x: 0, y: 10, width: 6, height: 10, hidden: true },
        { id: 'c', x: 0, y: 20, width: 6, height: 10, hidden: false },
        { id: 'd', x: 0, y: 10, width: 6, height: 10, hidden: false },
      ],
    })
    for (const { body } of server.of('/api/runtime/portal/rows')) expect(body).toHaveProperty('mode', 'runtime')
  })
})
