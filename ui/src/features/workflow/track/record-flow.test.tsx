import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { makeInstance } from '../fixtures'
import { flowPart } from './flow-part'
import { RecordFlow } from './record-flow'

describe('the workflow of a record', () => {
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    await setLocale('zh')
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
  })
  afterEach(cleanup)
  const show = async (answer: object) => {
    fakeServer({
      '/api/runtime/workflow/base_info': answer,
      '/api/organization/user/info': { id: 'u0', name: '张三', permissions: [] },
      '/api/system/config': { timezone: 'Asia/Shanghai' },
    })
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <RecordFlow schemaCode="period" objectId="r1" />
        </MemoryRouter>
      </QueryClientProvider>,
    )
    return within(await screen.findByRole('region', { name: '流程状态' }))
  }
  const hrefOf = (of: HTMLElement | null) => of?.getAttribute('href')

  it('says where it is, with whom, and leads to the task of the reader', async () => {
    const bar = await show({ instance: makeInstance('i1'), status: 'PROCESSING', workItemId: 't1' })
    bar.getByText('进行中')
    bar.getByText('专业监理')
    bar.getByText('处理人：张三')
    expect(hrefOf(bar.getByRole('link', { name: '处理任务' }))).toBe('/form/detail?workItemId=t1&workflowInstanceId=i1')
    expect(hrefOf(bar.getByRole('link', { name: '流程跟踪' }))).toBe('/from/workflow-track/i1/t1')
  })

  it('leads to no task where nothing waits for the reader', async () => {
    const instance = makeInstance('i1', {
      state: 'COMPLETED',
      result: 'AGREED',
      current: [],
      finishTime: '2026-11-21T01:00:00Z',
    })
    const bar = await show({ instance, status: 'COMPLETED', workItemId: null })
    bar.getByText('已通过')
    bar.getByText('完成时间：2026-11-21 09:00')
    expect(bar.queryByRole('link', { name: '处理任务' })).toBeNull()
    expect(hrefOf(bar.getByRole('link', { name: '流程跟踪' }))).toBe('/from/workflow-track/i1/-')
  })

  it('is there only for records that have been in a workflow', () => {
    const record = { schemaCode: 'period', actions: [] }
    expect(flowPart.when?.({ ...record, workflowInstanceId: null })).toBe(false)
    expect(flowPart.when?.({ ...record, workflowInstanceId: 'i1' })).toBe(true)
  })
})
