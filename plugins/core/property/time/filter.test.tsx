import type { FilterProps } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, startI18n } from '@/i18n/i18n'
import { Filter } from './filter'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
})

it('a time that cannot be read is said beside the box, and changes nothing', () => {
  const chosen = vi.fn()
  const field = { propertyCode: 't', propertyType: 20, displayFormat: 'HH:mm:ss', name: '时', name_i18n: {} }
  const props = { id: 'f', field, schemaCode: 's', operator: 'Equal', value: null, onSubmit: () => {} }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Filter {...(props as unknown as FilterProps)} onChange={chosen} />
    </QueryClientProvider>,
  )
  const box = screen.getByRole<HTMLInputElement>('textbox')
  const typed = (text: string) => {
    fireEvent.change(box, { target: { value: text } })
    fireEvent.blur(box)
  }
  typed('25:99')
  expect(screen.getByRole('alert').textContent).toMatch(/请输入时间|Enter a time/)
  expect(box.value).toBe('25:99')
  expect(chosen).not.toHaveBeenCalled()
  typed('830')
  expect(chosen.mock.calls).toEqual([[{ value: '08:30:00' }]])
  expect(screen.queryByRole('alert')).toBeNull()
})
