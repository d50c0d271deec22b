import type { ListConfig, ListRequest } from '@/api/types'
import { requestFilters } from '@/sdk/conditions'
import type { FilterValue } from '@/sdk/property'
import { effectiveFilters } from './filters'
import { CHART_SIZE, DEFAULT_SIZE, type ListView, type Sort } from './url-state'

export interface Asked {
  /** The filters in force, by their codes. */
  filters: Record<string, FilterValue>
  /** Whether the rows come as a tree; what is filtered is flat. */
  tree: boolean
  /** The order that the address wants, when the list can have it. */
  sort: Sort | null
  request: ListRequest
}

/** How many rows a page has unless its address says otherwise: a phone shows a chart's rows as cards, so it counts as any list. */
export const pageSize = ({ queryPresentation }: ListConfig, mobile: boolean) =>
  queryPresentation.presentationType === 'gantt' && !mobile ? CHART_SIZE : DEFAULT_SIZE

/** The call for what an address shows of a list. The page and its prefetch make the same one, so they share an answer. */
export function askFor(config: ListConfig, view: ListView, mobile: boolean): Asked {
  const filters = effectiveFilters(config.queryConditions, view.filters)
  const keyword = config.searchable ? view.keyword : undefined
  const narrowed =
    Boolean(keyword) || config.queryConditions.some((condition) => condition.visible && filters[condition.propertyCode])
  const { presentationType, gantt } = config.queryPresentation
  const tree = (presentationType === 'tree' || gantt?.tree === true) && !narrowed
  const sortable = config.queryColumns.some((one) => one.propertyCode === view.sort?.code && one.sortable)
  const sort = sortable ? view.sort : null
  return {
    filters,
    tree,
    sort,
    request: {
      schemaCode: config.schemaCode,
      queryCode: config.queryCode,
      mobile,
      page: view.page,
      size: view.size,
      filters: requestFilters(config.queryConditions, filters),
      ...(keyword ? { keyword } : {}),
      ...(sort ? { orderByFields: [sort.code], orderType: sort.direction } : {}),
      ...(tree ? { parentId: '' } : {}),
    },
  }
}
