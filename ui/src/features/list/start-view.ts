import type { ListConfig, SavedFilter } from '@/api/types'
import { formatInstant } from '@/lib/dates'
import { type Project, projectCondition, projectFilter, useProject } from '@/sdk/project'
import type { TextContext } from '@/sdk/property'
import { type ListView, readView, saysView, writeView } from './data/url-state'
import { panelFilters } from './filters/filters'
import { recallFilters } from './filters/last-filter'

/**
 * The address with which a list opens: as it is when it says anything itself, else with the saved filter that the person
 * opens the list with, else with what was set last; then only the definition decides. The project that they work in narrows what the
 * address does not name itself.
 */
export function startView(
  config: ListConfig,
  search: URLSearchParams,
  saved: SavedFilter[],
  user: string | undefined,
  context: TextContext,
  project: Project | null = useProject.getState().project,
): URLSearchParams {
  if (saysView(search)) return search
  const view = readView(search)
  const first = saved.find((one) => one.default)
  if (first) {
    const filters = panelFilters(config.queryConditions, first.filters)
    return writeView(search, { ...view, filters: within(config, filters, project), saved: first.id })
  }
  const today = formatInstant(new Date().toISOString(), 'yyyy-MM-dd', context)
  const last = user ? recallFilters({ user, queryCode: config.queryCode }, config.queryConditions, today) : null
  const filters = within(config, last ?? {}, project)
  return Object.keys(filters).length > 0 ? writeView(search, { ...view, filters }) : search
}

function within(config: ListConfig, filters: ListView['filters'], project: Project | null): ListView['filters'] {
  const code = project && projectCondition(config.queryConditions, project)
  return code && !filters[code] ? { ...filters, [code]: projectFilter(project) } : filters
}
