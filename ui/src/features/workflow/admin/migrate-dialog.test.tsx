import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import type { Fitting } from './admin-api'
import { MigrateDialog } from './migrate-dialog'

const fitting = (id: string, name: string, more: Partial<Fitting> = {}): Fitting => ({
  workflowInstanceId: id,
  instanceName: name,
  version: 1,
  state: 'PROCESSING',
  at: [],
  misfits: [],
  moved: false,
  errcode: 0,
  errmsg: '',
  ...more,
})

beforeAll(async () => {
  await startI18n()
  await Promise.all([loadAllTexts(), loadLaterTexts()])
  await setLocale('en')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('moves those that can go on and says of the others, by name, why they stay', async () => {
  const gone = { state: 'CANCELED', errcode: 401034, errmsg: "This workflow doesn't exist" } as const
  let asked: unknown[] = []
  fakeServer({
    '/api/runtime/workflow/migrate': ({ body }: { body: { ids: string[]; check: boolean } }) => {
      asked = [...asked, body]
      return body.ids.map((id) => (id === 'b' ? fitting(id, '', gone) : fitting(id, 'Gate', { moved: !body.check })))
    },
  })
  render(
    <App>
      <QueryClientProvider client={new QueryClient()}>
        <MigrateDialog
          workflowCode="approval"
          instances={[fitting('a', 'Gate'), fitting('b', 'Wall')]}
          onClose={() => {}}
          onDone={() => {}}
        />
      </QueryClientProvider>
    </App>,
  )
  const dialog = await screen.findByRole('dialog')
  const stays = await within(dialog).findByText('Wall')
  expect(stays.closest('li')?.textContent).toContain("This workflow doesn't exist")
  fireEvent.click(within(dialog).getByRole('button', { name: /move|migrate/i }))
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(asked[1]).toMatchObject({ ids: ['a'], check: false })
})
