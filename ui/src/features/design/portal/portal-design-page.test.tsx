import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { NARROW } from '@/lib/use-media'
import { fakeDesk } from '@/testing/fake-desk'
import { fakeServer, refuse } from '@/testing/fake-server'
import { nameOf, wayOf } from '@/testing/ways'
import type { Drawing } from './drawing'
import { PortalDesignPage } from './portal-design-page'

const $ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const schema = {
  properties: {
    personal: { type: 'boolean', description: '每人可自行排列 / people may arrange it' },
    page: { properties: {} },
  },
  $defs: {
    title: { type: 'string', description: '标题 / the title' },
    titles: { type: 'object' },
    code: { type: 'string' },
    style: {
      properties: {
        borderStyle: { enum: ['none', 'solid', 'dashed'], description: '边框，默认 none / the border' },
        borderThickness: { type: 'number', minimum: 0, maximum: 50, description: '边框粗细 / border width' },
      },
      allOf: [
        {
          if: { not: { properties: { borderStyle: { enum: ['solid', 'dashed'] } }, required: ['borderStyle'] } },
          // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
          then: { properties: { borderThickness: false } },
        },
      ],
    },
    widget: { properties: { style: { ...$ref('style'), description: '外观 / the look' } } },
    navigation: {
      properties: {
        title: { type: 'string', maxLength: 20, description: '标题 / the title' },
        title_i18n: $ref('titles'),
        actionType: { enum: ['app', 'URL'], description: '点击动作 / click action' },
        isDefaultWorkbench: { type: 'boolean' },
      },
      required: ['title', 'actionType'],
      allOf: [
        {
          if: { properties: { actionType: { const: 'app' } }, required: ['actionType'] },
          // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
          then: {
            properties: { appCode: { type: 'string', description: '应用 / the application' } },
            required: ['appCode'],
          },
        },
        {
          if: { properties: { actionType: { const: 'URL' } }, required: ['actionType'] },
          // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
          then: { properties: { URL: { type: 'string', description: '地址 / an address' } }, required: ['URL'] },
        },
      ],
    },
    widget_RowMenu: {
      properties: { navigator: { type: 'array', items: $ref('navigation'), description: '导航项 / entries' } },
    },
    widget_Notice: { properties: { title: $ref('title'), title_i18n: $ref('titles') } },
    widget_Chart: { properties: { reportCode: $ref('code'), chartCode: $ref('code') } },
    widget_Lists: {
      properties: { dataSource: { enum: ['bizModel', 'myRead'], description: '数据来源 / data source' } },
      required: ['dataSource'],
    },
  },
}
const type = (code: string, zh: string, width: number, height: number) => ({
  type: code,
  label: { zh, i18n: { en: code } },
  group: 'content',
  width,
  height,
  container: false,
  holds: null,
  within: null,
  public: false,
})
const home = { title: '工作台', actionType: 'URL', isDefaultWorkbench: true, URL: '/x' }
const page = {
  name: '首页',
  zz: { kept: 'as it is' },
  widgets: [
    { type: 'RowMenu', code: 'menu', x: 0, y: 0, width: 12, height: 9, navigator: [home] },
    { type: 'FromElsewhere', code: 'odd', x: 0, y: 9, width: 6, height: 20, deep: { is: [1, 2] } },
  ],
}
const design = {
  published: 1,
  publishedPortalJson: JSON.stringify(page),
  draftPortalJson: null,
  types: [type('RowMenu', '横向导航', 12, 9), type('Notice', '通知', 6, 9), type('Lists', '文本', 6, 9)],
  schema,
  apps: [{ code: 'lock', label: { zh: '船闸' }, own: true }],
  portals: [],
  roles: [],
  workflows: [],
  models: [],
  reports: [],
  pictures: [],
}

const drawing: Drawing = {
  Around: ({ page, children }) => <div data-drawn={page !== null}>{children}</div>,
  Widget: ({ widget }) => <p>drawn {widget.id}</p>,
  View: () => <p>view of all</p>,
}

type Body = { text: string }
let answers: Record<string, unknown>
let desk: ReturnType<typeof fakeDesk>
let check: { diagnostics: object[]; ways: object[]; page: unknown }
/** The page that the server has. */
function serve(document: object) {
  desk = fakeDesk({
    kind: 'portal',
    code: 'defaultPortalDashboard',
    appCode: null,
    document,
    diagnostics: () => check.diagnostics,
    ways: () => check.ways,
    drawn: () => check.page,
  })
  answers = {
    ...desk.answers,
    '/api/portal/page/design': () => design,
    '/api/portal/page/designed': [],
  }
}
beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
beforeEach(() => {
  HTMLElement.prototype.scrollIntoView = () => {}
  localStorage.clear()
  check = { diagnostics: [], ways: [], page: null }
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
      unobserve() {}
    },
  )
  serve(page)
})
afterEach(cleanup)

