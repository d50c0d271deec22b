import type { ActionContext } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { addTexts } from '@/testing/texts'
import Disable from './disable'
import { texts } from './texts'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  addTexts(texts)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const things = [
  { kind: 'session', count: 2, disabled: 'ends' },
  { kind: 'draft', count: 3, disabled: 'stays' },
  { kind: 'link', count: 1, disabled: 'pauses' },
  { kind: 'token', count: 0, disabled: 'ends' },
]

function show(content: unknown) {
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (_: unknown, init: RequestInit) => {
    asked.push(JSON.parse(String(init.body)).input)
    return Response.json({ errcode: 0, errmsg: '', data: { data: { content } } })
  })
  const call = vi.fn(async () => null)
  const onClose = vi.fn()
  const context = {
    ...{ schemaCode: 'user', queryCode: 'user', button: { actionCode: 'disableUser' }, ids: ['li'], call },
    rows: [{ id: 'li', data: { name: 'Li' } }],
  } as unknown as ActionContext
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <Disable context={context} onClose={onClose} />
      </App>
    </QueryClientProvider>,
  )
  return { asked, call, onClose }
}

it.each([
  ['en', ['Sessions2Ends for good', 'External links1Paused until enabled', 'Drafts3Stays'], 'Disable'],
  ['zh', ['登录2结束，不再恢复', '外部链接1暂停，启用后恢复', '草稿3保留'], '停用'],
] as const)('says in %s what a person has before the account is disabled', async (locale, rows, word) => {
  await setLocale(locale)
  const { asked, call, onClose } = show(things)
  await waitFor(() => expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual(rows))
  expect(asked).toEqual([{ look: true }])
  expect(call).not.toHaveBeenCalled()
  const button = screen.getAllByRole('button').find((one) => one.textContent?.replace(/\s/g, '') === word)
  fireEvent.click(button as HTMLElement)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(call).toHaveBeenCalledTimes(1)
})

it('says that nothing is left', async () => {
  await setLocale('en')
  show([])
  await screen.findByText('This person has no links, tokens, tasks or the like.')
})
