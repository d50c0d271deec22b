import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeItem, person } from '@/features/workflow/fixtures'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { fakeServer, refuse } from '@/testing/fake-server'
import { RecordRoute } from './record-route'
import { StatusPage } from './status-page'

const field = (propertyCode: string, name: string, more: object = {}) => ({
  propertyCode,
  propertyType: 0,
  name,
  name_i18n: {},
  settings: {},
  children: null,
  ...more,
})

const makeLoad = (version: number | null, id: string | null, data: object, readOnly = false) => {
  const fields = [
    field('title', '标题', { readOnly: true }),
    field('quantity', '数量', { readOnly, required: !readOnly }),
  ]
  return {
    id,
    version,
    name: '一期',
    actions: id ? ['save'] : ['submit'],
    data,
    form: {
      schemaCode: 'period',
      sheetCode: 'period',
      name: '计量期',
      name_i18n: {},
      modelName: '计量期',
      modelName_i18n: {},
      modelNamePlural_i18n: {},
      columns: 1,
      fields,
      layout: fields.map(({ propertyCode }) => ({ type: 'Field', propertyCode })),
      schema: { type: 'object', properties: { title: { type: 'string' }, quantity: { type: 'string' } } },
      uiSchema: {},
      buttons: [],
    },
  }
}

const place = (activityCode: string, name: string, ...people: { id: string; name: string; imgUrl: null }[]) => ({
  activityCode,
  name,
  name_i18n: {},
  type: 'APPROVE',
  mode: 'ANY',
  people,
  direct: true,
})

const makeDetail = (more: object = {}) => ({
  item: makeItem('w1'),
  form: makeLoad(3, 'r1', { title: '一期', quantity: '5' }),
  actions: ['agree', 'disagree', 'reject', 'transfer', 'add_sign', 'assist', 'circulate', 'save'],
  opinionRule: { required: 'onReject', maxLength: 50, signature: false },
  rejectNodes: [place('start', '填报', person('u1', '李四')), place('n0', '初审')],
  resubmit: 'choose',
  opinions: [
    {
      person: person('u1', '李四'),
      delegatedBy: null,
      activityCode: 'start',
      activityName: '填报',
      activityName_i18n: {},
      operation: 'submit',
      opinion: '请审批',
      rule: '',
      people: [],
      removed: [],
      time: '2026-11-20T01:00:00Z',
    },
  ],
  ...more,
})

const done = (more: object = {}) => ({
  workflowInstanceId: 'i-w1',
  instanceState: 'PROCESSING',
  schemaCode: 'period',
  bizObjectId: 'r1',
  version: 4,
  nextWorkItemId: null,
  ...more,
})

