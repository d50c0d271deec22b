import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { Prints } from './prints'

const print = (printCode: string, change: object = {}) => ({
  printCode,
  label: { zh: printCode, i18n: {} },
  schemaCode: 'lot',
  modelLabel: { zh: '检验批', i18n: {} },
  pages: 2,
  external: false,
  published: true,
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

it('lists templates that were begun, with whose draft it is and who edits it; all who may design continue them', async () => {
  const draft = { draftTime: '2026-11-26T08:00:00Z', draftBy: '王工' }
  fakeServer({
    '/api/app/print/list': [
      print('record', { ...draft, draftBy: '李工' }),
      print('mine', { ...draft, published: false, mine: true, pages: 0 }),
      print('theirs', { ...draft, published: false, pages: 0, lockedBy: '王工' }),
    ],
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <MemoryRouter>
          <Prints appCode="a" />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  const rows = await screen.findAllByRole('listitem')
  const [published, mine, theirs] = rows as [HTMLElement, HTMLElement, HTMLElement]
  expect(published.textContent).toContain('2 页')
  expect(published.textContent).toContain('李工 的草稿（2026-11-26 16:00）')
  expect(published.textContent).not.toContain('未发布')
  expect(mine.textContent).toContain('未发布')
  expect(mine.textContent).not.toContain('0 页')
  expect(within(mine).getByRole('link', { name: '继续“mine”（在新标签页打开）' }).getAttribute('href')).toBe(
    '/print-design/a/mine',
  )
  expect(theirs.textContent).toContain('王工 的草稿')
  expect(theirs.textContent).toContain('王工 正在编辑')
  expect(within(theirs).getAllByRole('link')).toHaveLength(2)
})
