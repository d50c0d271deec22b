import type { ActionContext } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '@/testing/fake-server'
import { press, type } from '@/testing/keys'
import { LabelsDialog } from './dialog'
import { action } from './ui'

const item = (code: string, name: string, more: object = {}) => ({
  code,
  name,
  name_i18n: {},
  subSchema: null,
  ...more,
})
const items = [
  item('lotNo', '编号'),
  item('owner', '拥有者', { defaultProperty: true }),
  item('rows', '明细', { subSchema: { properties: [] } }),
]

describe('the button of labels', () => {
  const warning = vi.fn()
  const onClose = vi.fn()
  beforeEach(() => {
    warning.mockClear()
    onClose.mockClear()
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  function open(ids = ['a', 'b']) {
    fakeServer({ '/api/runtime/query/data_items': items, '/api/system/config': { logoUrl: null, timezone: 'UTC' } })
    const t = (key: string, values: object = {}) => [key, ...Object.values(values)].join(' ')
    const at = { schemaCode: 'lot', queryCode: 'lots', sheetCode: null }
    const context = { ...at, ids, t, locale: 'zh', say: { warning } } as unknown as ActionContext
    const router = createMemoryRouter(
      [
        { path: '/', element: <LabelsDialog context={context} onClose={onClose} /> },
        { path: '/print', element: null },
      ],
      { initialEntries: ['/'] },
    )
    render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
    return router
  }
  const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
  /** Takes what is typed from the list of a field. */
  const take = async (name: string, text: string) => {
    act(() => box(name).focus())
    await type(text)
    await waitFor(() => expect(document.querySelectorAll('.ant-select-item-option')).toHaveLength(1))
    press('Enter')
  }
  /** What is opened. */
  const shown = async (router: ReturnType<typeof open>) => {
    fireEvent.click(screen.getByRole('button', { name: 'bulk.labelsShow' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/print'))
    const query = new URLSearchParams(router.state.location.search)
    return { ids: query.get('objectIds'), ...JSON.parse(query.get('labels') ?? '{}') }
  }

  it('rests until a row is ticked', () => {
    expect(action.enabled?.([], {} as never)).toBe(false)
    expect(action.enabled?.([{} as never], {} as never)).toBe(true)
  })

  it('begins with labels of 60 by 60 mm and a code alone', async () => {
    const router = open()
    expect(['bulk.labelsWidth', 'bulk.labelsHeight'].map((name) => box(name).value)).toEqual(['60', '60'])
    expect(await shown(router)).toMatchObject({
      ids: 'a,b',
      width: 60,
      height: 60,
      fontSize: 12,
      textData: [],
      sheet: '',
    })
    expect(onClose).toHaveBeenCalled()
  })

  it('takes what the person sets: sides, none of them negative, and properties of the record and of the system', async () => {
    const router = open()
    fireEvent.change(box('bulk.labelsWidth'), { target: { value: '70' } })
    fireEvent.blur(box('bulk.labelsWidth'))
    fireEvent.change(box('bulk.labelsHeight'), { target: { value: '-5' } })
    fireEvent.blur(box('bulk.labelsHeight'))
    await waitFor(() => expect(box('bulk.labelsHeight').value).toBe('0'))
    fireEvent.change(box('bulk.labelsHeight'), { target: { value: '90' } })
    fireEvent.blur(box('bulk.labelsHeight'))
    await take('bulk.labelsText', '编号')
    await take('bulk.labelsText', '拥有者')
    expect(await shown(router)).toMatchObject({
      ...{ width: 70, height: 90 },
      textData: [
        { isDataItem: 1, code: 'lotNo' },
        { isDataItem: 0, code: 'owner' },
      ],
    })
  })

  it('prints 1,000 labels at most', () => {
    const router = open(Array.from({ length: 1001 }, (_, i) => `r${i}`))
    fireEvent.click(screen.getByRole('button', { name: 'bulk.labelsShow' }))
    expect(warning).toHaveBeenCalledWith('bulk.labelsTooMany 1000')
    expect(router.state.location.pathname).toBe('/')
  })
})
