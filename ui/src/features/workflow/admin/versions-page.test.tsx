import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { VersionsPage } from './versions-page'

const fitting = (id: string) => ({
  workflowInstanceId: id,
  instanceName: `订单 ${id}`,
  version: 1,
  state: 'PROCESSING',
  at: [{ name: '审核', name_i18n: {} }],
  misfits: [],
  moved: false,
  errcode: 0,
  errmsg: '',
})

describe('the versions of a workflow', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await startI18n()
    await Promise.all([loadAllTexts(), loadLaterTexts()])
    await setLocale('zh')
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  it('says where an older version has more instances than are listed, and nothing where all are', async () => {
    const version = (number: number, count: number) => ({
      version: number,
      current: false,
      createdTime: null,
      count,
      instances: [fitting(`${number}a`), fitting(`${number}b`)],
    })
    fakeServer({
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/organization/user/info': { permissions: ['WORKFLOW_ADMIN'] },
      '/api/runtime/workflow/version_counts': [
        { workflowCode: 'order', workflowName: '订单', workflowName_i18n: {}, count: 703, old: 703 },
      ],
      '/api/runtime/workflow/versions': [version(2, 2), version(1, 701)],
    })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={['/workflow-center/workflow-versions?workflowCode=order']}>
            <VersionsPage />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
    await screen.findByText('订单 1a')
    expect(screen.getAllByText(/列出最新的/)).toHaveLength(1)
    screen.getByText('列出最新的 2 个（共 701 个）；这些结束或迁移后，将列出较早的。')
  })
})
