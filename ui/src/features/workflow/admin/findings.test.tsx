import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { makeInstance, person } from '../fixtures'
import { Findings } from './findings'

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
    expect(screen.getAllByText('移交任务、作废')).toHaveLength(2)
    const [link] = screen.getAllByRole('link', { name: '计量' })
    expect(link?.getAttribute('href')).toBe('/from/workflow-track/i1/-')
    fireEvent.click(screen.getByRole('button', { name: '立即检查' }))
    await waitFor(() => expect(audits).toHaveBeenCalledTimes(1))
    await screen.findByRole('status')
  })
})
