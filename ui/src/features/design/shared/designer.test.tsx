import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { NARROW } from '@/lib/use-media'
import { fakeDesk } from '@/testing/fake-desk'
import { fakeServer } from '@/testing/fake-server'
import { sampleModel } from '@/testing/print-model'
import { DesignPage } from '../design-page'
import { PaperPage } from '../paper/paper-page'
import type { Drawing } from '../portal/drawing'
import { PortalDesignPage } from '../portal/portal-design-page'

// What is the same in the designers of all kinds: each test runs over every kind.

const label = (zh: string) => ({ zh })
const drawing: Drawing = {
  Around: ({ children }) => <div>{children}</div>,
  Widget: ({ widget }) => <p>drawn {widget.id}</p>,
  View: () => <p>view of all</p>,
}

const kinds = [
  {
    kind: 'workflow' as const,
    code: 'approval',
    appCode: 'lock',
    document: {
      schemaCode: 'contract',
      name: '合同审批',
      nodes: [
        { id: 'start', type: 'START', name: '发起', next: ['check'] },
        { id: 'check', type: 'APPROVE', name: '审核', next: ['end'] },
        { id: 'end', type: 'END' },
      ],
    },
    path: '/workflow-design/:appCode/:code',
    at: '/workflow-design/lock/approval',
    address: '/workflow-design/lock/copied',
    element: <DesignPage />,
    route: '/workflow-design/:appCode/:workflowCode',
    part: () => document.querySelector<HTMLElement>('[data-node="check"]'),
    removed: '移除：审核',
    answers: {
      '/api/app/workflow/design': {
        appCode: 'lock',
        appLabel: label('船闸'),
        running: 0,
        models: [],
        roles: [],
        workflows: [],
        services: [],
        rules: [],
      },
      '/api/app/workflow/model': { schemaCode: 'contract', label: label('合同'), forms: [], properties: [] },
      '/api/app/workflow/people': [],
    },
  },
  {
    kind: 'print' as const,
    code: 'card',
    appCode: 'lock',
    document: {
      schemaCode: 'contract',
      name: '合同卡',
      pages: [{ elements: [{ eleType: 'text', left: 0, top: 0, widthValue: 60, text: '合同' }] }],
    },
    path: '/print-design/:appCode/:code',
    at: '/print-design/lock/card',
    address: '/print-design/lock/copied',
    element: <PaperPage />,
    route: '/print-design/:appCode/:printCode',
    part: () => document.querySelector<HTMLElement>('[data-element="0/0"]'),
    removed: '移除：文字：合同',
    answers: {
      '/api/app/print/design': {
        appCode: 'lock',
        appLabel: label('船闸'),
        models: [],
        prints: [],
        pictures: [],
        roles: [],
      },
      '/api/app/print/model': sampleModel,
      '/api/runtime/query/list': { content: [], totalElements: 0, aggregates: {}, next: null, previous: null },
    },
  },
  {
    kind: 'portal' as const,
    code: 'home',
    appCode: null,
    document: {
      name: '首页',
      widgets: [{ type: 'Notice', code: 'n', x: 0, y: 0, width: 6, height: 9, title: '通知' }],
    },
    path: '/portal-design/:code',
    at: '/portal-design/home',
    address: '/portal-design/copied',
    element: <PortalDesignPage drawing={drawing} />,
    route: '/portal-design/:pageCode',
    part: () => document.querySelector<HTMLElement>('[data-way="0"]'),
    removed: '移除：通知',
    answers: {
      '/api/portal/page/design': {
        published: 1,
        publishedPortalJson: null,
        draftPortalJson: null,
        types: [],
        schema: { properties: {}, $defs: {} },
        apps: [],
        portals: [],
        roles: [],
        workflows: [],
        models: [],
        reports: [],
        pictures: [],
      },
      '/api/portal/page/designed': [],
    },
  },
]

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
beforeEach(() => {
  HTMLElement.prototype.scrollIntoView = () => {}
  localStorage.clear()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
      unobserve() {}
    },
  )
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === NARROW || query === '(min-width: 768px)',
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
})
afterEach(cleanup)

const labelOf = (one: Element) => (one.getAttribute('aria-label') ?? one.textContent ?? '').replaceAll(' ', '')
const find = (name: string, of: ParentNode = document) =>
  [...of.querySelectorAll('button')].find((one) => labelOf(one) === name.replaceAll(' ', ''))
