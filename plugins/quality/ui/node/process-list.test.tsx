import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { addTexts } from '@/testing/texts'
import { texts } from '../texts'
import { ProcessList } from './process-list'

beforeAll(async () => {
  await startI18n()
  addTexts(texts)
  await setLocale('en')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const draft = {
  ...{ id: 'b', schemaCode: 'q_record', title: 'Lot', bizKind: 'LOT', required: true, multi: true, instances: 1 },
  ...{ status: 'DRAFT', bizObjectId: 'r', workflowCode: 'q_lot' },
}

function open(mayFill: boolean) {
  const bizCount = { total: 1, done: 0 }
  const process = { id: 'p', name: 'Lot', status: 'DOING', prevIds: [], bizCount, biz: [{ ...draft, mayFill }] }
  fakeServer({
    '/api/quality/v2/jbs/node': [process],
    '/api/quality/v2/bizsheet/bind': [],
    '/api/runtime/workflow/start_list': { groups: [{ workflows: [{ workflowCode: 'q_lot' }] }] },
  })
  const node = { id: 'n', title: 'Slab', leaf: true }
  const router = createMemoryRouter([{ path: '*', element: <ProcessList node={node} may={undefined} /> }])
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
}

it('offers a draft for approval to those who fill in the sheet', async () => {
  open(true)
  await screen.findByRole('button', { name: 'Submit for approval Lot' })
})

it('says who fills in a sheet to those who approve it, and does not let them send it in their own name', async () => {
  open(false)
  await screen.findByText('filled in by those who can send it for approval')
  await screen.findByRole('button', { name: 'Open Lot' })
  await new Promise((resolve) => setTimeout(resolve, 50)) // the workflows that may be started have come
  expect(screen.queryByRole('button', { name: 'Submit for approval Lot' })).toBeNull()
})
