import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { ListController } from '../use-list-controller'
import { IgnoredFilters } from './ignored-filters'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('en')
})
afterEach(cleanup)

const figure = { name: 'Lots', others: [] }
it.each([
  ['a list with a condition of its own says that a figure may count more', figure, true, 1],
  ['a list without one says nothing', figure, false, 0],
  ['nor one that no figure leads to', undefined, true, 0],
])('%s', (_, from, narrowed, notices) => {
  const controller = { ignored: [], lost: [], bare: [], figure: from, config: { narrowed, queryConditions: [] } }
  render(<IgnoredFilters controller={controller as unknown as ListController} />)
  expect(screen.queryAllByText(/meet its own condition/)).toHaveLength(notices)
})
