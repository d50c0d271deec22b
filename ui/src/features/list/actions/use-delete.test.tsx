import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Row } from '@/api/types'
import { MESSAGES } from '@/sdk/feedback'
import { fakeServer, refuse } from '@/testing/fake-server'
import type { ListController } from '../use-list-controller'
import { useDelete } from './use-delete'

const CHECK = '/api/runtime/query/delete_check'
const DELETE = '/api/runtime/query/delete'

const afterDelete = vi.fn()
const controller = {
  config: { schemaCode: 'lot', queryCode: 'lots', modelName: '批', modelName_i18n: {}, recycle: false },
  store: { getState: () => ({ all: false }) },
  afterDelete,
} as unknown as ListController

const rows = ['a', 'b'].map((id) => ({ id, data: {} })) as unknown as Row[]
let remove: ReturnType<typeof useDelete>

function Page() {
  remove = useDelete(controller)
  return null
}

/** Deletes both rows and confirms. */
async function deleteBoth(answers: Record<string, unknown>) {
  const server = fakeServer({
    '/api/system/config': { name: '', timezone: 'UTC', version: '', dev: false, digest: '' },
    [CHECK]: ['a', 'b'].map((objectId) => ({ objectId, relativeModel: null, resultCode: 1000, resultDesc: '' })),
    ...answers,
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App message={MESSAGES}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  void remove(rows)
  fireEvent.click(await screen.findByRole('button', { name: 'common.delete' }))
  return server
}

/**
 * How long a text is seen, in seconds. The clock also goes on by itself, and on a busy machine a look comes late, so it is read at the changes
 * of the page.
 */
async function seen(text: string) {
  let from = screen.queryByText(text) ? Date.now() : 0
  let to = 0
  const watch = new MutationObserver(() => {
    const there = screen.queryByText(text) !== null
    if (there && from === 0) from = Date.now()
    if (!there && from > 0 && to === 0) to = Date.now()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  await screen.findByText(text)
  for (let i = 0; i < 40 && to === 0; i++) await act(() => vi.advanceTimersByTimeAsync(250))
  watch.disconnect()
  return (to - from) / 1000
}

const result = (successCount: number, gone: string[]) => ({
  successCount,
  errorCount: gone.length,
  errors: gone.map((objectId) => ({ objectId, resultCode: 1004, resultDesc: '' })),
  recycled: false,
})

describe('deleting', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    afterDelete.mockClear()
  })
  afterEach(() => {
    vi.useRealTimers()
    cleanup()
  })

  it('sends the ids to both calls, says that all went and tells the list how many', async () => {
    const { of } = await deleteBoth({ [DELETE]: result(2, []) })
    await screen.findByText('list.deleted')
    for (const path of [CHECK, DELETE])
      expect(of(path)[0]?.body).toEqual({ schemaCode: 'lot', queryCode: 'lots', ids: ['a', 'b'] })
    expect(afterDelete).toHaveBeenCalledWith(2)
  })

  it.each([
    ['some stayed', 'list.deletedPartly', 1, ['b']],
    ['all stayed', 'list.noDeletePermission', 0, ['a', 'b']],
  ])('when %s it says so for four seconds', async (_, words, done, gone) => {
    await deleteBoth({ [DELETE]: result(done, gone) })
    const seconds = await seen(words)
    expect(seconds).toBeGreaterThan(3.5)
    expect(seconds).toBeLessThan(5.2)
    expect(document.querySelector('.ant-message-success')).toBeNull()
  })

  it('that fails says so for three seconds', async () => {
    await deleteBoth({ [DELETE]: () => refuse(500, 999999, 'broken') })
    const seconds = await seen('list.deleteFailed')
    expect(seconds).toBeGreaterThan(2.5)
    expect(seconds).toBeLessThan(4.2)
    expect(afterDelete).not.toHaveBeenCalled()
  })
})