/** A tablet has the page alone, which is drawn much sooner than all the panels. */
function open(width: 'wide' | 'tablet' | 'phone' = 'wide') {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches:
      width === 'wide'
        ? query.includes('min-width')
        : width === 'tablet'
          ? query === NARROW || query === '(min-width: 768px)'
          : query.includes('max-width'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  const server = fakeServer(answers)
  const router = createMemoryRouter(
    [{ path: '/portal-design/:pageCode', element: <PortalDesignPage drawing={drawing} /> }],
    { initialEntries: ['/portal-design/defaultPortalDashboard'] },
  )
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
  return server
}
const place = async (at: number) => {
  await waitFor(() => expect(document.querySelector(`[data-way="${at}"]`)).not.toBeNull())
  return document.querySelector(`[data-way="${at}"]`) as HTMLElement
}
const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })
const lastKept = () => desk.kept()
// By hand: looking for roles takes seconds on a page with so many controls.
const labelOf = (one: Element) => (one.getAttribute('aria-label') ?? one.textContent ?? '').replaceAll(' ', '')
const find = (name: string, of: ParentNode = document) =>
  [...of.querySelectorAll('button')].find((one) => labelOf(one) === name)
const button = async (name: string, of?: ParentNode) => {
  await waitFor(() => expect(find(name, of)).toBeDefined())
  return find(name, of) as HTMLButtonElement
}
const dialog = async () => {
  await waitFor(() => expect(document.querySelector('.ant-modal')).not.toBeNull())
  return document.querySelector('.ant-modal') as HTMLElement
}
/** Removes the second widget. */
const removeOne = async () => {
  ;(await place(1)).focus()
  await waitFor(() => expect(document.querySelector('[data-way="1"]')?.getAttribute('aria-current')).toBe('true'))
  press('Delete')
  await waitFor(() => expect(document.querySelector('[data-way="1"]')).toBeNull())
}
/** The lock has been answered: the palette can be used. */
const editing = () => waitFor(() => expect(document.querySelector('[role="tab"][aria-disabled="true"]')).toBeNull())
const panel = () => document.querySelector('[data-panel]') as HTMLElement

