import type { ListConfig, SavedFilter } from '@/api/types'
import { formatInstant } from '@/lib/dates'
import type { TextContext } from '@/sdk/property'
import { readView, saysView, writeView } from './data/url-state'
import { panelFilters } from './filters/filters'
import { recallFilters } from './filters/last-filter'

/**
 * The address with which a list opens: as it is when it says anything itself, else with the saved filter that the person
 * opens the list with, else with what was set last; then only the definition decides.
 */
export function startView(
  config: ListConfig,
  search: URLSearchParams,
  saved: SavedFilter[],
  user: string | undefined,
  context: TextContext,
): URLSearchParams {
  if (saysView(search)) return search
  const view = readView(search)
  const first = saved.find((one) => one.default)
  if (first) {
    return writeView(search, { ...view, filters: panelFilters(config.queryConditions, first.filters), saved: first.id })
  }
  const today = formatInstant(new Date().toISOString(), 'yyyy-MM-dd', context)
  const last = user ? recallFilters({ user, queryCode: config.queryCode }, config.queryConditions, today) : null
  return last ? writeView(search, { ...view, filters: last }) : search
}
