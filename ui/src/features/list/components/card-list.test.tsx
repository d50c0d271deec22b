import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListConfig } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { MESSAGES } from '@/sdk/feedback'
import { fakeServer } from '@/testing/fake-server'
import '../actions/built-in'
import { CardList } from './card-list'

const config = {
  schemaCode: 'lot',
  queryCode: 'lots',
  name: '批',
  name_i18n: {},
  modelName: '批',
  modelName_i18n: {},
  searchable: false,
  searched: [],
  orderBy: [],
  queryActions: [
    {
      actionCode: 'delete',
      queryActionType: 'delete',
      name: '删除',
      name_i18n: {},
      attributes: {},
      row: false,
      hint: null,
      confirm: null,
      sortKey: 0,
    },
  ],
  queryConditions: [],
  queryColumns: [
    { propertyCode: 'part', propertyType: 0, name: '部位', name_i18n: {}, width: 176, sortable: true, visible: true },
  ],
  queryPresentation: { presentationType: 'table', fixedLeftColumns: [], fixedRightColumns: [] },
} as unknown as ListConfig

const content = ['a', 'b', 'c'].map((id) => ({ id, data: { part: `part ${id}` } }))

class Finger extends MouseEvent {
  pointerType = 'touch'
  isPrimary = true
}

const show = async () => {
  vi.stubGlobal('PointerEvent', Finger)
  fakeServer({
    '/api/system/config': { name: '', timezone: 'UTC', version: '', dev: false, digest: '' },
    '/api/runtime/query/list': { content, totalElements: 7, aggregates: {}, next: null, previous: null },
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App message={MESSAGES}>
        <MemoryRouter>
          <CardList config={config} />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  await screen.findByRole('button', { name: '选择' })
  return screen.findByText('part a')
}

beforeAll(async () => {
  await startI18n()
  await setLocale('zh')
  await loadAllTexts()
})

afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

const ticks = () => screen.queryAllByRole<HTMLInputElement>('checkbox', { name: '选中此记录' })

describe('cards on a phone', () => {
  it('are ticked by a tap anywhere on them, one by one and as a page', async () => {
    const card = await show()
    expect(card.closest('a')).not.toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '选择' }))
    const first = screen.getByText('part a')
    expect(first.closest('a')).toBeNull()
    fireEvent.click(first)
    expect(screen.getByText('已选 1 条')).toBeTruthy()
    fireEvent.click(first)
    expect(screen.queryByText('已选 1 条')).toBeNull()
    const page = screen.getAllByRole<HTMLInputElement>('checkbox')[0]
    if (page) fireEvent.click(page)
    expect(screen.getByText('已选 3 条')).toBeTruthy()
    expect(page?.checked).toBe(true)
    fireEvent.click(screen.getByText('part b'))
    expect(screen.getByText('已选 2 条')).toBeTruthy()
  })

  it('are ticked by a finger that rests on one; a finger that moves scrolls', async () => {
    const card = await show()
    vi.useFakeTimers()
    const finger = { clientX: 50, clientY: 50 }
    fireEvent.pointerDown(card, finger)
    fireEvent.pointerMove(card, { ...finger, clientY: 80 })
    act(() => void vi.advanceTimersByTime(900))
    expect(screen.queryAllByRole('checkbox')).toHaveLength(0)
    fireEvent.pointerDown(card, finger)
    act(() => void vi.advanceTimersByTime(600))
    expect(screen.getByText('已选 1 条')).toBeTruthy()
    fireEvent.pointerUp(screen.getByText('part a'), finger)
    fireEvent.click(screen.getByText('part a')) // the tap that ends it
    expect(screen.getByText('已选 1 条')).toBeTruthy()
    expect(ticks()).toHaveLength(3)
  })
})