describe('the designer of portal pages', () => {
  it('adds by the palette, moves, grows and copies by keys; the server keeps the draft, and all else stays as it was', async () => {
    open()
    await place(1)
    await editing()
    fireEvent.click(await button('通知'))
    ;(await place(2)).focus()
    press('ArrowRight')
    press('ArrowRight', { shiftKey: true })
    press('ArrowDown', { shiftKey: true })
    press('d', { ctrlKey: true })
    await place(3)
    press('Delete')
    await waitFor(() => expect(document.querySelector('[data-way="3"]')).toBeNull())
    await waitFor(() => expect(lastKept().widgets.map((one: { height: number }) => one.height)).toEqual([9, 20, 10]))
    const { widgets, ...rest } = lastKept()
    expect(rest).toEqual({ name: '首页', zz: page.zz })
    expect(widgets.slice(0, 2)).toEqual(page.widgets)
    expect(widgets[2]).toMatchObject({ type: 'Notice', code: 'notice1', title: '通知', x: 1, width: 7, height: 10 })
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    await place(3)
  })

  it('leaves the focus where it was when the first drawing arrives, and has it beside what is removed at once', async () => {
    let drawn = (_: object) => {}
    answers['/api/design/check'] = () =>
      new Promise((resolve) => {
        drawn = resolve
      })
    const server = open('tablet')
    await editing()
    const second = await place(1)
    second.focus()
    await waitFor(() => expect(server.of('/api/design/check')).toHaveLength(1))
    expect(document.querySelector('[data-drawn="false"]')).not.toBeNull()
    drawn({ diagnostics: [], ways: [], seen: 's1', changedBy: '', drawn: { widgets: [], script: null } })
    await waitFor(() => expect(document.querySelector('[data-drawn="true"]')).not.toBeNull())
    expect(document.activeElement).toBe(second)
    press('Delete')
    expect(document.activeElement).toBe(await place(0))
  })

  it('says problems with the widget and the labels of its fields, and leads there', async () => {
    const lists = { type: 'Lists', code: 'todo', title: '待办', x: 0, y: 9, width: 6, height: 9 }
    serve({ ...page, widgets: [page.widgets[0], lists] })
    const said = (code: string, zh: string, pointer: string, repair = '') => ({
      file: 'portals/defaultPortalDashboard.json',
      line: 1,
      column: 1,
      severity: 'error',
      code,
      pointer,
      zh,
      en: zh,
      repair: { zh: repair, en: repair },
    })
    check.diagnostics = [
      said('SCHEMA003', '缺少键 "dataSource"', '/widgets/1', '补上 "dataSource"'),
      said('SCHEMA005', '"actionType" 不能是 "open"', '/widgets/0/navigator/0/actionType', '可用的值："app"、"URL"'),
      said('SCHEMA009', '"borderThickness" 不能大于 50', '/widgets/1/style/borderThickness'),
      said('PORTAL011', '部件伸出了 12 列的网格', '/widgets/1/width', 'x 与 width 之和至多 12'),
    ]
    open()
    fireEvent.click(await button('4个问题'))
    const list = await waitFor(() => {
      const found = [...document.querySelectorAll('.ant-popover li')].map((one) =>
        [...one.querySelectorAll('b, span, small')].map((part) => part.textContent),
      )
      expect(found).toHaveLength(4)
      return found
    })
    expect(list).toEqual([
      ['待办 · 文本', '“数据来源”还没有填写', '填写“数据来源”'],
      ['横向导航', '“导航项：1：点击动作”的值不可用', '可选：应用、地址'],
      ['待办 · 文本', '“外观：边框粗细”不能大于 50', ''],
      ['待办 · 文本', '部件超出页面右边', '向左移动，或减小宽度'],
    ])
  })

  it('has the script written in the page, with the problems at their lines, and says how it changed', async () => {
    answers['/api/design/check'] = ({ body }: { body: Body }) => ({
      diagnostics: body.text.includes('oops')
        ? [
            {
              file: 'portals/defaultPortalDashboard.json#scriptText',
              line: 2,
              column: 3,
              code: 'SCRIPT004',
              severity: 'error',
              zh: '语法有误',
              en: 'not valid',
              repair: {},
            },
          ]
        : [],
      seen: 's1',
      changedBy: '',
      ways: [],
      drawn: { widgets: [], script: null },
    })
    open()
    await editing()
    fireEvent.click(await screen.findByText('页面脚本'))
    fireEvent.click(screen.getByRole('button', { name: '编写脚本' }))
    const dialog = within(await screen.findByRole('dialog'))
    const text = dialog.getByLabelText<HTMLTextAreaElement>('脚本内容')
    expect(text.value).toContain('onPageEnter(event, page) {}')
    fireEvent.change(text, { target: { value: 'export default {\n  oops\n' } })
    fireEvent.click(await dialog.findByRole('button', { name: '第 2 行第 3 列' }))
    expect(text.selectionStart).toBe('export default {\n  '.length)
    expect(dialog.getByText('语法有误')).toBeDefined()
    fireEvent.change(text, { target: { value: 'export default { hooks: {} }\n' } })
    await dialog.findByText('没有问题')
    fireEvent.click(dialog.getByRole('button', { name: /^完 ?成$/ }))
    await waitFor(() => expect(lastKept().scriptText).toBe('export default { hooks: {} }\n'))
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: /^发 ?布$/ }).disabled).toBe(false),
    )
    fireEvent.click(screen.getByRole('button', { name: /^发 ?布$/ }))
    await screen.findByText('修改：页面脚本（新增 2 行，删除 0 行）')
    expect(screen.queryByText('修改：页面设置')).toBeNull()
  })

  it('shows the script to those who may not change it', async () => {
    serve({ ...page, scriptText: 'export default {}' })
    const opened = answers['/api/design/document'] as () => object
    answers['/api/design/document'] = () => ({ ...opened(), whole: false })
    open()
    await editing()
    fireEvent.click(await screen.findByText('页面脚本'))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '移除脚本' }).disabled).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: '查看脚本' }))
    expect((await screen.findByLabelText<HTMLTextAreaElement>('脚本内容')).readOnly).toBe(true)
  })

  it('publishes what differs, which is said before', async () => {
    const ways = [wayOf({ kind: 'page', label: { zh: '首页' }, people: [], roles: [nameOf('guest', '访客')] })]
    check.ways = ways
    const server = open('tablet')
    await removeOne()
    const publish = await button('发布')
    await waitFor(() => expect(publish.disabled).toBe(false))
    fireEvent.click(publish)
    const asked = await dialog()
    expect(asked.textContent).toContain('移除：FromElsewhere')
    expect(asked.textContent).toContain('公开页面“首页”无需登录即可打开，显示角色“访客”可见的数据')
    fireEvent.click(await button('发布', asked))
    await waitFor(() => expect(server.of('/api/design/publish')).toHaveLength(1))
    const [sent] = server.of('/api/design/publish').map(({ body }) => body as Body)
    expect(JSON.parse(sent?.text ?? '{}').widgets).toHaveLength(1)
  })

  it('edits navigation by its rules', async () => {
    open()
    fireEvent.click(await place(0))
    await waitFor(() => expect(within(panel()).getByText('工作台')).toBeTruthy())
    expect(find('移除“工作台”', panel()) ?? null).toBeNull()
    fireEvent.click(await button('工作台', panel()))
    expect(within(panel()).getByLabelText('标题')).toBeTruthy()
    expect(within(panel()).queryByLabelText('地址')).toBeNull()
    const add = await button('添加导航项', panel())
    fireEvent.click(add)
    await button('宫格导航02', panel())
    expect(within(panel()).queryByText('请输入所有必填字段')).toBeNull()
    const title = within(panel()).getByLabelText('标题')
    fireEvent.change(title, { target: { value: '一二三四五六七八九十一二三四五六七八九十多' } })
    fireEvent.blur(title, { relatedTarget: add })
    expect(within(panel()).getByText('请输入所有必填字段')).toBeTruthy()
    await waitFor(() => expect(lastKept().widgets[0].navigator).toHaveLength(2))
    expect([...lastKept().widgets[0].navigator[1].title]).toHaveLength(20)
    expect(lastKept().widgets[0].navigator[0]).toEqual(home)
  })

  it('chooses charts below their application and report, and leaves the workbench where it leads', async () => {
    const chart = { code: 'curve', label: { zh: '曲线' }, chartType: 'line' }
    const fixed = { title: '工作台', actionType: 'portalPage', portalCode: 'x', isDefaultWorkbench: true }
    serve({
      widgets: [
        { type: 'Chart', code: 'c', y: 0 },
        { type: 'RowMenu', code: 'm', y: 9, navigator: [fixed] },
      ],
    })
    answers['/api/portal/page/design'] = {
      ...design,
      types: [...design.types, type('Chart', '图表', 6, 9)],
      reports: [{ code: 'progress', label: { zh: '进度' }, appCode: 'lock', charts: [chart], dataSets: [] }],
    }
    open()
    fireEvent.click(await place(0))
    fireEvent.mouseDown(await within(panel()).findByLabelText('图表'))
    expect(await screen.findByText('船闸 / 进度')).toBeTruthy()
    fireEvent.click(screen.getByText('曲线'))
    await waitFor(() => expect(lastKept().widgets[0]).toMatchObject({ reportCode: 'progress', chartCode: 'curve' }))
    fireEvent.click(await place(1))
    fireEvent.click(await button('工作台', panel()))
    expect(within(panel()).getByLabelText('标题')).toBeTruthy()
    expect(within(panel()).queryByLabelText('点击动作')).toBeNull()
  })

  it('shows the thickness with a border only, and fixes the order of workflow sources', async () => {
    serve({
      widgets: [
        { type: 'Lists', code: 'l', dataSource: 'myRead', style: { borderStyle: 'solid', borderThickness: 2 } },
      ],
    })
    open()
    fireEvent.click(await place(0))
    expect((within(panel()).getByLabelText('排序字段') as HTMLInputElement).value).toBe('接收时间')
    expect((within(panel()).getByLabelText('排序方式') as HTMLInputElement).disabled).toBe(true)
    const thickness = within(panel()).getByLabelText('边框粗细')
    fireEvent.change(thickness, { target: { value: '-3' } })
    fireEvent.blur(thickness)
    await waitFor(() => expect(lastKept().widgets[0].style).toEqual({ borderStyle: 'solid', borderThickness: 0 }))
  })

  it('keeps a type that nobody knows', async () => {
    open()
    fireEvent.click(await place(1))
    await waitFor(() => expect(panel().textContent).toContain('没有“FromElsewhere”这种部件'))
  })

  it('can be read on a phone, without taking the lock; those without rights are told', async () => {
    check.page = { widgets: [], script: null }
    const server = open('phone')
    await screen.findByText('view of all')
    expect(screen.getByText(/设计请用至少 768 像素宽的窗口/)).toBeTruthy()
    expect(server.of('/api/design/lock')).toHaveLength(0)
    cleanup()
    answers['/api/design/document'] = () => refuse(403, 403001, '没有权限')
    open()
    await screen.findByText('您没有权限编辑此内容')
  })
})
