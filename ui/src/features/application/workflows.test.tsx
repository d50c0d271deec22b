import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { Workflows } from './workflows'

const workflow = (workflowCode: string, change: object = {}) => ({
  workflowCode,
  label: { zh: workflowCode, i18n: {} },
  schemaCode: 'lot',
  modelLabel: { zh: '检验批', i18n: {} },
  published: true,
  steps: 2,
  running: 0,
  begun: false,
  draftTime: null,
  draftBy: null,
  mine: false,
  lockedBy: null,
  ...change,
})

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
afterEach(cleanup)

it('lists workflows that were begun, with whose draft it is and who edits it; all who may design continue them', async () => {
  const draft = { draftTime: '2026-11-26T08:00:00Z', draftBy: '王工' }
  const begun = { ...draft, begun: true, published: false, steps: 0 }
  fakeServer({
    '/api/app/workflow/list': [
      workflow('there', { ...draft, draftBy: '李工' }),
      workflow('mine', { ...begun, mine: true }),
      workflow('theirs', { ...begun, lockedBy: '王工' }),
      workflow('paused', { published: false }),
    ],
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <MemoryRouter>
          <Workflows appCode="a" />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  const [there, mine, theirs, paused] = (await screen.findAllByRole('listitem')) as HTMLElement[]
  expect(there?.textContent).toContain('李工 的草稿（2026-11-26 16:00）')
  expect(there?.textContent).not.toContain('未发布')
  expect(mine?.textContent).toContain('未发布')
  expect(mine?.textContent).not.toContain('0 个')
  const link = within(mine as HTMLElement).getByRole('link', { name: '继续“mine”（在新标签页打开）' })
  expect(link.getAttribute('href')).toBe('/workflow-design/a/mine')
  expect(theirs?.textContent).toContain('王工 的草稿')
  expect(theirs?.textContent).toContain('王工 正在编辑')
  expect(within(theirs as HTMLElement).getAllByRole('link')).toHaveLength(2)
  expect(paused?.textContent).toContain('草稿')
  expect(within(paused as HTMLElement).getAllByRole('link')).toHaveLength(2)
})
