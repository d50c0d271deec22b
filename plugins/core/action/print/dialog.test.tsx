import type { ActionContext } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refuse } from '@/testing/fake-server'
import { PrintDialog } from './dialog'
import { action } from './ui'

const template = (code: string, external = false) => ({
  code,
  name: code === 'lot' ? '检验记录' : '外部模板',
  name_i18n: { en: code === 'lot' ? 'Lot record' : 'Other program' },
  external,
})
const whole = (code: string, more: object = {}) => ({
  id: code,
  ...template(code),
  pageSettings: null,
  draftAttributesJson: [{ elements: [{ eleType: 'text' }] }],
  printJson: null,
  templates: [template(code)],
  ...more,
})

describe('the button that prints', () => {
  let say: { success: ReturnType<typeof vi.fn>; warning: ReturnType<typeof vi.fn>; error: ReturnType<typeof vi.fn> }
  let router: ReturnType<typeof createMemoryRouter>
  const onClose = vi.fn()
  beforeEach(() => {
    say = { success: vi.fn(), warning: vi.fn(), error: vi.fn() }
    onClose.mockClear()
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  function press(attributes: unknown, ids = ['a', 'b'], locale: 'zh' | 'en' = 'en') {
    const server = fakeServer({
      '/api/runtime/print/attributes': attributes,
      '/api/runtime/print/load_data': [{ id: 'a' }],
      '/api/runtime/print/batch': () => new Promise(() => {}), // the job has its own tests
    })
    const t = (key: string, values: object = {}) => [key, ...Object.values(values)].join(' ')
    const at = { schemaCode: 'inspection', queryCode: 'inspection', sheetCode: null }
    const context = { ...at, ids, t, locale, say } as unknown as ActionContext
    const element = <PrintDialog context={context} onClose={onClose} />
    router = createMemoryRouter(
      [
        { path: '/', element },
        { path: '/print', element: null },
      ],
      { initialEntries: ['/'] },
    )
    render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
    return server
  }
  const opened = (code: string) =>
    waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe(
        `/print?schemaCode=inspection&queryCode=inspection&code=${code}&objectIds=a%2Cb`,
      ),
    )

  it('rests until a row is ticked', () => {
    expect(action.enabled?.([], {} as never)).toBe(false)
    expect(action.enabled?.([{} as never], {} as never)).toBe(true)
  })

  it('opens the preview at once where there is one template', async () => {
    press(whole('lot'))
    await opened('lot')
    expect(onClose).toHaveBeenCalled()
  })

  it('asks for the templates that fit the records', async () => {
    const { of } = press(whole('lot'))
    await opened('lot')
    expect(of('/api/runtime/print/attributes')[0]?.search.get('objectIds')).toBe('a,b')
  })

  it('asks for one of several, by their names in the language of the reader', async () => {
    press(({ search }: { search: URLSearchParams }) =>
      whole(search.get('code') ?? 'lot', { templates: [template('lot'), template('other', true)] }),
    )
    expect((await screen.findAllByRole('listitem')).map((one) => one.textContent)).toEqual([
      'Lot record',
      'Other programbulk.printExternal',
    ])
    screen.getByRole('button', { name: 'Lot record' }).click()
    await opened('lot')
  })

  it('hands records to the program of a template with printJson', async () => {
    const heard = vi.fn()
    window.addEventListener('startToPrintBatch', (event) => heard((event as CustomEvent).detail), { once: true })
    const { of } = press(whole('label', { draftAttributesJson: null, printJson: { width: 60 } }))
    await waitFor(() => expect(say.success).toHaveBeenCalledWith('bulk.printHanded 2'))
    expect(heard).toHaveBeenCalledWith({ code: 'label', printJson: { width: 60 }, data: [{ id: 'a' }] })
    expect(of('/api/runtime/print/load_data')[0]?.body).toEqual({
      schemaCode: 'inspection',
      queryCode: 'inspection',
      objectIds: ['a', 'b'],
    })
    expect(router.state.location.pathname).toBe('/')
  })

  it.each([
    ['no template, for 4 seconds', () => refuse(422, 306001, '没有定制的打印模板'), ['没有定制的打印模板', 4]],
    ['an empty template', whole('lot', { draftAttributesJson: [{ elements: [] }] }), ['bulk.printEmpty']],
  ])('says %s', async (_, attributes, words) => {
    press(attributes)
    await waitFor(() => expect(say.warning).toHaveBeenCalledWith(...words))
    expect(onClose).toHaveBeenCalled()
    expect(router.state.location.pathname).toBe('/')
  })

  it('says other refusals as such', async () => {
    press(() => refuse(403, 100004, 'no'))
    await waitFor(() => expect(say.error).toHaveBeenCalledWith(expect.objectContaining({ code: 100004 })))
  })

  const many = Array.from({ length: 101 }, (_, i) => `r${i}`)

  it('has a job print more than 100 records', async () => {
    const { of } = press(whole('lot'), many)
    expect(await screen.findByText('bulk.printBatchSome 101')).toBeTruthy()
    screen.getByRole('radio', { name: 'bulk.printEach' }).click()
    screen.getByRole('button', { name: 'bulk.printStart' }).click()
    await waitFor(() => expect(of('/api/runtime/print/batch')).toHaveLength(1))
    expect(of('/api/runtime/print/batch')[0]?.body).toEqual({
      schemaCode: 'inspection',
      queryCode: 'inspection',
      code: 'lot',
      filePerRecord: true,
      objectIds: many,
    })
    expect(router.state.location.pathname).toBe('/')
  })

  it('hands 100 records to another program at most', async () => {
    press(whole('label', { draftAttributesJson: null, printJson: {} }), many)
    await waitFor(() => expect(say.warning).toHaveBeenCalledWith('bulk.printTooMany 100'))
  })
})
