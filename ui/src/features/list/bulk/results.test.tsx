import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ListConfig } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import type { BulkOutcome } from './api'
import { JobResults, OutcomeResults } from './results'

const config = { schemaCode: 's', queryCode: 'q' } as ListConfig
const result = (name: string, ok: boolean, code: number, message = '') => ({ objectId: name, name, ok, code, message })
const lines = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)

describe('the results of a bulk change', () => {
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  afterEach(cleanup)
  const draw = (inner: React.ReactNode) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>{inner}</MemoryRouter>
      </QueryClientProvider>,
    )

  it('say what else is wrong with records that were changed, behind those that were not', async () => {
    await setLocale('zh')
    const results = [
      result('a', true, 0),
      result('b', true, 302004, '桩号不能为空'),
      result('c', false, 302005, '没有权限'),
    ]
    const outcome = { jobId: null, logId: 'l', total: 3, successCount: 2, warnCount: 1, failCount: 1, results }
    draw(<OutcomeResults config={config} outcome={outcome as BulkOutcome} />)
    expect(lines()).toEqual(['c 没有权限', 'b 成功；另有问题：桩号不能为空', 'a 成功'])
    expect(screen.getByText('成功 2 条（其中 1 条另有问题），失败 1 条')).toBeTruthy()
  })

  it('of a job say so too', async () => {
    await setLocale('en')
    const done = { sequence: 1, recordId: 'b', name: 'b', ok: true, code: 302004, message: 'Section is required' }
    fakeServer({
      '/api/jobs/j/results': ({ search }: { search: URLSearchParams }) =>
        search.get('failed') === 'true' ? { content: [], totalElements: 0 } : { content: [done], totalElements: 1 },
    })
    draw(<JobResults config={config} id="j" done={1} warned={1} />)
    expect(await screen.findByText('1 succeeded (1 with warnings), 0 failed')).toBeTruthy()
    expect(lines()).toEqual(['b Done, with a warning: Section is required'])
  })
})
