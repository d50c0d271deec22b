import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { TasksPage } from '../center/tasks-page'
import { makeInstance, makeItem, makeNode, makeTrack, person, route } from '../fixtures'
import { TrackPage } from '../track/track-page'
import { ComparePage } from './compare-page'

const page = <T,>(...content: T[]) => ({ content, totalElements: content.length })
const place = (activityCode: string, name: string, ...people: ReturnType<typeof person>[]) => ({
  activityCode,
  name,
  name_i18n: {},
  type: 'APPROVE' as const,
  mode: 'ANY' as const,
  people,
})
const wang = person('u9', '王五')
const two = [place('n1', '技术审核', wang), place('n2', '商务审核', person('u8', '赵六'))]
const preview = {
  nodes: [place('n3', '终审', person('u5', '陈总'))],
  closes: [two[0]],
  waits: false,
  ends: false,
  fault: null,
}

function Address() {
  const { pathname } = useLocation()
  return <p data-testid="address">{pathname}</p>
}

describe('the administration of workflows', { timeout: 60_000 }, () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    await setLocale('zh')
  })
  beforeEach(() => {
    answers = {
      '/api/organization/user/info': { id: 'u0', name: '张三', permissions: ['WORKFLOW_ADMIN'] },
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/runtime/workflow/start_list': { groups: [], common: [], recent: [] },
      '/api/runtime/workitem/participants': [
        { id: 'u9', name: '王五', detail: 'wang', disabled: true },
        { id: 'u7', name: '孙七', detail: 'sun', disabled: false },
      ],
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = (path: string) =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[path]}>
            <Routes>
              <Route path="/workflow-center/query-participant-workItem" element={<TasksPage />} />
              <Route path="/from/workflow-track/:workflowInstanceId/:workItemId?" element={<TrackPage />} />
              <Route
                path="/from/operation-log-compare/:logid/:workflowInstanceId/:workItemId?"
                element={<ComparePage />}
              />
              <Route path="*" element={null} />
            </Routes>
            <Address />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  const lastAsked = (path: string) => server.of(path).at(-1)?.body
  const dialogOf = async (title: string) => (await screen.findByText(title)).closest('[role="dialog"]') as HTMLElement
  const pickSuccessor = async (dialog: HTMLElement, label: string) => {
    const box = within(dialog).getByLabelText(new RegExp(`^${label}`))
    fireEvent.mouseDown(box)
    fireEvent.change(box, { target: { value: '孙' } })
    fireEvent.click(await screen.findByText('孙七', { selector: '.ant-select-item-option *' }))
  }

  describe('tasks of people', () => {
    const tasks = '/workflow-center/query-participant-workItem'
    it('sends others to their own tasks', async () => {
      answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: [] }
      draw(tasks)
      await waitFor(() =>
        expect(screen.getByTestId('address').textContent).toBe('/workflow-center/my-unfinished-workitem'),
      )
      expect(server.of('/api/runtime/workitem/query')).toHaveLength(0)
    })

    it('gives a task, and all tasks, to somebody else', async () => {
      answers['/api/runtime/workitem/query'] = page(makeItem('w1', { participant: wang }))
      draw(`${tasks}?participant=u9`)
      fireEvent.click(await screen.findByRole('button', { name: '调整处理人 计量 w1 王五' }))
      expect(lastAsked('/api/runtime/workitem/query')).toEqual({
        page: 0,
        size: 20,
        state: 'open',
        sort: '-receiveTime',
        participant: 'u9',
      })
      answers['/api/runtime/workitem/hand_over'] = {
        left: 0,
        results: [
          { workflowInstanceId: 'i1', instanceName: '计量 i1', count: 0, errcode: 403002, errmsg: '该任务已处理完成' },
        ],
      }
      const one = await dialogOf('调整“计量 w1”的处理人')
      fireEvent.click(within(one).getByRole('button', { name: '调整处理人' }))
      await within(one).findByText('请选择接收人')
      expect(server.of('/api/runtime/workitem/hand_over')).toHaveLength(0)
      await pickSuccessor(one, '接收人')
      fireEvent.change(within(one).getByLabelText('原因'), { target: { value: '离'.repeat(203) } })
      fireEvent.click(within(one).getByRole('button', { name: '调整处理人' }))
      within(one).getByText('超出 3 个字，最多 200 个字')
      expect(server.of('/api/runtime/workitem/hand_over')).toHaveLength(0)
      fireEvent.change(within(one).getByLabelText('原因'), { target: { value: '离职' } })
      fireEvent.click(within(one).getByRole('button', { name: '调整处理人' }))
      await within(one).findByText('该任务已处理完成')
      expect(lastAsked('/api/runtime/workitem/hand_over')).toEqual({
        from: 'u9',
        to: 'u7',
        workItemIds: ['w1'],
        opinion: '离职',
      })
      fireEvent.click(within(one).getByRole('button', { name: /^关\s?闭$/ }))

      let call = 0
      answers['/api/runtime/workitem/hand_over'] = () => {
        call += 1
        const done = { workflowInstanceId: `i${call}`, instanceName: '', count: 2, errcode: 0, errmsg: '' }
        return { left: call === 1 ? 1 : 0, results: [done] }
      }
      fireEvent.click(await screen.findByRole('button', { name: '全部移交' }))
      const all = await dialogOf('移交王五的流程任务')
      await pickSuccessor(all, '接收人')
      fireEvent.click(within(all).getByRole('button', { name: '全部移交' }))
      await screen.findByText('已移交 4 项任务', { selector: '.ant-message *' })
      expect(lastAsked('/api/runtime/workitem/hand_over')).toEqual({ from: 'u9', to: 'u7' })
      const keys = server.of('/api/runtime/workitem/hand_over').map(({ key }) => key)
      expect(new Set(keys).size).toBe(3)
      expect(keys.every(Boolean)).toBe(true)
    })

    it('only shows to those who look after the installation', async () => {
      answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: ['SYS_MNG'] }
      answers['/api/runtime/workitem/query'] = page(makeItem('w1', { participant: wang }))
      draw(`${tasks}?participant=u9&departed=1`)
      await screen.findByRole('link', { name: '计量 w1' })
      expect(lastAsked('/api/runtime/workitem/query')).toMatchObject({ departed: true })
      expect(screen.queryByRole('button', { name: /调整处理人|全部移交/ })).toBeNull()
    })
  })

  describe('the track', () => {
    const nodes = [
      makeNode('start', 'START', ['g'], { name: '填报', state: 'done' }),
      makeNode('g', 'SPLIT', [], { routes: [route('n1'), route('n2')], state: 'done' }),
      makeNode('n1', 'APPROVE', ['j'], {
        name: '技术审核',
        state: 'active',
        actions: ['jump', 'cancelActivity', 'adjust'],
      }),
      makeNode('n2', 'APPROVE', ['j'], { name: '商务审核', state: 'active', actions: ['cancelActivity', 'adjust'] }),
      makeNode('j', 'JOIN', ['n3'], { of: 'g' }),
      makeNode('n3', 'APPROVE', ['end'], { name: '终审', actions: ['jump'] }),
      makeNode('end', 'END', [], { name: '结束' }),
    ]
    beforeEach(() => {
      answers['/api/runtime/workflow/track'] = {
        ...makeTrack(nodes),
        instance: makeInstance('i1', { state: 'EXCEPTION', current: two, canVoid: true, canRetry: true }),
      }
      answers['/api/runtime/workflow/preview'] = preview
    })
    const act = async (node: string, item: string) => {
      fireEvent.click(await screen.findByRole('button', { name: `管理“${node}”` }))
      fireEvent.click(await screen.findByRole('menuitem', { name: item }))
    }

    it('moves from a chosen node, after what would happen was shown', async () => {
      draw('/from/workflow-track/i1/-')
      await act('终审', '跳转到此节点')
      const dialog = await dialogOf('跳转到“终审”？')
      fireEvent.click(within(dialog).getByRole('button', { name: /^跳\s?转$/ }))
      await within(dialog).findByText('请选择要离开的节点')
      expect(server.of('/api/runtime/workflow/preview')).toHaveLength(0)
      fireEvent.click(within(dialog).getByRole('radio', { name: /技术审核/ }))
      await within(dialog).findByText('进入“终审”：陈总')
      within(dialog).getByText('取消“技术审核”的任务：王五')
      expect(lastAsked('/api/runtime/workflow/preview')).toEqual({
        workflowInstanceId: 'i1',
        activityCode: 'n3',
        fromActivityCode: 'n1',
        action: 'jump',
      })
      answers['/api/runtime/workflow/jump'] = {}
      fireEvent.change(within(dialog).getByLabelText('原因'), { target: { value: '急' } })
      fireEvent.click(within(dialog).getByRole('button', { name: /^跳\s?转$/ }))
      await screen.findByText('已跳转', { selector: '.ant-message *' })
      expect(lastAsked('/api/runtime/workflow/jump')).toEqual({
        workflowInstanceId: 'i1',
        activityCode: 'n3',
        fromActivityCode: 'n1',
        opinion: '急',
      })
    })

    it('says why something is refused, and does not offer it then', async () => {
      answers['/api/runtime/workflow/preview'] = () => refuse(409, 402033, '只有一个分支在进行')
      draw('/from/workflow-track/i1/-')
      await act('技术审核', '取消此节点')
      const dialog = await dialogOf('取消“技术审核”？')
      await within(dialog).findByText('只有一个分支在进行')
      expect((within(dialog).getByRole('button', { name: '取消节点' }) as HTMLButtonElement).disabled).toBe(true)
    })

    it('changes the people of a node', async () => {
      answers['/api/runtime/workflow/adjust'] = {}
      draw('/from/workflow-track/i1/-')
      await act('技术审核', '调整处理人')
      const dialog = await dialogOf('调整“技术审核”的处理人')
      fireEvent.click(within(dialog).getByRole('button', { name: /^调\s?整$/ }))
      await within(dialog).findByText('请选择要新增或移除的处理人')
      fireEvent.click(within(dialog).getByRole('checkbox', { name: '王五' }))
      await pickSuccessor(dialog, '新增处理人')
      fireEvent.click(within(dialog).getByRole('button', { name: /^调\s?整$/ }))
      await screen.findByText('已调整处理人', { selector: '.ant-message *' })
      expect(lastAsked('/api/runtime/workflow/adjust')).toEqual({
        workflowInstanceId: 'i1',
        activityCode: 'n1',
        people: ['u7'],
        remove: ['u9'],
      })
    })

    it('tries again, and deletes what is over', async () => {
      answers['/api/runtime/workflow/retry'] = {}
      draw('/from/workflow-track/i1/-')
      fireEvent.click(await screen.findByRole('button', { name: /^重\s?试$/ }))
      const dialog = await dialogOf('重试“计量 i1”？')
      fireEvent.click(within(dialog).getByRole('button', { name: /^重\s?试$/ }))
      await screen.findByText('已重试', { selector: '.ant-message *' })
      cleanup()
      answers['/api/runtime/workflow/track'] = {
        ...makeTrack([]),
        instance: makeInstance('i1', { state: 'CANCELED', canDelete: true }),
      }
      answers['/api/runtime/workflow/delete'] = null
      draw('/from/workflow-track/i1/-')
      fireEvent.click(await screen.findByRole('button', { name: '删除流程' }))
      const sure = await dialogOf('删除“计量 i1”？')
      fireEvent.click(within(sure).getByRole('button', { name: /^删\s?除$/ }))
      await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/workflow-center/query-instance'))
      expect(lastAsked('/api/runtime/workflow/delete')).toEqual({ workflowInstanceId: 'i1' })
    })
  })

  describe('what a step changed', () => {
    const change = (name: string, beforeValue: string | null, afterValue: string | null) => ({
      propertyCode: name,
      name,
      name_i18n: {},
      type: 1,
      beforeValue,
      afterValue,
      before: null,
      after: null,
      trend: null,
    })
    const entry = {
      person: person('u0', '张三'),
      delegatedBy: null,
      of: null,
      activityCode: 'n1',
      activityName: '技术审核',
      activityName_i18n: {},
      operation: 'agree',
      opinion: '已核',
      rule: '',
      step: 0,
      people: [],
      removed: [],
      time: '2026-11-20T03:30:00Z',
      logId: 7,
      remark: null,
      changed: true,
    }
    const write = (changes: unknown[]) => ({
      id: 'h1',
      bizObjectId: 'r1',
      title: null,
      modifiedTime: null,
      creatorName: null,
      departmentName: null,
      kind: 'update',
      version: 2,
      remark: null,
      changes,
    })

    it('is a table of fields and rows, reached from the log', async () => {
      answers['/api/runtime/workflow/track'] = makeTrack([], [entry, { ...entry, logId: 9, changed: false }])
      const row = {
        id: 'x1',
        kind: 'create',
        was: null,
        place: 2,
        label: '混凝土',
        changes: [change('数量', null, '5')],
      }
      answers['/api/runtime/workflow/log_compare'] = {
        instance: makeInstance('i1'),
        entry,
        writes: [write([change('金额', '1.00', '7.00'), { ...change('明细', null, '1 行有变动'), rows: [row] }])],
      }
      draw('/from/workflow-track/i1/-')
      fireEvent.click(await screen.findByRole('tab', { name: '日志' }))
      const links = await screen.findAllByRole('link', { name: '查看修改：张三' })
      expect(links.map((one) => one.getAttribute('href'))).toEqual(['/from/operation-log-compare/7/i1/-'])
      fireEvent.click(links[0] as HTMLElement)
      const table = await screen.findByRole('table')
      expect(server.of('/api/runtime/workflow/log_compare').at(-1)?.search.get('logId')).toBe('7')
      expect(
        within(table)
          .getAllByRole('row')
          .slice(1)
          .map((one) => one.textContent),
      ).toEqual(['金额1.007.00', '明细', '第 2 行“混凝土” 新增', '数量5'])
      screen.getByText('张三 · 同意 · 技术审核 · 2026-11-20 11:30')
      screen.getByText('已核')
    })

    it('says when none of it may be seen, and when nothing may', async () => {
      answers['/api/runtime/workflow/log_compare'] = { instance: makeInstance('i1'), entry, writes: [write([])] }
      draw('/from/operation-log-compare/7/i1/-')
      await screen.findByText('没有您可以查看的修改')
      cleanup()
      answers['/api/runtime/workflow/log_compare'] = () => refuse(404, 401034, '流程不存在或无权查看')
      draw('/from/operation-log-compare/7/i1/-')
      await screen.findByRole('heading', { name: '流程不存在或无权查看' })
    })
  })
})
