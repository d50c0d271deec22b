import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { fakeServer } from '@/testing/fake-server'
import { RecordRoute } from './record-route'

const patient = { timeout: 10_000 }
const fields = [{ propertyCode: 'name', propertyType: 0, name: '名称', name_i18n: {}, settings: {}, children: null }]
const load = {
  id: 'r1',
  version: 1,
  name: '一号',
  actions: ['save'],
  data: { name: '一号' },
  form: {
    schemaCode: 's',
    sheetCode: 's',
    modelName: '检验批',
    modelName_i18n: {},
    columns: 1,
    fields,
    layout: [{ type: 'Field', propertyCode: 'name' }],
    schema: { type: 'object', properties: { name: { type: 'string' } } },
    uiSchema: {},
    buttons: [],
  },
}

describe('a record on a page of its own', { timeout: 60_000 }, () => {
  let server: ReturnType<typeof fakeServer>
  const box = () => document.querySelector<HTMLInputElement>('[data-field="name"] input')
  const open = (search: string) => {
    const router = createMemoryRouter([{ path: '/form/detail', element: <RecordRoute /> }], {
      initialEntries: [`/form/detail?${search}`],
    })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>,
    )
    return () => new URLSearchParams(router.state.location.search)
  }
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadWidgets([0])
    await setLocale('zh')
  })
  beforeEach(() => {
    vi.stubGlobal(
      'EventSource',
      class extends EventTarget {
        close() {}
      },
    )
    let now = load
    server = fakeServer({
      '/api/system/config': () => ({ timezone: 'UTC' }),
      '/api/runtime/form/load': () => now,
      '/api/runtime/form/save': ({ body }: { body: unknown }) => {
        now = { ...load, version: 2, data: { ...load.data, ...(body as typeof load).data } }
        return { id: 'r1', version: 2 }
      },
    })
  })
  afterEach(() => {
    cleanup()
    vi.restoreAllMocks()
  })

  it('is read at its address once it was saved: that asks for no editing any more', async () => {
    const search = open('schemaCode=s&objectId=r1&queryCode=q&edit=1')
    await waitFor(() => expect(box()).not.toBeNull(), patient)
    fireEvent.change(box() as HTMLInputElement, { target: { value: '二号' } })
    expect(search().get('edit')).toBe('1')
    fireEvent.keyDown(window, { key: 's', ctrlKey: true })
    await waitFor(() => expect(search().has('edit')).toBe(false), patient)
    expect(server.of('/api/runtime/form/save')).toHaveLength(1)
    expect(Object.fromEntries(search())).toEqual({ schemaCode: 's', objectId: 'r1', queryCode: 'q' })
    await waitFor(() => expect(box()).toBeNull())
  })

  it('says that the network is away while it is edited', async () => {
    open('schemaCode=s&objectId=r1&edit=1')
    await waitFor(() => expect(box()).not.toBeNull(), patient)
    const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(await screen.findByText(/^网络已断开/)).toBeTruthy()
    line.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(screen.queryByText(/^网络已断开/)).toBeNull())
  })
})
