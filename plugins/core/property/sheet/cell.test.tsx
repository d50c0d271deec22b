import type { CellProps } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import '@/testing/properties'
import { fakeServer } from '@/testing/fake-server'
import { property } from './ui'

const field = {
  ...{ propertyCode: 'items', propertyType: 8, name: '明细', name_i18n: {}, settings: {} },
  children: [{ propertyCode: 'part', propertyType: 0, name: '部位', name_i18n: {}, settings: {} }],
}
const more = vi.fn()
afterEach(() => {
  cleanup()
  more.mockClear()
})

function cell(total: number) {
  fakeServer({ '/api/system/config': { timezone: 'UTC' } })
  const rows = Array.from({ length: Math.min(total, 7) }, (_, i) => ({ id: `r${i}`, part: `第${i + 1}行` }))
  const Cell = property.Cell as unknown as ComponentType<CellProps<unknown>>
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <Cell {...({ value: { rows, total }, field, onMore: more } as unknown as CellProps<unknown>)} />
    </QueryClientProvider>,
  )
  return container.firstElementChild as HTMLElement
}
const shown = () => [...document.querySelectorAll('.ant-popover td')].map((one) => one.textContent)

it.each([
  [2, 2, false],
  [7, 7, false],
  [8, 7, true],
])(
  'of %i rows 2 are in the cell and %i in what pointing shows, with the way to all: %s',
  async (total, seen, leads) => {
    const at = cell(total)
    expect(at.textContent).toBe(`第1行第2行${total > 2 ? `+${total - 2}` : ''}`)
    fireEvent.mouseEnter(at)
    await waitFor(() => expect(shown()).toHaveLength(seen))
    expect(shown().at(-1)).toBe(`第${seen}行`)
    const all = screen.queryByRole('button', { name: 'common.more' })
    expect(all !== null).toBe(leads)
    if (!all) return
    fireEvent.click(all)
    expect(more).toHaveBeenCalledOnce()
  },
)
