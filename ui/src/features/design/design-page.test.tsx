import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeDesk } from '@/testing/fake-desk'
import { fakeServer, refuse } from '@/testing/fake-server'
import { wayOf } from '@/testing/ways'
import { DesignPage } from './design-page'

const flow = {
  schemaCode: 'contract',
  name: '合同审批',
  kept: { as: 'it is' },
  nodes: [
    { id: 'start', type: 'START', name: '发起', next: ['check'] },
    { id: 'check', type: 'APPROVE', name: '审核', participants: [{ type: 'role', value: ['boss'] }], next: ['end'] },
    { id: 'end', type: 'END' },
  ],
}
const label = (zh: string) => ({ zh })
const property = (code: string, zh: string, more: object = {}) => ({
  code,
  label: label(zh),
  propertyType: 'ShortText',
  required: false,
  system: false,
  computed: false,
  sheet: false,
  opinions: false,
  target: '',
  multiple: false,
  parties: '',
  expression: true,
  ...more,
})
const design = {
  appCode: 'lock',
  appLabel: label('船闸'),
  running: 2,
  models: [{ code: 'contract', label: label('合同'), own: true }],
  roles: [{ code: 'boss', label: label('经理'), own: false }],
  workflows: [],
  services: [],
  rules: [],
}

let desk: ReturnType<typeof fakeDesk>
let diagnostics: object[]
let ways: object[]
beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
beforeEach(() => {
  localStorage.clear()
  diagnostics = []
  ways = []
  desk = fakeDesk({
    kind: 'workflow',
    code: 'approval',
    appCode: 'lock',
    document: flow,
    diagnostics: () => diagnostics,
    ways: () => ways,
  })
})
afterEach(cleanup)