describe('the form of a task', { timeout: 60_000 }, () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  let sent: Headers[]
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts(), loadWidgets([0])])
    await setLocale('zh')
  })
  beforeEach(() => {
    vi.stubGlobal(
      'EventSource',
      class extends EventTarget {
        close() {}
      },
    )
    answers = {
      '/api/organization/user/info': { id: 'u0', name: '张三', permissions: [] },
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/runtime/interface/list': [],
      '/api/runtime/comment/count': { total: 0 },
      '/api/runtime/workitem/detail': makeDetail(),
      '/api/runtime/workitem/next_nodes': {
        nodes: [place('n2', '业主审批', person('u5', '王五'), person('u6', '赵六'))],
        waits: false,
        ends: false,
        fault: null,
        choices: [],
      },
      '/api/runtime/workitem/people': {
        content: [{ id: 'u7', name: '孙七', imgUrl: null, type: 3 }],
        totalElements: 1,
      },
      '/api/runtime/workflow/start_list': { groups: [], common: [], recent: [] },
      '/api/runtime/workitem/preferences': { common: null, own: [], signature: null, canEditCommon: false },
      '/api/runtime/workitem/counts': { unfinished: 3, unread: 0, timeout: 0 },
    }
    Element.prototype.scrollIntoView = () => {}
    server = fakeServer(answers)
    sent = []
    const inner = globalThis.fetch
    vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
      if (/workitem\/(?!detail|next|people|preferences|counts|unfinished)|form\/submit/.test(input))
        sent.push(new Headers(init.headers))
      return inner(input, init)
    })
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const open = (search = 'workItemId=w1&workflowInstanceId=i-w1') => {
    const router = createMemoryRouter(
      [
        { path: '/list', element: <p>the list</p> },
        { path: '/form/detail', element: <RecordRoute onClose={() => void router.navigate('/list')} /> },
        { path: '/shared/success', element: <StatusPage /> },
        { path: '*', element: <p>elsewhere</p> },
      ],
      { initialEntries: ['/list', `/form/detail?${search}`], initialIndex: 1 },
    )
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>,
    )
    return router
  }
  const box = () => document.querySelector<HTMLInputElement>('[data-field="quantity"] input') as HTMLInputElement
  const type = async (value: string) => {
    await waitFor(() => expect(box()).not.toBeNull())
    fireEvent.change(box(), { target: { value } })
    fireEvent.blur(box())
  }
  const press = async (name: RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
  const more = async (name: string) => {
    await press(/^更多操作$/)
    fireEvent.click(await screen.findByRole('menuitem', { name }))
    return screen.findByRole('dialog')
  }
  const last = (path: string) => server.of(`/api/runtime/workitem/${path}`).at(-1)?.body

  it('begins with why it was sent back, until something else was said', async () => {
    const [submit] = makeDetail().opinions
    const back = { ...submit, operation: 'reject', person: person('u8', '陈总'), opinion: '请补充附件' }
    answers['/api/runtime/workitem/detail'] = makeDetail({ opinions: [submit, back] })
    open()
    const line = await screen.findByText('陈总已退回')
    expect(line.parentElement?.textContent).toBe('陈总已退回请补充附件')
    cleanup()
    answers['/api/runtime/workitem/detail'] = makeDetail({ opinions: [back, submit] })
    open()
    await screen.findByText('下一步：业主审批，2 人（王五、赵六）')
    expect(screen.queryByText('陈总已退回')).toBeNull()
  })

  it('shows the record, what others said, and what comes next', async () => {
    open()
    await screen.findByRole('heading', { name: /计量 w1/ })
    await screen.findByText('下一步：业主审批，2 人（王五、赵六）')
    expect(last('next_nodes')).toEqual({ workItemId: 'w1', action: 'agree' })
    const opinions = screen.getByRole('region', { name: '审批意见' })
    within(opinions).getByText('请审批')
    expect(document.querySelector('[data-field="title"] input')).toBeNull()
    expect(box().value).toBe('5')
  })

  it('agrees with what was changed, once, and goes back to the list', async () => {
    answers['/api/runtime/workitem/agree'] = done()
    const router = open()
    await type('8')
    await waitFor(() =>
      expect(last('next_nodes')).toEqual({ workItemId: 'w1', action: 'agree', version: 3, data: { quantity: '8' } }),
    )
    fireEvent.change(screen.getByLabelText('处理意见'), { target: { value: '可以' } })
    screen.getByText('2 / 50')
    await press(/^同\s?意$/)
    await screen.findByText('the list')
    expect(last('agree')).toEqual({ workItemId: 'w1', opinion: '可以', version: 3, data: { quantity: '8' } })
    expect(sent[0]?.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/)
    expect(router.state.location.pathname).toBe('/list')
    await screen.findByText('已同意')
  })

  it('asks who handles the next step where its node wants that, and agrees with the answer', async () => {
    const choices = [
      {
        activityCode: 'n2',
        activityName: '业主审批',
        activityName_i18n: {},
        min: 1,
        max: 0,
        everybody: false,
        candidates: [person('u5', '王五'), person('u6', '赵六')],
      },
    ]
    answers['/api/runtime/workitem/agree'] = (call: { body: { choices?: object } }) =>
      call.body.choices ? done() : refuse(422, 402016, '请选择“业主审批”的处理人', { choices })
    open()
    await type('8')
    await press(/^同\s?意$/)
    const dialog = await screen.findByRole('dialog', { name: '选择后续处理人' })
    fireEvent.click(within(dialog).getByRole('button', { name: /^继\s?续$/ }))
    await within(dialog).findByText('至少选择 1 人')
    fireEvent.click(within(dialog).getByRole('checkbox', { name: '赵六' }))
    fireEvent.click(within(dialog).getByRole('button', { name: /^继\s?续$/ }))
    await screen.findByText('the list')
    expect(last('agree')).toEqual({ workItemId: 'w1', version: 3, data: { quantity: '8' }, choices: { n2: ['u6'] } })
  })

  it('sends those whom the opinion mentions', async () => {
    answers['/api/runtime/workitem/agree'] = done()
    open()
    const opinion = (await screen.findByLabelText('处理意见')) as HTMLTextAreaElement
    act(() => opinion.focus()) // React tells of a selection only where the focus is
    fireEvent.change(opinion, { target: { value: '请 @孙' } })
    opinion.setSelectionRange(4, 4)
    fireEvent.mouseUp(opinion) // React tells of no selection while a mouse is down, as another test may have left it
    fireEvent.click(await screen.findByRole('option', { name: /孙七/ }))
    await press(/^同\s?意$/)
    await screen.findByText('the list')
    expect(last('agree')).toEqual({ workItemId: 'w1', opinion: '请 @孙七', mentions: ['u7'] })
  })

  it('goes on to the next task of the same instance', async () => {
    answers['/api/runtime/workitem/agree'] = done({ nextWorkItemId: 'w2' })
    const router = open()
    await press(/^同\s?意$/)
    await waitFor(() => expect(router.state.location.search).toBe('?workItemId=w2&workflowInstanceId=i-w1'))
  })

  it('takes no press more while the next task is on its way', async () => {
    localStorage.setItem('task.next', '1')
    let answer = (_: unknown) => {}
    answers['/api/runtime/workitem/agree'] = done()
    answers['/api/runtime/workitem/unfinished'] = () => new Promise((resolve) => (answer = resolve))
    const router = open()
    try {
      await press(/^同\s?意$/)
      await waitFor(() => expect(server.of('/api/runtime/workitem/unfinished')).toHaveLength(1))
      const agree = screen.getByRole('button', { name: /^(loading )?同\s?意$/ })
      await waitFor(() => expect(agree).toHaveProperty('disabled', true))
      fireEvent.click(agree)
      fireEvent.keyDown(document.body, { key: 'Enter', code: 'Enter', ctrlKey: true })
      await act(async () => {})
      expect(screen.queryByRole('dialog')).toBeNull()
      answer({ content: [{ ...makeDetail().item, workItemId: 'w2', workflowInstanceId: 'i-w2' }], totalElements: 1 })
      await waitFor(() => expect(router.state.location.search).toBe('?workItemId=w2&workflowInstanceId=i-w2'))
      expect(server.of('/api/runtime/workitem/agree')).toHaveLength(1)
    } finally {
      localStorage.removeItem('task.next')
    }
  })

  it('checks the fields before agreeing, and not before sending back', async () => {
    answers['/api/runtime/workitem/agree'] = done()
    answers['/api/runtime/workitem/reject'] = done()
    open()
    await type('')
    await press(/^同\s?意$/)
    await screen.findAllByText(/数量/)
    await waitFor(() => expect(document.querySelector('[data-field="quantity"]')?.textContent).toContain('请填写'))
    expect(server.of('/api/runtime/workitem/agree')).toHaveLength(0)
    await press(/^退\s?回$/)
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: /^退\s?回$/ }))
    within(dialog).getByText('请选择退回的节点')
    within(dialog).getByText('请填写处理意见')
    fireEvent.click(within(dialog).getByRole('radio', { name: /填报/ }))
    fireEvent.click(within(dialog).getByRole('radio', { name: '直接回到本节点' }))
    fireEvent.change(within(dialog).getByLabelText(/处理意见/), { target: { value: '数量不对' } })
    fireEvent.click(within(dialog).getByRole('button', { name: /^退\s?回$/ }))
    await screen.findByText('the list')
    expect(last('reject')).toEqual({
      workItemId: 'w1',
      activityCode: 'start',
      resubmit: 'toRejector',
      opinion: '数量不对',
      version: 3,
      data: { quantity: null },
    })
  })

  it('says that what goes back to before parallel branches passes all steps again', async () => {
    answers['/api/runtime/workitem/reject'] = done()
    answers['/api/runtime/workitem/detail'] = makeDetail({
      rejectNodes: [{ ...place('start', '填报'), direct: false }, place('n0', '初审')],
    })
    open()
    await press(/^退\s?回$/)
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('radio', { name: '初审' }))
    fireEvent.click(within(dialog).getByRole('radio', { name: '直接回到本节点' }))
    fireEvent.click(within(dialog).getByRole('radio', { name: '填报' }))
    within(dialog).getByText('“填报”在并行分支之前，重新提交后各分支都会重走，不能直接回到本节点。')
    expect(within(dialog).queryByRole('radio', { name: '直接回到本节点' })).toBeNull()
    fireEvent.change(within(dialog).getByLabelText(/处理意见/), { target: { value: '重来' } })
    fireEvent.click(within(dialog).getByRole('button', { name: /^退\s?回$/ }))
    await screen.findByText('the list')
    expect(last('reject')).toMatchObject({ activityCode: 'start', resubmit: 'rerun' })
  })

  it('shows what the server refuses at the fields, and sends the same again with the same key', async () => {
    let tries = 0
    answers['/api/runtime/workitem/agree'] = () => {
      tries += 1
      if (tries === 1) throw new TypeError('network')
      return refuse(422, 302001, '', {
        errors: [{ propertyCode: 'quantity', errcode: 302004, errmsg: '数量超出合同' }],
      })
    }
    open()
    await type('9')
    await press(/^同\s?意$/)
    await screen.findByText(/无法连接服务器/)
    await press(/^同\s?意$/)
    await screen.findByText('数量超出合同')
    expect(sent).toHaveLength(2)
    expect(sent[0]?.get('Idempotency-Key')).toBe(sent[1]?.get('Idempotency-Key'))
    await type('7')
    await press(/^同\s?意$/)
    await waitFor(() => expect(sent).toHaveLength(3))
    expect(sent[2]?.get('Idempotency-Key')).not.toBe(sent[1]?.get('Idempotency-Key'))
  })

  it('asks for an opinion where the node wants one, and offers what is often said', async () => {
    answers['/api/runtime/workitem/detail'] = makeDetail({
      opinionRule: { required: 'always', maxLength: 50, signature: false },
    })
    answers['/api/runtime/workitem/agree'] = done()
    open()
    await press(/^同\s?意$/)
    await screen.findByText('请填写处理意见')
    expect(server.of('/api/runtime/workitem/agree')).toHaveLength(0)
    await press(/^常用意见$/)
    fireEvent.click(await screen.findByRole('menuitem', { name: '同意，请按要求执行' }))
    await press(/^同\s?意$/)
    await screen.findByText('the list')
    expect(last('agree')).toEqual({ workItemId: 'w1', opinion: '同意，请按要求执行' })
  })

  it('keeps an opinion that is too long, says by how much, and does not send it', async () => {
    answers['/api/runtime/workitem/agree'] = done()
    open()
    const box = (await screen.findByLabelText('处理意见')) as HTMLTextAreaElement
    // Characters as the server counts them: an emoji is one.
    fireEvent.change(box, { target: { value: `${'长'.repeat(51)}😀` } })
    screen.getByText('超出 2 个字，最多 50 个字')
    await press(/^同\s?意$/)
    expect(box.value).toBe(`${'长'.repeat(51)}😀`)
    await press(/^常用意见$/)
    fireEvent.click(await screen.findByRole('menuitem', { name: '同意，请按要求执行' }))
    screen.getByText('超出 12 个字，最多 50 个字')
    const dialog = await more('转办')
    within(dialog).getByText('超出 12 个字，最多 50 个字')
    expect(server.of('/api/runtime/workitem/agree')).toHaveLength(0)
  })

  it('adds approvers and stays, and says in the dialog why it was refused', async () => {
    let known = false
    answers['/api/runtime/workitem/add_sign'] = () => (known ? done() : refuse(409, 403022, '不能给自己加签'))
    open()
    await screen.findByText('下一步：业主审批，2 人（王五、赵六）')
    const dialog = await more('加签')
    fireEvent.click(within(dialog).getByRole('button', { name: /^加\s?签$/ }))
    within(dialog).getByText('请选择人员')
    fireEvent.mouseDown(within(dialog).getByRole('combobox'))
    fireEvent.click(await screen.findByRole('option', { name: /孙七/ }))
    fireEvent.click(within(dialog).getByRole('radio', { name: '与我同时审批' }))
    fireEvent.click(within(dialog).getByRole('button', { name: /^加\s?签$/ }))
    await within(dialog).findByText('不能给自己加签')
    known = true
    fireEvent.click(within(dialog).getByRole('button', { name: /^加\s?签$/ }))
    await screen.findByText('已加签')
    expect(last('add_sign')).toEqual({ workItemId: 'w1', people: ['u7'], placing: 'parallel' })
    await waitFor(() => expect(server.of('/api/runtime/workitem/detail')).toHaveLength(2))
    expect(screen.queryByText('the list')).toBeNull()
  })

  it('saves by the button and by the key, and stays with what it saved', async () => {
    let version = 3
    answers['/api/runtime/workitem/detail'] = () =>
      makeDetail({ form: makeLoad(version, 'r1', { title: '一期', quantity: version === 3 ? '5' : '6' }) })
    answers['/api/runtime/workitem/save'] = () => {
      version = 4
      return done()
    }
    open()
    await type('6')
    fireEvent.change(screen.getByLabelText('处理意见'), { target: { value: '稍后' } })
    fireEvent.keyDown(window, { key: 's', ctrlKey: true })
    await screen.findByText('已保存')
    expect(last('save')).toEqual({ workItemId: 'w1', version: 3, data: { quantity: '6' } })
    await waitFor(() => expect(box().value).toBe('6'))
    expect((screen.getByLabelText('处理意见') as HTMLTextAreaElement).value).toBe('稍后')
  })

  it('asks before what was typed is lost', async () => {
    const router = open()
    await screen.findByText('下一步：业主审批，2 人（王五、赵六）')
    fireEvent.change(screen.getByLabelText('处理意见'), { target: { value: '写了一半' } })
    void router.navigate('/list')
    await screen.findByText('放弃未保存的修改？', { selector: '.ant-modal-confirm-title' })
    expect(router.state.location.pathname).toBe('/form/detail')
  })

  it('is read where nothing can be edited, and can be taken back', async () => {
    answers['/api/runtime/workitem/detail'] = makeDetail({
      item: makeItem('w1', { state: 'DONE', result: 'agree', canWithdraw: true }),
      form: makeLoad(3, 'r1', { title: '一期', quantity: '5' }, true),
      actions: ['withdraw'],
    })
    answers['/api/runtime/workitem/withdraw'] = done()
    open()
    await screen.findByRole('button', { name: /^取\s?回$/ })
    expect(box()).toBeNull()
    expect(screen.queryByLabelText('处理意见')).toBeNull()
    expect(server.of('/api/runtime/workitem/next_nodes')).toHaveLength(0)
    await press(/^取\s?回$/)
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: /^取\s?回$/ }))
    await screen.findByText('已取回')
    expect(last('withdraw')).toEqual({ workItemId: 'w1' })
  })

  it('says that a task is gone, with the way to the list', async () => {
    answers['/api/runtime/workitem/detail'] = () => refuse(403, 403001, '不是您的任务')
    open('schemaCode=period&workitemId=w9&workflowInstanceId=i9&isFromTips=true')
    await screen.findByRole('heading', { name: '没有权限' })
    screen.getByText('不是您的任务')
    expect(screen.getByRole('link', { name: '流程跟踪' }).getAttribute('href')).toBe('/from/workflow-track/i9/-')
  })

  it('starts a workflow with a new record, and leads to its course', async () => {
    answers['/api/runtime/workflow/start_form'] = makeLoad(null, null, { title: '二期' })
    answers['/api/runtime/form/submit'] = done({ workflowInstanceId: 'i7', bizObjectId: 'r7', version: 1 })
    const router = open('startWorkflowCode=measure')
    await screen.findByRole('heading', { name: /发起“计量期”/ })
    await press(/^提\s?交$/)
    await waitFor(() => expect(document.querySelector('[data-field="quantity"]')?.textContent).toContain('请填写'))
    await type('3')
    await press(/^提\s?交$/)
    await screen.findByRole('heading', { name: '流程已发起' })
    expect(server.of('/api/runtime/form/submit').at(-1)?.body).toEqual({
      workflowCode: 'measure',
      data: { quantity: '3' },
    })
    expect(sent.at(-1)?.get('Idempotency-Key')).toBeTruthy()
    expect(screen.getByRole('link', { name: '流程跟踪' }).getAttribute('href')).toBe('/from/workflow-track/i7')
    expect(screen.getByRole('link', { name: '再发起一个' }).getAttribute('href')).toBe(
      '/form/detail?startWorkflowCode=measure',
    )
    expect(router.state.location.pathname).toBe('/shared/success')
  })

  it('puts a start form aside by the key, goes on from a draft, keeps both of two devices, and drops it when it is sent', async () => {
    const draft = {
      ...{ id: 'd1', schemaCode: 'period', sheetCode: 'period', workflowCode: 'measure', modelName: '计量期' },
      ...{ title: '二期', createdTime: '2026-11-20T01:00:00Z', modifiedTime: '2026-11-20T01:00:00Z', usable: true },
      ...{ data: { quantity: '3' }, lost: 0 },
    }
    answers['/api/runtime/draft/load'] = draft
    answers['/api/runtime/draft/save'] = { id: 'd2', modifiedTime: '2026-11-20T02:00:00Z', apart: true }
    answers['/api/runtime/draft/delete'] = null
    answers['/api/runtime/workflow/start_form'] = makeLoad(null, null, { title: '二期' })
    answers['/api/runtime/form/submit'] = done({ workflowInstanceId: 'i7', bizObjectId: 'r7', version: 1 })
    open('startWorkflowCode=measure&draftId=d1')
    await waitFor(() => expect(box()?.value).toContain('3'))
    const keep = () => screen.getByRole<HTMLButtonElement>('button', { name: '存为草稿' })
    await waitFor(() => expect(keep().disabled).toBe(true)) // nothing was typed since
    await type('4')
    expect(keep().disabled).toBe(false)
    fireEvent.keyDown(window, { key: 's', ctrlKey: true })
    await screen.findByText('这份草稿已在其他设备上修改，此处的内容已另存为一份草稿')
    expect(server.of('/api/runtime/draft/save').at(-1)?.body).toMatchObject({
      ...{ id: 'd1', seen: draft.modifiedTime, workflowCode: 'measure', data: { quantity: '4' } },
    })
    expect(server.of('/api/runtime/form/submit')).toHaveLength(0)
    await press(/^提\s?交$/)
    await screen.findByRole('heading', { name: '流程已发起' })
    await waitFor(() => expect(server.of('/api/runtime/draft/delete').at(-1)?.body).toEqual({ ids: ['d2'] }))
  })

  it('says why a workflow cannot be started', async () => {
    answers['/api/runtime/workflow/start_form'] = () => refuse(403, 402002, '管理员账号不能发起流程')
    open('startWorkflowCode=measure')
    await screen.findByText('管理员账号不能发起流程')
  })

  it('leads from an instance without a task to its course', async () => {
    const router = open('workflowInstanceId=i9')
    await waitFor(() => expect(router.state.location.pathname).toBe('/from/workflow-track/i9'))
  })
})
