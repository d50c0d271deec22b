import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeDesk } from '@/testing/fake-desk'
import { fakeServer } from '@/testing/fake-server'
import { ReadingPage } from './reading-page'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
afterEach(cleanup)

const report = {
  name: '工程统计',
  dataSets: [{ code: 'lots', schemaCode: 'lot', measures: [{ code: 'n', sumType: 'count', name: '检验批' }] }],
  charts: [{ code: 'c', name: '总数', chartType: 'figure', dataSet: 'lots' }],
}

function open(address: string) {
  const desk = fakeDesk({ kind: 'report', code: 'month', appCode: 'lock', document: report })
  const opened = desk.answers['/api/design/document'] as () => object
  const server = fakeServer({ ...desk.answers, '/api/design/document': () => ({ ...opened(), readOnly: true }) })
  const router = createMemoryRouter([{ path: '/document/:kind/:appCode/:code', element: <ReadingPage /> }], {
    initialEntries: [address],
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
  return server
}

describe('a document that is only read', () => {
  it('shows what is in it and its source, and offers nothing to change', async () => {
    const server = open('/document/report/lock/month')
    const sets = await screen.findByRole('region', { name: '数据集' })
    expect(within(sets).getByText('检验批')).toBeTruthy()
    expect(screen.getByText(/此内容在文件中维护/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /发\s?布/ })).toBeNull()
    expect(server.of('/api/design/lock')).toHaveLength(0)
    expect(server.of('/api/design/check')).toHaveLength(0)
    fireEvent.click(screen.getByText('源码'))
    const text = screen.getByRole<HTMLTextAreaElement>('textbox')
    expect(text.value).toContain('"dataSets"')
    expect(text.readOnly).toBe(true)
    expect(server.of('/api/design/draft')).toHaveLength(0)
  })

  it('knows its kinds', async () => {
    open('/document/model/lock/lot')
    expect(await screen.findByText('没有此内容')).toBeTruthy()
  })
})