function open(answers: Record<string, unknown> = {}) {
  fakeServer({
    ...desk.answers,
    '/api/app/workflow/design': design,
    '/api/app/workflow/model': {
      schemaCode: 'contract',
      label: label('合同'),
      forms: [],
      properties: [
        property('amount', '金额'),
        property('total', '合计', { computed: true }),
        property('review', '监理意见', { propertyType: 'ApprovalOpinion', opinions: true }),
        property('client', '业主意见', { propertyType: 'ApprovalOpinion', opinions: true }),
      ],
    },
    '/api/app/workflow/people': [],
    ...answers,
  })
  const router = createMemoryRouter([{ path: '/workflow-design/:appCode/:workflowCode', element: <DesignPage /> }], {
    initialEntries: ['/workflow-design/lock/approval'],
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
}
const card = (id: string) => document.querySelector<HTMLElement>(`[data-node="${id}"]`)
const written = () => JSON.parse(desk.sent.check?.text ?? '{}')

describe('the editor of workflows', () => {
  it('changes one property and keeps all else', async () => {
    open()
    await waitFor(() => expect(card('check')).not.toBeNull())
    fireEvent.click(card('check') as HTMLElement)
    const panel = await screen.findByRole('complementary')
    fireEvent.change(within(panel).getByLabelText('中文名称'), { target: { value: '复核' } })
    fireEvent.click(within(panel).getByText('表单权限'))
    fireEvent.click(await within(panel).findByLabelText('金额: 必填'))
    expect(within(panel).getByLabelText('合计: 编辑')).toHaveProperty('disabled', true)
    await waitFor(() => {
      const now = written()
      expect(now.kept).toEqual(flow.kept)
      expect(now.nodes[1]).toEqual({ ...flow.nodes[1], name: '复核', form: { fields: { amount: 'rw!' } } })
    })
  })

  it('lets a step say which property keeps its opinions', async () => {
    open()
    await waitFor(() => expect(card('check')).not.toBeNull())
    fireEvent.click(card('check') as HTMLElement)
    const panel = await screen.findByRole('complementary')
    fireEvent.click(within(panel).getByText('意见'))
    fireEvent.mouseDown(await within(panel).findByLabelText('记入数据项'))
    fireEvent.click(await screen.findByText('业主意见', { selector: '.ant-select-item-option-content' }))
    await waitFor(() => expect(written().nodes[1].opinion).toEqual({ propertyCode: 'client' }))
  })

  it('calls services on events, at a step where the event has one', async () => {
    Object.assign(design, { services: ['lock.note'] })
    open()
    await waitFor(() => expect(card('check')).not.toBeNull())
    fireEvent.click(screen.getByText('流程设置'))
    const panel = await screen.findByRole('complementary')
    fireEvent.click(within(panel).getByText('事件调用的服务'))
    fireEvent.click(within(panel).getByText('添加调用'))
    expect(within(panel).queryByLabelText('节点')).toBeNull()
    fireEvent.mouseDown(within(panel).getByLabelText('事件'))
    fireEvent.click(await screen.findByText('任务已处理'))
    fireEvent.mouseDown(await within(panel).findByLabelText('节点'))
    fireEvent.click(await screen.findByText('审核', { selector: '.ant-select-item-option-content' }))
    await waitFor(() =>
      expect(written().hooks).toEqual([{ on: 'workitem.completed', node: 'check', service: 'lock.note' }]),
    )
    fireEvent.click(within(panel).getByLabelText('移除第 1 个调用'))
    await waitFor(() => expect(written().hooks).toBeUndefined())
    Object.assign(design, { services: [] })
  })

  it('asks who can claim only where tasks are claimed', async () => {
    open()
    await waitFor(() => expect(card('check')).not.toBeNull())
    fireEvent.click(card('check') as HTMLElement)
    const panel = await screen.findByRole('complementary')
    expect(within(panel).queryByLabelText('谁可以领取')).toBeNull()
    fireEvent.mouseDown(within(panel).getByLabelText('多人处理方式'))
    fireEvent.click(await screen.findByText(/领取/))
    fireEvent.mouseDown(await within(panel).findByLabelText('谁可以领取'))
    fireEvent.click(await screen.findByText('领取之前随组织变动'))
    await waitFor(() => expect(written().nodes[1]).toMatchObject({ mode: 'CLAIM', resolve: 'live' }))
  })

  it('shows a problem at its node, and publishes nothing with errors', async () => {
    diagnostics = [
      {
        file: 'workflows/approval.json',
        line: 1,
        column: 1,
        code: 'WF400010',
        severity: 'error',
        pointer: '/nodes/1/participants',
        zh: '没有处理人',
        en: 'nobody',
        repair: { zh: '写上', en: 'add' },
      },
    ]
    open()
    await waitFor(() => expect(card('check')?.textContent).toContain('没有处理人'))
    expect(card('start')?.textContent).not.toContain('没有处理人')
    fireEvent.keyDown(card('check') as HTMLElement, { key: 'Delete' })
    await waitFor(() => expect(card('check')).toBeNull())
    expect(screen.getByRole('button', { name: /发\s?布/ })).toHaveProperty('disabled', true)
  })

  it('shows nothing of a workflow to people who may not design it, and says why', async () => {
    open({ '/api/app/workflow/design': () => refuse(403, 700001, '没有权限') })
    expect((await screen.findByRole('alert')).textContent).toContain('没有权限')
    expect(document.querySelector('[data-node]')).toBeNull()
  })

  it('undoes, publishes, and tells of a conflict by name', async () => {
    ways = [wayOf()]
    open()
    await waitFor(() => expect(card('check')).not.toBeNull())
    fireEvent.keyDown(card('check') as HTMLElement, { key: 'Delete' })
    await waitFor(() => expect(card('check')).toBeNull())
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
    await waitFor(() => expect(card('check')).not.toBeNull())
    fireEvent.keyDown(window, { key: 'y', ctrlKey: true })
    await waitFor(() => expect(card('check')).toBeNull())
    const button = screen.getByRole('button', { name: /发\s?布/ })
    await waitFor(() => expect(button).toHaveProperty('disabled', false), { timeout: 3000 })
    fireEvent.click(button)
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('移除：审核')
    expect(dialog.textContent).toContain('都能看到“合同”的记录：角色“经理”')
    expect(dialog.textContent).toContain('2 个进行中的流程继续使用原来的版本')
    desk.shePublishes({ ...flow, name: '另一个' })
    fireEvent.click(within(dialog).getByRole('button', { name: /发\s?布/ }))
    await screen.findByText(/李四/)
    expect(desk.sent.publish?.seen).toBe('s1')
  })
})
