import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import type { ComponentType } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ERROR } from '@/api/errors.gen'
import { lazyButton } from '@/components/button-slot'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { addPack } from '@/registry/registry'
import { defineRecordPart } from '@/sdk/pack'
import { fakeServer, refuse } from '@/testing/fake-server'
import { placesOf } from '@/testing/places'
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
  let now: typeof load
  let submit: () => unknown
  let save: (body: unknown) => unknown
  const box = () => document.querySelector<HTMLInputElement>('[data-field="name"] input')
  const open = (search: string, state: unknown = null) => {
    const pages = [
      { path: '/form/detail', element: <RecordRoute /> },
      { path: '/*', element: <p>elsewhere</p> },
    ]
    const router = createMemoryRouter(pages, {
      initialEntries: ['/before', { pathname: '/form/detail', search: `?${search}`, state }],
    })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>,
    )
    return Object.assign(() => new URLSearchParams(router.state.location.search), {
      path: () => router.state.location.pathname,
    })
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
    now = load
    save = (body) => {
      now = { ...now, version: 2, data: { ...load.data, ...(body as typeof load).data } }
      return { id: 'r1', version: 2 }
    }
    server = fakeServer({
      '/api/system/config': () => ({ timezone: 'UTC' }),
      '/api/runtime/comment/list': { content: [], total: 0 },
      '/api/runtime/form/load': () => now,
      '/api/runtime/form/save': ({ body }: { body: unknown }) => save(body),
      '/api/runtime/form/submit': () => submit(),
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

  it.each([
    ['/application/a/application-list/s', '/application/a/application-list/s'],
    ['//evil.example/x', '/before'],
    ['/\t/evil.example', '/before'], // the others: address.test.ts
  ])('closing one that is not there leads to %j if that is a path of this server', async (back, leads) => {
    window.history.replaceState({ idx: 1 }, '')
    server = fakeServer({
      '/api/system/config': () => ({ timezone: 'UTC' }),
      '/api/runtime/form/load': () => refuse(404, ERROR.RecordNotFound, '没有此记录'),
    })
    const search = open(`schemaCode=s&objectId=gone&return=${encodeURIComponent(back)}`)
    fireEvent.click(await screen.findByRole('button', { name: /返\s?回/ }, patient))
    await waitFor(() => expect(search.path()).toBe(leads))
  })

  it('one that was opened by its address never leaves the application: what lies before it is another document', async () => {
    vi.spyOn(window.history, 'length', 'get').mockReturnValue(2)
    window.history.replaceState({ idx: 0 }, '')
    server = fakeServer({
      '/api/system/config': () => ({ timezone: 'UTC' }),
      '/api/runtime/form/load': () => refuse(404, ERROR.RecordNotFound, '没有此记录'),
    })
    const search = open('schemaCode=s&objectId=gone')
    fireEvent.click(await screen.findByRole('button', { name: /返\s?回/ }, patient))
    await waitFor(() => expect(search.path()).toBe('/'))
  })

  it('a new one that is saved leads to the address that it was given', async () => {
    now = { ...load, id: null, version: 0, name: '', data: { name: null } } as unknown as typeof load
    const search = open('schemaCode=s&return=%2Fapplication%2Fa')
    await waitFor(() => expect(box()).not.toBeNull(), patient)
    fireEvent.change(box() as HTMLInputElement, { target: { value: '乙' } })
    fireEvent.keyDown(window, { key: 's', ctrlKey: true })
    await waitFor(() => expect(search.path()).toBe('/application/a'), patient)
  })

  it('a new record after another one begins with what the link gave', async () => {
    now = { ...load, id: null, version: 0, name: '', data: { name: null } } as unknown as typeof load
    open('schemaCode=s', { given: { name: '甲' } })
    await waitFor(() => expect(box()?.value).toBe('甲'), patient)
    fireEvent.change(box() as HTMLInputElement, { target: { value: '乙' } })
    fireEvent.click(screen.getByRole('button', { name: '保存并继续新增' }))
    await waitFor(() => expect(server.of('/api/runtime/form/save')).toHaveLength(1), patient)
    await waitFor(() => expect(box()?.value).toBe('甲'), patient)
  })

  it('from Edit to the field and from Save to Edit: the focus is never lost, and what comes late moves nothing', async () => {
    const come: ((loaded: ComponentType) => void)[] = []
    const file = () => new Promise<ComponentType>((resolve) => come.push(resolve))
    addPack({
      pack: 'talk',
      parts: [defineRecordPart({ name: 'talk', place: 'head', models: ['s'], Part: lazyButton(file, 'talk') })],
    })
    let answer = () => {}
    open('schemaCode=s&objectId=r1')
    const edit = await screen.findByRole('button', { name: /编\s?辑/ }, patient)
    const before = placesOf(screen.getByRole('banner'))
    await waitFor(() => expect(come.length).toBeGreaterThan(0))
    await act(async () => come.forEach((here) => void here(() => <button type="button">议论</button>)))
    expect(screen.getByText('议论')).toBeTruthy()
    before()
    edit.focus()
    fireEvent.click(edit)
    await waitFor(() => expect(document.activeElement).toBe(box()), patient)
    fireEvent.change(box() as HTMLInputElement, { target: { value: '二号' } })
    save = () =>
      new Promise((resolve) => {
        answer = () => resolve({ id: 'r1', version: 2 })
      })
    const saving = screen.getByRole('button', { name: /^保\s?存$/ })
    const bar = placesOf(saving.parentElement as Element)
    saving.focus()
    fireEvent.click(saving)
    await waitFor(() => expect(server.of('/api/runtime/form/save')).toHaveLength(1))
    bar() // it is under way
    expect(document.activeElement).toBe(saving)
    await act(async () => answer())
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/编\s?辑/), patient)
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

  describe('with a form that submits', () => {
    const edited = async () => {
      now = {
        ...load,
        actions: ['save', 'submit'],
        form: { ...load.form, startWorkflowCode: 'approval' } as typeof load.form,
      }
      const search = open('schemaCode=s&objectId=r1&edit=1')
      await waitFor(() => expect(box()).not.toBeNull(), patient)
      fireEvent.change(box() as HTMLInputElement, { target: { value: '二号' } })
      fireEvent.click(screen.getByRole('button', { name: /提\s?交/ }))
      return search
    }
    const sent = () => server.of('/api/runtime/form/submit').map(({ body }) => body)
    const request = { workflowCode: 'approval', objectId: 'r1', data: {} }

    it('saves what was typed, and starts the workflow with it', async () => {
      submit = () => {
        expect(server.of('/api/runtime/form/save')).toHaveLength(1)
        now = { ...now, actions: [] }
        return { workflowInstanceId: 'i1', bizObjectId: 'r1', version: 2 }
      }
      await edited()
      await screen.findByText('已提交')
      expect(sent()).toEqual([request])
      await waitFor(() => expect(box()).toBeNull())
      await waitFor(() => expect(screen.queryByRole('button', { name: /提\s?交/ })).toBeNull())
    })

    it('says why it was refused, and is submitted as it was saved', async () => {
      submit = () => refuse(403, ERROR.StartRefused, '您不能发起此流程')
      const search = await edited()
      await screen.findByText('您不能发起此流程')
      await waitFor(() => expect(box()).toBeNull())
      expect(Object.fromEntries(search())).toEqual({ schemaCode: 's', objectId: 'r1' })
      submit = () => ({ workflowInstanceId: 'i1', bizObjectId: 'r1', version: 2 })
      const head = screen.getByRole('banner')
      fireEvent.click(within(head).getByRole('button', { name: /提\s?交/ }))
      await screen.findByText('已提交')
      expect(sent()).toEqual([request, request])
      expect(server.of('/api/runtime/form/save')).toHaveLength(1)
    })

    it('a save after a submit that failed starts nothing', async () => {
      let refused = true
      const saves = server.of('/api/runtime/form/save').length
      fakeServer({
        '/api/system/config': () => ({ timezone: 'UTC' }),
        '/api/runtime/form/load': () => now,
        '/api/runtime/form/save': () =>
          refused ? refuse(409, ERROR.RecordBusy, '请稍后再试') : { id: 'r1', version: 2 },
        '/api/runtime/form/submit': () => {
          throw new Error('nobody asked for it')
        },
      })
      await edited()
      expect(saves).toBe(0)
      await screen.findByText('请稍后再试')
      refused = false
      // As the Enter key does.
      fireEvent.submit(box()?.closest('form') as HTMLFormElement)
      await screen.findByText('已保存')
      await waitFor(() => expect(box()).toBeNull())
    })

    it('opens the form of the start where people have to be chosen', async () => {
      submit = () => refuse(400, ERROR.ChoiceNeeded, '请选择处理人')
      const search = await edited()
      await screen.findByText('请选择处理人')
      await waitFor(() => expect(Object.fromEntries(search())).toEqual({ startWorkflowCode: 'approval', key: 'r1' }))
    })
  })
})
