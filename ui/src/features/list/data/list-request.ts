import type { Filter, ListConfig, ListRequest } from '@/api/types'
import { effectiveFilters, requestFilters } from '@/sdk/conditions'
import { rememberedSize } from '@/sdk/page-size'
import type { FilterValue } from '@/sdk/property'
import { CHART_SIZE, DEFAULT_SIZE, type ListView, PAGE_SIZES, type Sort } from './url-state'

export interface Asked {
  /** The filters in force, by their codes. */
  filters: Record<string, FilterValue>
  /** Whether the rows come as a tree; what is filtered comes with the rows above it. */
  tree: boolean
  /** The order that the address wants, when the list can have it. */
  sort: Sort | null
  request: ListRequest
}

/**
 * How many rows a page has unless its address says otherwise: as many as the person wanted last. A phone shows a chart's rows
 * as cards, so it counts as any list.
 */
export function pageSize({ queryCode, queryPresentation }: ListConfig, mobile: boolean, user?: string): number {
  const own = mobile ? undefined : rememberedSize(queryCode, user, PAGE_SIZES)
  if (own) return own
  return queryPresentation.presentationType === 'gantt' && !mobile ? CHART_SIZE : DEFAULT_SIZE
}

/** Filters of an address that the list has no condition for; those of a figure hold nevertheless. */
const otherFilters = ({ queryConditions }: ListConfig, { filters }: ListView): Filter[] =>
  Object.entries(filters).flatMap(([propertyCode, filter]) =>
    filter && !queryConditions.some((one) => one.propertyCode === propertyCode)
      ? [
          {
            propertyCode,
            propertyValue: filter.value,
            ...(filter.operator ? { queryFilterType: filter.operator } : {}),
          },
        ]
      : [],
  )

/** The call for what an address shows of a list. The page and its prefetch make the same one, so they share an answer. */
export function askFor(config: ListConfig, view: ListView, mobile: boolean): Asked {
  // The records behind a figure are those: what the list narrows by itself would leave some of them out.
  const { behind } = view
  const filters = effectiveFilters(config.queryConditions, view.filters, !behind)
  const keyword = config.searchable ? view.keyword : undefined
  const narrowed =
    Boolean(keyword) ||
    Boolean(behind) ||
    config.queryConditions.some((condition) => condition.visible && filters[condition.propertyCode])
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
      filters: [
        ...requestFilters(config.queryConditions, filters),
        ...(behind ? [...otherFilters(config, view), { behind: behind.of }] : []),
      ],
      ...(keyword ? { keyword } : {}),
      ...(sort ? { orderByFields: [sort.code], orderType: sort.direction } : {}),
      ...(tree ? { parentId: '' } : {}),
      ...(presentationType === 'tree' && narrowed ? { ancestors: true } : {}),
    },
  }
}
