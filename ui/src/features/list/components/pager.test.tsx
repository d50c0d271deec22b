import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, it } from 'vitest'
import type { ListConfig } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { useListController } from '../use-list-controller'
import { Pager } from './pager'

const LIST = '/api/runtime/query/list'
const config = {
  ...{ schemaCode: 'lot', queryCode: 'lots', modelName: '批', modelName_i18n: {}, searchable: false, searched: [] },
  ...{ orderBy: [], queryActions: [], queryConditions: [], queryColumns: [] },
  queryPresentation: { presentationType: 'table', fixedLeftColumns: [], fixedRightColumns: [] },
} as unknown as ListConfig

function Page() {
  return (
    <>
      <Pager counts controller={useListController(config)} />
      <output>{useLocation().search}</output>
    </>
  )
}

it('says how many there are, jumps to a page by its number and changes how many a page has', async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
  const answer = { content: [{ id: 'a', data: {} }], totalElements: 1234, aggregates: {}, next: null, previous: null }
  const { of } = fakeServer({ '/api/system/config': { timezone: 'UTC' }, [LIST]: answer })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const asks = (page: number, size: number) =>
    waitFor(() => expect(of(LIST).at(-1)?.body).toMatchObject({ page, size }))
  await screen.findByText(/^共\s?1,234\s?条$/)
  await asks(0, 20)
  const jump = document.querySelector('.ant-pagination-options-quick-jumper input') as HTMLInputElement
  fireEvent.change(jump, { target: { value: '7' } })
  fireEvent.keyUp(jump, { key: 'Enter', keyCode: 13 })
  await asks(6, 20)
  expect(screen.getByRole('status').textContent).toBe('?page=7')
  fireEvent.mouseDown(screen.getByRole('combobox'))
  const sizes = () => [...document.querySelectorAll<HTMLElement>('.ant-select-item-option')]
  const numbers = () => sizes().map((one) => Number.parseInt(one.textContent ?? '', 10))
  await waitFor(() => expect(numbers()).toEqual([10, 20, 50, 100, 200, 300, 500]))
  fireEvent.click(sizes()[3] as HTMLElement)
  await waitFor(() => expect(of(LIST).at(-1)?.body).toMatchObject({ size: 100 }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('size=100'))
})
