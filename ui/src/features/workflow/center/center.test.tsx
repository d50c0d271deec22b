import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { WorkItem } from '@/sdk/work-items'
import { fakeServer, refuse } from '@/testing/fake-server'
import { makeInstance, makeItem } from '../fixtures'
import { DelegationPage } from '../settings/delegation-page'
import { StartPage } from '../task/start-page'
import { CenterMenu } from './center-menu'
import { MinePage, QueryPage } from './instance-page'
import { ItemsPage } from './items-page'

const page = <T,>(...content: T[]) => ({ content, totalElements: content.length })
const startable = (workflowCode: string, name: string) => ({
  workflowCode,
  name,
  name_i18n: {},
  appCode: 'lock',
  schemaCode: 'period',
  sheetCode: 'period',
})

function Address() {
  const { pathname, search } = useLocation()
  return <p data-testid="address">{pathname + search}</p>
}

/** The window is as wide as the test says. */
const width = { px: 1440 }
const narrower = (query: string) => width.px <= Number(/max-width: (\d+)/.exec(query)?.[1] ?? 0)

describe('the workflow center', { timeout: 60_000 }, () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    await setLocale('zh')
  })
  beforeEach(() => {
    width.px = 1440
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: narrower(query),
      media: query,
      addEventListener: () => {},
      removeEventListener: () => {},
    }))
    vi.stubGlobal(
      'EventSource',
      class extends EventTarget {
        close() {}
      },
    )
    answers = {
      '/api/organization/user/info': { id: 'u0', name: '张三', permissions: [] },
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/runtime/workitem/counts': { unfinished: 3, timeout: 1, unread: 2 },
      '/api/runtime/workflow/start_list': {
        groups: [
          {
            appCode: 'lock',
            name: '船闸工程',
            name_i18n: {},
            workflows: [startable('measure', '计量期审批'), startable('change', '变更申请')],
          },
        ],
        common: [startable('change', '变更申请')],
        recent: [],
      },
      '/api/runtime/workflow/known': [
        { workflowCode: 'measure', name: '计量期审批', name_i18n: {} },
        { workflowCode: 'change', name: '变更申请', name_i18n: {} },
      ],
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = (path: string, look: 'side' | 'row' = 'side') =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[`/workflow-center/${path}`]}>
            <CenterMenu look={look} width={240} edge={<i data-edge />} />
            <Routes>
              <Route path="/workflow-center/my-unfinished-workitem" element={<ItemsPage kind="unfinished" />} />
              <Route path="/workflow-center/my-finished-workitem" element={<ItemsPage kind="finished" />} />
              <Route path="/workflow-center/my-unread-workitem" element={<ItemsPage kind="unread" />} />
              <Route path="/workflow-center/my-workflow" element={<MinePage />} />
              <Route path="/workflow-center/query-instance" element={<QueryPage />} />
              <Route path="/workflow-center/start-workflow" element={<StartPage />} />
              <Route path="/workflow-center/delegation-workflow" element={<DelegationPage />} />
              <Route path="*" element={null} />
            </Routes>
            <Address />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  const lastAsked = (path: string) => server.of(path).at(-1)?.body
  const choose = async (label: string, option: string) => {
    fireEvent.mouseDown(screen.getByRole('combobox', { name: label }))
    fireEvent.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }))
  }

  it('has a menu that stays with the application of the address, and counts its tasks', async () => {
    answers['/api/runtime/workitem/unfinished'] = page(makeItem('a'))
    draw('my-unfinished-workitem?appCode=lock')
    await screen.findByText('计量 a')
    const menu = within(screen.getByRole('navigation'))
    expect(menu.getByRole('link', { name: /已办/ }).getAttribute('href')).toBe(
      '/workflow-center/my-finished-workitem?appCode=lock',
    )
    expect(menu.getByRole('link', { name: '流程委托' }).getAttribute('href')).toBe(
      '/workflow-center/delegation-workflow',
    )
    expect(server.of('/api/runtime/workitem/unfinished')[0]?.body).toMatchObject({ appCode: 'lock' })
    expect(server.of('/api/runtime/workitem/counts').some(({ search }) => search.get('appCode') === 'lock')).toBe(true)
  })
  it('has a menu with what waits, and asks only for pages that people may open', async () => {
    draw('none')
    const menu = screen.getByRole('navigation', { name: '流程中心菜单' })
    await within(menu).findByRole('link', { name: '待办，3 项' })
    expect(
      within(menu)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['待办 3', '已办', '待阅 2', '已阅', '我发起的', '发起流程', '流程委托'])
  })

  it('lists tasks with what is unusual about them', async () => {
    answers['/api/runtime/workitem/unfinished'] = page(
      makeItem('w1', { overdue: true, urgeCount: 2, dueTime: '2026-11-21T01:00:00Z' }),
      makeItem('w2', { workItemType: 'FORWARD', delegatedBy: { id: 'u9', name: '王五', imgUrl: null } }),
    )
    draw('my-unfinished-workitem')
    const link = await screen.findByRole('link', { name: '计量 w1' })
    expect(link.getAttribute('href')).toBe('/form/detail?workItemId=w1&workflowInstanceId=i-w1')
    const row = link.closest('tr') as HTMLElement
    for (const text of [
      '已超时',
      '已催办 2 次',
      '计量期审批',
      '专业监理',
      '李四',
      '2026-11-20 09:00',
      '2026-11-21 09:00',
    ])
      within(row).getByText(text)
    const other = screen.getByRole('link', { name: '计量 w2' }).closest('tr') as HTMLElement
    within(other).getByText('转办')
    within(other).getByText('由 王五 委托')
  })

  it('says which finished tasks can be taken back', async () => {
    answers['/api/runtime/workitem/finished'] = page(
      makeItem('w1', { state: 'DONE', canWithdraw: true }),
      makeItem('w2', { state: 'DONE' }),
    )
    draw('my-finished-workitem')
    await waitFor(() => expect(screen.getAllByText('可取回')).toHaveLength(1))
  })

  it('narrows by text, workflow and time, and says when nothing is left', async () => {
    answers['/api/runtime/workitem/unfinished'] = ({ body }: { body: { searchword?: string } }) =>
      body.searchword ? page() : page(makeItem('w1'))
    draw('my-unfinished-workitem')
    await screen.findByRole('link', { name: '计量 w1' })
    await choose('流程', '变更申请')
    await waitFor(() => expect(lastAsked('/api/runtime/workitem/unfinished')).toMatchObject({ workflowCode: 'change' }))
    await choose('排序', '最早到期')
    fireEvent.click(screen.getByRole('checkbox', { name: '仅看超时' }))
    await waitFor(() =>
      expect(lastAsked('/api/runtime/workitem/unfinished')).toEqual({
        page: 0,
        size: 20,
        sort: 'dueTime',
        workflowCode: 'change',
        timeout: true,
      }),
    )
    const box = screen.getByRole('searchbox', { name: '搜索流程名称' })
    fireEvent.change(box, { target: { value: '没有' } })
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
    await screen.findByText('没有符合条件的流程')
    fireEvent.click(screen.getByRole('button', { name: '清除条件' }))
    await screen.findByRole('link', { name: '计量 w1' })
    expect(lastAsked('/api/runtime/workitem/unfinished')).toEqual({ page: 0, size: 20, sort: 'dueTime' })
  })

  it('says what is empty, and what could not be loaded', async () => {
    answers['/api/runtime/workitem/finished'] = () => refuse(500, 100099, '出错了')
    draw('my-finished-workitem')
    await screen.findByText('出错了')
    answers['/api/runtime/workitem/finished'] = page()
    fireEvent.click(screen.getByRole('button', { name: /重\s?试/ }))
    await screen.findByText('暂无已办')
  })

  it('agrees to several tasks whose nodes allow it, and names those that failed', async () => {
    answers['/api/runtime/workitem/unfinished'] = page(
      makeItem('w1', { batch: true }),
      makeItem('w2', { batch: true }),
      makeItem('w3'),
    )
    answers['/api/runtime/workitem/agree_all'] = [
      { workItemId: 'w1', errcode: 0, errmsg: '' },
      { workItemId: 'w2', errcode: 403052, errmsg: '该任务需要单独处理' },
    ]
    draw('my-unfinished-workitem')
    await screen.findByRole('link', { name: '计量 w3' })
    expect(screen.queryByRole('checkbox', { name: '选择“计量 w3”' })).toBeNull()
    fireEvent.click(screen.getByRole('checkbox', { name: '选择全部可批量同意的任务' }))
    screen.getByText('已选 2 项')
    fireEvent.click(screen.getByRole('button', { name: '批量同意' }))
    const dialog = await screen.findByRole('dialog')
    within(dialog).getByText('同意 2 项任务？')
    fireEvent.change(within(dialog).getByLabelText('处理意见'), { target: { value: '同'.repeat(201) } })
    fireEvent.click(within(dialog).getByRole('button', { name: /^同\s?意$/ }))
    within(dialog).getByText('超出 1 个字，最多 200 个字')
    expect(server.of('/api/runtime/workitem/agree_all')).toHaveLength(0)
    fireEvent.change(within(dialog).getByLabelText('处理意见'), { target: { value: '同意' } })
    fireEvent.click(within(dialog).getByRole('button', { name: /^同\s?意$/ }))
    await within(dialog).findByText('该任务需要单独处理')
    within(dialog).getByText('计量 w2')
    expect(lastAsked('/api/runtime/workitem/agree_all')).toEqual({ ids: ['w1', 'w2'], opinion: '同意' })
    expect(server.of('/api/runtime/workitem/unfinished').length).toBeGreaterThan(1)
  })

  it('marks copies as read, one or all', async () => {
    let left: WorkItem[] = [
      makeItem('w1', { workItemType: 'CIRCULATE' }),
      makeItem('w2', { workItemType: 'CIRCULATE' }),
    ]
    answers['/api/runtime/workitem/unread'] = () => page(...left)
    answers['/api/runtime/workitem/mark_read'] = ({ body }: { body: { ids: string[] } }) => {
      left = left.filter((item) => !body.ids.includes(item.workItemId))
      return null
    }
    answers['/api/runtime/workitem/mark_read_all'] = () => {
      left = []
      return null
    }
    draw('my-unread-workitem')
    fireEvent.click(await screen.findByRole('button', { name: '将“计量 w1”标为已阅' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: '计量 w1' })).toBeNull())
    fireEvent.click(screen.getByRole('button', { name: '全部标为已阅' }))
    await screen.findByText('暂无待阅')
  })

  it('shows the same as cards on a phone', async () => {
    width.px = 390
    answers['/api/runtime/workitem/finished'] = page(
      makeItem('w1', { state: 'DONE', result: 'agree', finishTime: '2026-11-22T02:00:00Z' }),
    )
    draw('my-finished-workitem')
    const card = (await screen.findByRole('link', { name: '计量 w1' })).closest('li') as HTMLElement
    within(card).getByText('同意')
    within(card).getByText('2026-11-22 10:00')
    within(card).getByText('计量期审批 · 专业监理 · 李四 · 进行中')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it.each(['my-unfinished-workitem', 'my-workflow'])('shows cards where columns would be cut: %s', async (path) => {
    width.px = 1024
    const late = makeItem('i1', { dueTime: '2026-11-24T02:00:00Z', overdue: true })
    answers['/api/runtime/workitem/unfinished'] = page(late)
    const summary = [{ propertyCode: 'amount', name: '金额', name_i18n: {}, text: '5,000.00' }]
    answers['/api/runtime/workflow/mine'] = page(makeInstance('i1', { canUrge: true, summary }))
    draw(path)
    const card = (await screen.findByRole('link', { name: '计量 i1' })).closest('li') as HTMLElement
    if (path === 'my-workflow') {
      within(card).getByRole('button', { name: '催办 计量 i1' })
      within(card).getByText('5,000.00', { exact: false })
    } else within(card).getByText('2026-11-24 10:00 到期')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('brings the open page of a menu above the pages into sight', async () => {
    const places = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: HTMLElement,
    ) {
      const open = this.hasAttribute('aria-current')
      const left = open ? 900 - (this.closest('ul')?.scrollLeft ?? 0) : 0
      return { left, width: open ? 100 : 390 } as DOMRect
    })
    answers['/api/runtime/workflow/mine'] = page()
    draw('my-workflow', 'row')
    const menu = (await screen.findByRole('link', { name: '我发起的' })).closest('ul') as HTMLElement
    expect(menu.scrollLeft).toBe(755)
    places.mockRestore()
  })

  it('takes back, reminds of and voids what one has started, after a question', async () => {
    answers['/api/runtime/workflow/mine'] = page(
      makeInstance('i1', {
        canRevoke: true,
        canUrge: true,
        canVoid: true,
        summary: [{ propertyCode: 'amount', name: '金额', name_i18n: {}, text: '5,000.00' }],
      }),
      makeInstance('i2', { state: 'COMPLETED', result: 'REJECTED', current: [] }),
      makeInstance('i3', { state: 'DRAFT', current: [] }),
    )
    answers['/api/runtime/workflow/void'] = null
    answers['/api/runtime/workflow/urge'] = () => refuse(429, 402020, '请在 5 分钟后再催办')
    draw('my-workflow')
    const row = (await screen.findByRole('link', { name: '计量 i1' })).closest('tr') as HTMLElement
    within(row).getByText('张三')
    expect(within(row).getByText('金额').parentElement?.textContent).toBe('金额 5,000.00')
    within(screen.getByRole('link', { name: '计量 i2' }).closest('tr') as HTMLElement).getByText('未通过')
    expect(screen.getByRole('link', { name: '重新发起“计量 i3”' }).getAttribute('href')).toBe(
      '/form/detail?startWorkflowCode=measure&key=r1',
    )
    expect(within(row).queryByRole('button', { name: /^作废/ })).toBeNull() // never the loudest
    fireEvent.click(within(row).getByRole('button', { name: '更多操作 计量 i1' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: '作废' }))
    const dialog = await screen.findByRole('dialog')
    within(dialog).getByText('作废“计量 i1”？')
    expect(server.of('/api/runtime/workflow/void')).toHaveLength(0)
    const words = within(dialog).getByLabelText('处理意见') as HTMLTextAreaElement
    fireEvent.change(words, { target: { value: '错'.repeat(205) } })
    fireEvent.click(within(dialog).getByRole('button', { name: /^作\s?废$/ }))
    within(dialog).getByText('超出 5 个字，最多 200 个字')
    expect(words.value).toHaveLength(205)
    expect(document.activeElement).toBe(words)
    expect(server.of('/api/runtime/workflow/void')).toHaveLength(0)
    fireEvent.change(words, { target: { value: '填错了' } })
    fireEvent.click(within(dialog).getByRole('button', { name: /^作\s?废$/ }))
    await screen.findByText('已作废', { selector: '.ant-message *' })
    expect(lastAsked('/api/runtime/workflow/void')).toEqual({ workflowInstanceId: 'i1', opinion: '填错了' })
    fireEvent.click(within(row).getByRole('button', { name: '催办 计量 i1' }))
    const urging = (await screen.findByText('催办“计量 i1”？')).closest('[role="dialog"]') as HTMLElement
    fireEvent.click(within(urging).getByRole('button', { name: /^催\s?办$/ }))
    await screen.findByText('请在 5 分钟后再催办')
    await choose('状态', '进行中')
    await waitFor(() => expect(lastAsked('/api/runtime/workflow/mine')).toMatchObject({ state: 'PROCESSING' }))
  })

  it('opens all workflows to those who administer them only', async () => {
    answers['/api/runtime/workitem/unfinished'] = page()
    answers['/api/runtime/workflow/query'] = page(makeInstance('i1', { state: 'EXCEPTION', canRetry: true }))
    draw('query-instance')
    await screen.findByText('暂无待办')
    expect(screen.getByTestId('address').textContent).toBe('/workflow-center/my-unfinished-workitem')
    expect(server.of('/api/runtime/workflow/query')).toHaveLength(0)
    cleanup()
    answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: ['SYS_MNG'] }
    answers['/api/runtime/workitem/participants'] = [{ id: 'u1', name: '李四', detail: '', disabled: false }]
    answers['/api/runtime/workitem/people'] = page({
      id: 'd1',
      name: '一标',
      detail: '建设公司',
      type: 1,
      imgUrl: null,
      leaf: true,
    })
    draw('query-instance?startFrom=2026-11-01&startTo=2026-11-30')
    const row = (await screen.findByRole('link', { name: '计量 i1' })).closest('tr') as HTMLElement
    within(row).getByText('异常')
    within(row).getByRole('button', { name: '重试 计量 i1' })
    expect(lastAsked('/api/runtime/workflow/query')).toEqual({
      page: 0,
      size: 20,
      startFrom: '2026-10-31T16:00:00.000Z',
      startTo: '2026-11-30T15:59:59.999Z',
    })
    const from = screen.getByLabelText('发起日期从') as HTMLInputElement
    fireEvent.focus(from)
    fireEvent.change(from, { target: { value: '上个月' } })
    fireEvent.blur(from)
    screen.getByText(/^请输入日期，如 2026-11-25 或 1125.*未生效/)
    expect(from.value).toBe('上个月')
    await waitFor(() => expect(lastAsked('/api/runtime/workflow/query')).not.toHaveProperty('startFrom'))
    await choose('发起人', '李四')
    await waitFor(() => expect(lastAsked('/api/runtime/workflow/query')).toMatchObject({ originator: 'u1' }))
    cleanup()
    draw('query-instance?participant=u1&departmentId=d1')
    await screen.findByText('一标 · 建设公司') // by what the address says
    expect(lastAsked('/api/runtime/workflow/query')).toEqual({
      page: 0,
      size: 20,
      participant: 'u1',
      departmentId: 'd1',
    })
    expect(server.of('/api/runtime/workitem/people').at(-1)?.search.get('departmentId')).toBe('d1')
  })

  it('offers what one may start, the common ones first', async () => {
    draw('start-workflow')
    const common = await screen.findByRole('region', { name: '常用流程' })
    expect(within(common).getByRole('link').getAttribute('href')).toBe('/form/detail?startWorkflowCode=change')
    const group = screen.getByRole('region', { name: '船闸工程' })
    expect(within(group).getAllByRole('link')).toHaveLength(2)
    fireEvent.change(screen.getByRole('searchbox', { name: '搜索流程' }), { target: { value: '计量' } })
    expect(screen.queryByRole('region', { name: '常用流程' })).toBeNull()
    expect(screen.getAllByRole('link', { name: /计量期审批/ })).toHaveLength(1)
    fireEvent.change(screen.getByRole('searchbox', { name: '搜索流程' }), { target: { value: 'xyz' } })
    screen.getByText('没有名称包含“xyz”的流程')
  })

  it('says when there is nothing to start', async () => {
    answers['/api/runtime/workflow/start_list'] = { groups: [], common: [], recent: [] }
    draw('start-workflow')
    await screen.findByText('暂无可发起的流程')
  })

  it('warns an administrator, who starts no workflow', async () => {
    answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: ['ADMIN'] }
    answers['/api/runtime/workflow/start_list'] = { groups: [], common: [], recent: [] }
    draw('start-workflow')
    await screen.findByText('管理员账号不发起流程')
  })

  describe('delegations', () => {
    const person = (id: string, name: string) => ({ id, name, imgUrl: null })
    const delegation = {
      id: 'd1',
      from: person('u0', '张三'),
      to: person('u7', '孙七'),
      workflowCodes: ['change'],
      workflows: [{ workflowCode: 'change', name: '变更申请', name_i18n: {} }],
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-01-01T00:00:00Z',
      enabled: true,
      initiatorDepts: [{ id: 'd9', name: '工程部' }],
      keepCopy: true,
      moveOpen: true,
      returnOpen: false,
      mine: true,
      active: true,
    }
    beforeEach(() => {
      answers['/api/runtime/delegation'] = []
      answers['/api/runtime/workitem/delegated'] = page()
      answers['/api/runtime/workitem/people'] = {
        content: [{ id: 'u7', name: '孙七', imgUrl: null, type: 3, detail: null, leaf: true }],
        totalElements: 1,
      }
    })

    it('are made by typing, and say what is missing and why one was refused', async () => {
      draw('delegation-workflow')
      await screen.findByText('没有委托')
      fireEvent.click(screen.getByRole('button', { name: '新建委托' }))
      const dialog = await screen.findByRole('dialog')
      fireEvent.click(within(dialog).getByRole('button', { name: /保 ?存/ }))
      expect(within(dialog).getAllByText('请填写日期和时间')).toHaveLength(2)
      expect(server.of('/api/runtime/delegation').filter(({ body }) => body)).toHaveLength(0)
      const who = within(dialog).getByRole('combobox', { name: '受托人' })
      expect(document.activeElement).toBe(who)
      fireEvent.mouseDown(who)
      fireEvent.change(who, { target: { value: '孙' } })
      fireEvent.click(await screen.findByText('孙七', { selector: '.ant-select-item-option-content *' }))
      const type = (label: string, text: string) => {
        const box = within(dialog).getByLabelText(new RegExp(`^${label}`))
        fireEvent.focus(box)
        fireEvent.change(box, { target: { value: text } })
        fireEvent.blur(box)
      }
      fireEvent.click(within(dialog).getByRole('switch', { name: '移交已有任务' }))
      const departments = within(dialog).getByRole('combobox', { name: '发起人所在部门' })
      answers['/api/runtime/workitem/people'] = {
        content: [{ id: 'd9', name: '工程部', imgUrl: null, type: 1, detail: null, leaf: true }],
        totalElements: 1,
      }
      fireEvent.mouseDown(departments)
      fireEvent.change(departments, { target: { value: '工程' } })
      fireEvent.click(await screen.findByText('工程部', { selector: '.ant-select-item-option-content *' }))
      type('开始时间', '过几天')
      within(dialog).getByText(/^请输入日期和时间，如/)
      expect((within(dialog).getByLabelText(/^开始时间/) as HTMLInputElement).value).toBe('过几天')
      type('开始时间', '2026-12-01 08:00')
      type('结束时间', '2098-12-05 18:00')
      answers['/api/runtime/delegation'] = ({ body }: { body?: unknown }) =>
        !body ? [] : refuse(409, 405002, '该时间段内已有相同流程的委托')
      fireEvent.click(within(dialog).getByRole('button', { name: /保 ?存/ }))
      await within(dialog).findByText('该时间段内已有相同流程的委托')
      const sent = server.of('/api/runtime/delegation').filter(({ body }) => body)
      expect(sent.at(-1)?.body).toEqual({
        to: 'u7',
        workflowCodes: [],
        startTime: '2026-12-01T00:00:00.000Z',
        endTime: '2098-12-05T10:00:00.000Z',
        enabled: true,
        initiatorDepts: ['d9'],
        keepCopy: true,
        moveOpen: true,
        returnOpen: false,
      })
    })

    it('shows the tasks that delegates have, to look at', async () => {
      answers['/api/runtime/delegation'] = [delegation]
      answers['/api/runtime/workitem/delegated'] = page(
        makeItem('w1', { participant: person('u7', '孙七'), delegatedBy: person('u0', '张三') }),
        makeItem('w2', { participant: person('u7', '孙七'), state: 'DONE', result: 'agree' }),
      )
      draw('delegation-workflow')
      const list = await screen.findByRole('region', { name: '我委托出去的任务' })
      expect(list.textContent).toContain('受托人：孙七')
      within(list).getByText('同意')
      expect(within(list).queryByRole('link')).toBeNull()
      fireEvent.click(within(list).getByRole('button', { name: '“计量 w1”的流程跟踪' }))
      await screen.findByRole('dialog')
      await waitFor(() => expect(server.of('/api/runtime/workflow/track')).toHaveLength(1))
      const own = screen.getByRole('region', { name: '我的委托' })
      expect(own.textContent).toContain('发起部门：工程部')
    })

    it('are shown with what they are for, and deleted after a question', async () => {
      answers['/api/runtime/delegation'] = [
        delegation,
        { ...delegation, id: 'd2', mine: false, from: person('u8', '周八') },
      ]
      answers['/api/runtime/delegation/d1'] = {}
      draw('delegation-workflow')
      const own = await screen.findByRole('region', { name: '我的委托' })
      expect(own.textContent).toContain('孙七')
      await within(own).findByText(/变更申请/)
      expect(own.textContent).toContain('生效中')
      expect(screen.getByRole('region', { name: '委托给我的' }).textContent).toContain('周八')
      fireEvent.click(within(own).getByRole('button', { name: '删除 孙七' }))
      const dialog = await screen.findByRole('dialog')
      fireEvent.click(within(dialog).getByRole('button', { name: /删 ?除/ }))
      await waitFor(() => expect(server.of('/api/runtime/delegation/d1')).toHaveLength(1))
    })

    it('are not for root administrators', async () => {
      answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: ['ADMIN'] }
      draw('delegation-workflow')
      await waitFor(() =>
        expect(screen.getByTestId('address').textContent).toBe('/workflow-center/my-unfinished-workitem'),
      )
      expect(screen.queryByRole('link', { name: '流程委托' })).toBeNull()
    })
  })
})