const button = async (name: string, of?: ParentNode) => {
  await waitFor(() => expect(find(name, of), name).toBeDefined())
  return find(name, of) as HTMLButtonElement
}
const press = async (name: string, of?: ParentNode) => fireEvent.click(await button(name, of))
const dialog = async () => {
  const all = await screen.findAllByRole('dialog')
  return all.at(-1) as HTMLElement
}
const title = () => document.querySelector('h1')?.textContent

describe.each(kinds)('the designer of a $kind', (of) => {
  const draws = { print: null, refused: '', noAddress: false }
  const make = (document: object | null = of.document) =>
    fakeDesk({ ...of, document, drawn: () => (of.kind === 'print' ? draws : null) })
  let desk: ReturnType<typeof make>
  const open = (at = of.at) => {
    const server = fakeServer({ ...of.answers, ...desk.answers })
    const router = createMemoryRouter([{ path: of.route, element: of.element }], { initialEntries: [at] })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>,
    )
    return { server, router }
  }
  const there = async () => {
    await waitFor(() => expect(of.part()).not.toBeNull())
    return of.part() as HTMLElement
  }
  const remove = async () => {
    const part = await there()
    part.focus()
    await new Promise((done) => setTimeout(done)) // what has the focus is chosen
    fireEvent.keyDown(of.part() as HTMLElement, { key: 'Delete' })
    await waitFor(() => expect(of.part()).toBeNull())
  }
  const others = { ...of.document, name: '李四的' }
  beforeEach(() => {
    desk = make()
  })

  it('takes the lock, keeps the draft, undoes and redoes, and begins with the draft the next time', async () => {
    const { server } = open()
    await remove()
    await screen.findByText('草稿已保存')
    expect(JSON.stringify(desk.kept())).not.toBe(JSON.stringify(of.document))
    expect(server.of('/api/design/lock')).toHaveLength(1)
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    await there()
    fireEvent.keyDown(window, { key: 'y', ctrlKey: true })
    await waitFor(() => expect(of.part()).toBeNull())
    await screen.findByText('草稿已保存')
    cleanup()
    await waitFor(() => expect(server.of('/api/design/unlock')).toHaveLength(1))
    open()
    await waitFor(() => expect(title()).toBe(of.document.name))
    await button('发布')
    expect(of.part()).toBeNull()
  })

  it('is read only while somebody else edits, and a take-over goes on with what they kept', async () => {
    desk.sheEdits()
    const { server } = open()
    const alert = await screen.findByText(/“李四”正在编辑/)
    const part = await there()
    part.focus()
    fireEvent.keyDown(part, { key: 'Delete' })
    expect(of.part()).not.toBeNull()
    expect((await button('发布')).disabled).toBe(true)
    desk.sheKeeps(others)
    await press('接手编辑', alert.parentElement as HTMLElement)
    await press('接手编辑', await dialog())
    await waitFor(() => expect(title()).toBe('李四的'))
    expect(server.of('/api/design/takeover')).toHaveLength(1)
    expect(desk.sent.kept).toHaveLength(0)
  })

  it('tells who took the lock over, keeps the changes in this browser, and goes on with a copy', async () => {
    const { router } = open()
    await there()
    await waitFor(() => expect(screen.queryByText(/正在编辑/)).toBeNull())
    await new Promise((done) => setTimeout(done, 50))
    desk.sheEdits()
    await remove()
    const alert = await screen.findByText(/“李四”接手了编辑，您的修改未能保存到服务器/, {}, { timeout: 3000 })
    const local = Object.keys(localStorage).find((key) => key.startsWith('unsent:')) ?? ''
    expect(localStorage.getItem(local)).toContain(of.document.name)
    await press('另存为新的一份', alert.parentElement as HTMLElement)
    const asked = await dialog()
    expect((within(asked).getByLabelText('中文名称') as HTMLInputElement).value).toBe(of.document.name)
    fireEvent.change(within(asked).getByLabelText('编码'), { target: { value: 'copied' } })
    const copy = fakeDesk({ ...of, code: 'copied', document: null, drawn: () => (of.kind === 'print' ? draws : null) })
    fakeServer({ ...of.answers, ...copy.answers })
    await press('开始设计', asked)
    await waitFor(() => expect(router.state.location.pathname).toBe(of.address))
    await waitFor(() => expect(copy.kept().name).toBe(of.document.name), { timeout: 3000 })
    expect(copy.sent.kept[0]).toMatchObject({ code: 'copied', new: true })
  })

  it('takes the lock again when another tab has given it back', async () => {
    const { server } = open()
    await there()
    await waitFor(() => expect(server.of('/api/design/lock')).toHaveLength(1))
    await new Promise((done) => setTimeout(done, 50))
    desk.iLeave()
    await remove()
    await screen.findByText('草稿已保存', {}, { timeout: 4000 })
    expect(server.of('/api/design/lock')).toHaveLength(2)
    expect(screen.queryByText(/接手了编辑/)).toBeNull()
  })

  it('asks nothing when what it published comes back with its keys in another order', async () => {
    open()
    await remove()
    const publish = await button('发布')
    await waitFor(() => expect(publish.disabled).toBe(false), { timeout: 3000 })
    fireEvent.click(publish)
    await press('发布', await dialog())
    await waitFor(() => expect(desk.published()).not.toEqual(of.document))
    desk.iLeave()
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    await screen.findByText('草稿已保存', {}, { timeout: 4000 })
    expect(screen.queryByText(/修改了草稿/)).toBeNull()
  })

  it('asks which draft holds when the other one was changed meanwhile', async () => {
    open()
    await there()
    await new Promise((done) => setTimeout(done, 50))
    desk.sheEdits()
    await remove()
    const alert = await screen.findByText(/“李四”接手了编辑/, {}, { timeout: 3000 })
    desk.sheKeeps(others)
    await press('接手编辑', alert.parentElement as HTMLElement)
    await press('接手编辑', await dialog())
    const question = await screen.findByText(/“李四”修改了草稿/)
    expect(desk.sent.kept).toHaveLength(0)
    await press('用我的修改', question.parentElement as HTMLElement)
    await waitFor(() => expect(desk.kept().name).toBe(of.document.name), { timeout: 3000 })
  })

  it('publishes what differs, which is said before; nothing over what was published meanwhile', async () => {
    open()
    await remove()
    const publish = await button('发布')
    await waitFor(() => expect(publish.disabled).toBe(false), { timeout: 3000 })
    fireEvent.click(publish)
    let asked = await dialog()
    expect(asked.textContent).toContain(of.removed)
    desk.shePublishes(others)
    await press('发布', asked)
    await screen.findAllByText(/“李四”此后发布了新的内容/)
    expect(desk.published()).toEqual(others)
    cleanup()
    localStorage.clear()
    await waitFor(() => expect(desk.draft()).not.toBeNull())
    open()
    await screen.findByText('草稿开始之后，又有新的发布')
    await press('继续使用草稿')
    const again = await button('发布')
    await waitFor(() => expect(again.disabled).toBe(false), { timeout: 3000 })
    fireEvent.click(again)
    asked = await dialog()
    await press('发布', asked)
    await waitFor(() => expect(desk.published().name).toBe(of.document.name))
    expect(desk.draft()).toBeNull()
  })

  it('discards the draft, and offers nothing of it again', async () => {
    const { server } = open()
    await remove()
    await screen.findByText('草稿已保存')
    await press('放弃草稿')
    await press('放弃草稿', await dialog())
    await there()
    expect(server.of('/api/design/discard')).toHaveLength(1)
    expect(desk.draft()).toBeNull()
    expect(screen.queryByText('草稿已保存')).toBeNull()
  })

  it('lists versions and what others left behind, compares them, and loads one', async () => {
    desk.shePublishes({ ...of.document, name: '第二版' })
    desk.sheLeft(others)
    open()
    await there()
    await press('历史版本')
    const list = await dialog()
    await within(list).findByText('版本 2')
    await press('与现在的内容比较: 版本 2', list)
    await within(list).findByText('与现在的内容相同')
    await press('与现在的内容比较: “李四”留下的草稿', list)
    await waitFor(() => expect(within(list).getByText(/设置/)).toBeTruthy())
    await press('载入: 随应用提供的版本', list)
    await waitFor(() => expect(title()).toBe(of.document.name))
    await waitFor(() => expect(desk.kept().name).toBe(of.document.name), { timeout: 3000 })
  })

  it('shows a draft that cannot be read, and says where there is nothing', async () => {
    desk.iKept('{"widgets": [')
    open()
    await screen.findByText('服务器上的草稿无法读取')
    expect((screen.getByLabelText('草稿的文本') as HTMLTextAreaElement).value).toBe('{"widgets": [')
    await press('放弃草稿')
    await there()
    cleanup()
    desk = make(null)
    open()
    if (of.kind === 'portal') await waitFor(() => expect(title()).toBe(of.code))
    else await screen.findByText('没有此内容')
  })
})
