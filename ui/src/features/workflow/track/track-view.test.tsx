import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { makeItem, makeNode, makeTrack, person, route } from '../fixtures'
import { splitSpan } from '../task/words'
import { TrackPage } from './track-page'

const done = { state: 'DONE', finishTime: '2026-11-20T03:30:00Z' } as const
const log = {
  delegatedBy: null,
  of: null,
  activityCode: 'n1',
  activityName: '专业监理',
  activityName_i18n: {},
  opinion: '',
  rule: '',
  step: 0,
  people: [],
  removed: [],
  remark: null,
  time: '2026-11-20T03:30:00Z',
  logId: 7,
  changed: false,
}
const track = makeTrack(
  [
    makeNode('start', 'START', ['n1'], { name: '填报', state: 'done' }),
    makeNode('n1', 'APPROVE', ['g'], {
      name: '专业监理',
      mode: 'ALL',
      state: 'done',
      rounds: [
        {
          round: 1,
          state: 'FAILED',
          entry: 'NORMAL',
          startTime: '2026-11-20T01:00:00Z',
          finishTime: '2026-11-20T02:00:00Z',
          items: [makeItem('w1', { ...done, result: 'reject', opinion: '数量不对' })],
        },
        {
          round: 2,
          state: 'PASSED',
          entry: 'REJECT',
          startTime: '2026-11-20T01:00:00Z',
          finishTime: '2026-11-20T03:30:00Z',
          items: [
            makeItem('w2', { ...done, result: 'agree' }),
            makeItem('w3', { state: 'CANCELLED', participant: person('u9', '王五') }),
          ],
        },
      ],
    }),
    makeNode('g', 'SPLIT', [], {
      name: 'g',
      state: 'done',
      routes: [route('n2', '一百万以上'), route('j', '', true)],
    }),
    makeNode('n2', 'APPROVE', ['j'], { name: '业主', predicted: [person('u5', '陈总'), person('u6', '赵六')] }),
    makeNode('j', 'JOIN', ['end'], { of: 'g' }),
    makeNode('end', 'END', [], { name: '结束' }),
  ],
  [
    { ...log, person: person('u0', '张三'), operation: 'addSign', people: [person('u9', '王五')], opinion: '请看' },
    { ...log, person: null, operation: 'agree', rule: '自动同意(去重)' },
    { ...log, person: null, operation: 'somethingNew' },
    {
      ...log,
      person: null,
      of: person('u0', '张三'),
      operation: 'transfer',
      rule: 'timeout',
      step: 2,
      people: [person('u9', '王五')],
    },
    { ...log, person: person('u1', '管理员甲'), of: person('u0', '张三'), operation: 'handOver', rule: 'leaver' },
    { ...log, person: null, operation: 'follow', people: [person('u9', '王五')], removed: [person('u5', '陈总')] },
  ],
)

