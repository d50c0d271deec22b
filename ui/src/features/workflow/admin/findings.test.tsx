import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { makeInstance, person } from '../fixtures'
import { Findings } from './findings'

function Address() {
  return <p data-testid="address">{useLocation().pathname}</p>
}

describe('what audits of workflows found', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    await setLocale('zh')
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  it('names the problem, whose it is and the ways out, leads to the instance, and is looked for again', async () => {
    const audits = vi.fn(() => ({ jobId: 'j1' }))
    const left = {
      kind: 'LEFT',
      activityCode: 'n1',
      activityName: '审核',
      person: person('u9', '王五'),
      workItemId: 'w1',
    }
    const owner = { kind: 'OWNER', activityCode: '', activityName: '', person: person('u0', '张三'), workItemId: null }
    const content = [left, owner].map((one) => ({
      ...one,
      foundTime: '2026-11-20T03:30:00Z',
      activityName_i18n: {},
      ways: ['handOver', 'void'],
      instance: makeInstance('i1', { instanceName: '计量' }),
    }))
    fakeServer({
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/runtime/workflow/findings': { content, totalElements: 2 },
      '/api/runtime/workflow/audit': audits,
    })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter>
            <Findings />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
    await screen.findByText('任务的处理人 王五 已离开')
    screen.getByText('发起人 张三 已离开')
    expect(screen.getAllByRole('button', { name: '移交任务：计量' })).toHaveLength(2)
    const [link] = screen.getAllByRole('link', { name: '计量' })
    expect(link?.getAttribute('href')).toBe('/from/workflow-track/i1/-')
    fireEvent.click(screen.getByRole('button', { name: '立即检查' }))
    await waitFor(() => expect(audits).toHaveBeenCalledTimes(1))
    await screen.findByRole('status')
  })

  it('does what one act is the way out of, asks first, and leads to the steps where one has to be chosen', async () => {
    const of = (kind: string, more: object) => ({
      kind,
      activityCode: '',
      activityName: '',
      activityName_i18n: {},
      person: null,
      workItemId: null,
      foundTime: '2026-11-20T03:30:00Z',
      ...more,
    })
    const left = {
      activityCode: 'n1',
      person: person('u9', '王五'),
      workItemId: 'w1',
      ways: ['handOver', 'adjust', 'jump', 'void'],
    }
    const summary = [{ propertyCode: 'amount', name: '金额', name_i18n: {}, text: '5,000.00' }]
    const content = [
      of('LEFT', { ...left, instance: makeInstance('i1', { instanceName: '计量', summary }) }),
      of('BROKEN', { ways: ['delete'], instance: makeInstance('i2', { instanceName: '付款', current: [] }) }),
    ]
    const sent: Record<string, unknown> = {}
    const heard = (name: string, answer: unknown) => (call: { body: unknown }) => {
      sent[name] = call.body
      return answer
    }
    const successor = { id: 'u7', name: '孙七', detail: 'sun', disabled: false }
    fakeServer({
      '/api/organization/user/info': { id: 'u0', name: '张三', permissions: ['WORKFLOW_ADMIN'] },
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/runtime/workflow/findings': { content, totalElements: 2 },
      '/api/runtime/workflow/preview': { nodes: [], closes: [], waits: false, ends: true, fault: null },
      '/api/runtime/workflow/void': heard('void', {}),
      '/api/runtime/workflow/delete': heard('delete', null),
      '/api/runtime/workflow/adjust': heard('adjust', {}),
      '/api/runtime/workitem/participants': [successor],
      '/api/runtime/workitem/hand_over': heard('handOver', { results: [], left: 0 }),
    })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={['/here']}>
            <Findings />
            <Address />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
    await screen.findByText('无法读取流程的过程')
    expect(screen.getByText('金额').closest('tr')?.textContent).toContain('5,000.00')
    expect(screen.queryByRole('link', { name: '付款' })).toBeNull()
    expect(screen.getByRole('link', { name: '跳转：计量' }).getAttribute('href')).toBe('/from/workflow-track/i1/-')
    const press = async (way: string, inDialog: string) => {
      fireEvent.click(screen.getByRole('button', { name: way }))
      const dialog = await screen.findByRole('dialog')
      expect(sent).toEqual({})
      return { dialog, confirm: within(dialog).getByRole('button', { name: new RegExp([...inDialog].join(' ?')) }) }
    }
    const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

    fireEvent.click((await press('作废：计量', '作废')).confirm)
    await waitFor(() => expect(sent).toMatchObject({ void: { workflowInstanceId: 'i1' } }))
    await gone()
    delete sent.void
    const over = await press('移交任务：计量', '移交')
    fireEvent.mouseDown(within(over.dialog).getByRole('combobox'))
    fireEvent.click(await screen.findByText('孙七'))
    fireEvent.click(over.confirm)
    await waitFor(() => expect(sent).toMatchObject({ handOver: { from: 'u9', to: 'u7' } }))
    await gone()
    delete sent.handOver
    const people = await press('调整处理人：计量', '调整')
    fireEvent.click(within(people.dialog).getByRole('checkbox', { name: '张三' }))
    fireEvent.click(people.confirm)
    await waitFor(() => expect(sent).toMatchObject({ adjust: { activityCode: 'n1', remove: ['u0'] } }))
    await gone()
    delete sent.adjust
    fireEvent.click((await press('删除：付款', '删除')).confirm)
    await waitFor(() => expect(sent).toMatchObject({ delete: { workflowInstanceId: 'i2' } }))
    await gone()
    expect(screen.getByTestId('address').textContent).toBe('/here')
  })
})
