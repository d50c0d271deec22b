import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { Model } from './api'
import type { Grant } from './document'
import { GrantCard } from './grant-card'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})

const field = (code: string) => ({ code, label: { zh: code } })
const model = {
  ...{ code: 'lot', pack: 'demo', label: { zh: '检验批' }, actions: ['view', 'edit'] },
  fields: [field('part'), field('items'), field('items.value')],
} as Model

test('the rows of a sub-table have rights of their own', () => {
  const told = vi.fn<(fields: Grant['fields']) => void>()
  function Card() {
    const [grant, setGrant] = useState<Grant>({ schemaCode: 'lot', actions: ['edit'], rows: 'all' })
    const change = (next: Grant) => {
      told(next.fields)
      setGrant(next)
    }
    return <GrantCard grant={grant} models={[model]} onChange={change} onRemove={() => undefined} />
  }
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false, enabled: false } } })}>
      <Card />
    </QueryClientProvider>,
  )
  const row = (name: string) => within(screen.getByRole('radiogroup', { name }).closest('td') as HTMLElement)
  const press = (name: string, what: string) => fireEvent.click(row(name).getByText(what))

  press('part', '读写')
  expect(told).toHaveBeenLastCalledWith({ part: 'rw' })
  expect(row('part').queryByText('可增行')).toBeNull()

  press('items', '读写')
  expect(told).toHaveBeenLastCalledWith({ part: 'rw', items: 'rw+x' })
  press('items', '可删行')
  expect(told).toHaveBeenLastCalledWith({ part: 'rw', items: 'rw+' })
  press('items', '可增行')
  expect(told).toHaveBeenLastCalledWith({ part: 'rw', items: 'rw' })
  press('items', '只读')
  expect(told).toHaveBeenLastCalledWith({ part: 'rw', items: 'r' })
  press('items', '可增行')
  expect(told).toHaveBeenLastCalledWith({ part: 'rw', items: 'r+' })
  press('items', '隐藏')
  expect(told).toHaveBeenLastCalledWith({ part: 'rw', items: '-' })
  expect(row('items').queryByText('可增行')).toBeNull()
  press('items', '默认')
  expect(told).toHaveBeenLastCalledWith({ part: 'rw' })
})
