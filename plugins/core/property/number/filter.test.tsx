import type { FilterProps } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, startI18n } from '@/i18n/i18n'
import { Filter } from './filter'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
})
afterEach(cleanup)

const typed = (box: HTMLElement, text: string) => {
  fireEvent.change(box, { target: { value: text } })
  fireEvent.keyDown(box, { key: 'Enter' })
}

it('both ends are kept when the second is given before the first has been applied', () => {
  const chosen = vi.fn()
  const field = { propertyCode: 'n', propertyType: 2, name: '数', name_i18n: {} }
  const shown = (value: FilterProps['value']) => (
    <QueryClientProvider client={new QueryClient()}>
      <Filter
        {...({ id: 'f', field, schemaCode: 's', operator: 'Between', onSubmit: () => {} } as unknown as FilterProps)}
        value={value}
        onChange={chosen}
      />
    </QueryClientProvider>
  )
  const { rerender } = render(shown(null))
  const [from, to] = screen.getAllByRole('textbox') as [HTMLElement, HTMLElement]
  typed(from, '5')
  expect(chosen).toHaveBeenLastCalledWith({ value: '5;' })
  typed(to, '25') // the list is still being asked: the value is the one before
  expect(chosen).toHaveBeenLastCalledWith({ value: '5;25' })
  rerender(shown({ value: '1;' })) // another one was chosen elsewhere
  typed(screen.getAllByRole('textbox')[1] as HTMLElement, '31')
  expect(chosen).toHaveBeenLastCalledWith({ value: '1;31' })
})

it('a text that is no number is said beside the box, and changes nothing', () => {
  const chosen = vi.fn()
  const field = { propertyCode: 'n', propertyType: 2, name: '数', name_i18n: {} }
  const props = { id: 'f', field, schemaCode: 's', operator: 'Between', value: { value: '1;' }, onSubmit: () => {} }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Filter {...(props as unknown as FilterProps)} onChange={chosen} />
    </QueryClientProvider>,
  )
  const [from] = screen.getAllByRole('textbox') as [HTMLInputElement]
  typed(from, '12a')
  expect(screen.getByRole('alert').textContent).toMatch(/请输入数字|Enter a number/)
  expect(from.value).toBe('12a')
  expect(chosen).not.toHaveBeenCalled()
  typed(from, '1,234.50')
  expect(chosen.mock.calls).toEqual([[{ value: '1234.5;' }]])
  expect(screen.queryByRole('alert')).toBeNull()
})