describe('the course of an instance on the screen', { timeout: 60_000 }, () => {
  let answers: Record<string, unknown>
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    await setLocale('zh')
  })
  const draw = () =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={['/from/workflow-track/i1/w1/']}>
            <Routes>
              <Route path="/from/workflow-track/:workflowInstanceId/:workItemId?" element={<TrackPage />} />
            </Routes>
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  beforeEach(() => {
    answers = { '/api/system/config': { timezone: 'Asia/Shanghai' }, '/api/runtime/workflow/track': track }
    fakeServer(answers)
    draw()
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const nodeOf = (name: string) => screen.getByText(name, { selector: 'strong' }).closest('li') as HTMLElement

  it('shows a copy as read or not, and nobody waits for it', async () => {
    const copies = ['u7', 'u8'].map((id, at) =>
      makeItem(`c${at}`, {
        workItemType: 'CIRCULATE',
        participant: person(id, at ? '钱七' : '孙八'),
        ...(at ? { ...done, result: 'read' as const } : { state: 'TODO' as const, finishTime: null }),
      }),
    )
    const round = {
      round: 1,
      state: 'PASSED',
      entry: 'NORMAL',
      startTime: '2026-11-20T01:00:00Z',
      finishTime: null,
      items: copies,
    } as const
    cleanup()
    answers['/api/runtime/workflow/track'] = makeTrack(
      [makeNode('c', 'CIRCULATE', [], { name: '抄送', state: 'done', rounds: [{ ...round, items: copies }] })],
      [],
    )
    draw()
    const line = (await screen.findByText('孙八')).closest('li')
    expect(line?.textContent).toContain('待阅')
    expect(line?.textContent).not.toMatch(/待处理|已等待/)
    expect(screen.getByText('钱七').closest('li')?.textContent).toContain('已阅')
  })

  it('shows rounds with people, times and opinions', async () => {
    await screen.findByRole('heading', { name: '计量 i1' })
    const node = nodeOf('专业监理')
    within(node).getByText('审批 · 会签')
    within(node).getByText('第 1 轮 · 未通过')
    within(node).getByText('第 2 轮 · 退回后重新处理 · 通过')
    within(node).getByText('数量不对')
    expect(within(node).getAllByText('2026-11-20 11:30 · 用时 2 小时 30 分钟')).toHaveLength(2)
    within(node).getByText('无需处理：王五')
    expect(within(node).queryByText('已取消')).toBeNull()
    const levels = screen.getAllByRole('heading').map((heading) => heading.tagName)
    expect(levels).toEqual(['H1', 'H2', 'H2'])
  })

  it('marks a node that cannot go on, and calls tasks of an ended round canceled', async () => {
    cleanup()
    const round = { round: 1, entry: 'NORMAL', startTime: '2026-11-20T01:00:00Z', finishTime: null } as const
    const items = [makeItem('w1', { state: 'CANCELLED' })]
    answers['/api/runtime/workflow/track'] = {
      ...makeTrack([
        makeNode('n1', 'APPROVE', ['n2'], { name: '初审', rounds: [{ ...round, state: 'CANCELLED', items }] }),
        makeNode('n2', 'APPROVE', [], { name: '业主', state: 'waiting' }),
      ]),
      stuck: [{ activityCode: 'n2', name: '业主', name_i18n: {}, reason: 'NOBODY', errcode: 0, text: null }],
    }
    draw()
    await screen.findByRole('heading', { name: '计量 i1' })
    const node = nodeOf('业主')
    within(node).getByText('异常')
    expect(node.dataset.state).toBe('stuck')
    within(nodeOf('初审')).getByText('已取消')
    expect(within(nodeOf('初审')).queryByText(/第 1 轮/), 'there was only one').toBeNull()
  })

  it('shows branches, and who is expected later', async () => {
    await screen.findByRole('heading', { name: '计量 i1' })
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
      expect.arrayContaining(['分支：一百万以上', '分支：其他情况 · 直接进入“汇聚”']),
    )
    const owner = nodeOf('业主')
    within(owner).getByText('预计处理人：陈总、赵六')
    within(owner).getByText('未到达')
    expect(owner.getAttribute('data-later')).toBe('true')
    expect(screen.queryByText('g')).toBeNull()
  })

  it('has the log in words', async () => {
    fireEvent.click(await screen.findByRole('tab', { name: '日志' }))
    const rows = within(await screen.findByRole('table')).getAllByRole('row')
    expect(
      rows.slice(1).map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(2)
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ['张三', '加签', '至 王五 · 请看'],
      ['系统', '同意', '系统自动处理：自动同意(去重)'],
      ['系统', 'somethingNew', ''],
      ['系统 代 张三', '转办', '系统自动处理：处理时限，第 2 步 · 至 王五'],
      ['管理员甲 代 张三', '移交任务', '人员已离开'],
      ['系统', '可领取人有变动', '至 王五 · 不再是 陈总'],
    ])
  })

  it('says why it cannot be shown', async () => {
    cleanup()
    answers['/api/runtime/workflow/track'] = () => refuse(404, 401034, '流程不存在或无权查看')
    render(
      <QueryClientProvider client={new QueryClient()}>
        <App>
          <MemoryRouter initialEntries={['/from/workflow-track/i1/-/']}>
            <Routes>
              <Route path="/from/workflow-track/:workflowInstanceId/:workItemId?" element={<TrackPage />} />
            </Routes>
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
    await screen.findByRole('heading', { name: '流程不存在或无权查看' })
  })

  it('tells spans in their largest units', () => {
    expect([0, 59_999, 60_000, 3_600_000, 90_000_000].map((ms) => splitSpan(ms))).toEqual([
      { unit: 'lessThanMinute', d: 0, h: 0, m: 0 },
      { unit: 'lessThanMinute', d: 0, h: 0, m: 0 },
      { unit: 'minutes', d: 0, h: 0, m: 1 },
      { unit: 'hours', d: 0, h: 1, m: 0 },
      { unit: 'days', d: 1, h: 1, m: 0 },
    ])
  })
})
