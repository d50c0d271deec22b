import type { Filters } from '@/sdk/conditions'
import { writeFilters } from '@/sdk/filter-address'
import type { FilterValue } from '@/sdk/property'
import type { DataSet, GroupValue } from '@/sdk/report/api'

/** What is behind a point of a chart: values of groups, by their places in the data set. */
export type At = ReadonlyMap<number, GroupValue>

/** Short and long texts, numbers, dates and times: lists compare them by part or range unless told otherwise. */
const COMPARED_LOOSELY = new Set([0, 1, 2, 3, 20])

function filterOf({ propertyType, timeStep, level }: DataSet['groups'][number], group: GroupValue): FilterValue | null {
  const { value, until, text, others } = group
  if (others || level) return null // no condition of a list means all that is below
  if (value === null || value === '') return { value: '', operator: 'IsNull' }
  if (timeStep) return { value: `${value};${until ?? value}`, operator: 'Between' }
  if (COMPARED_LOOSELY.has(propertyType)) return { value, operator: 'Equal' }
  return { value, ...(text && text !== value ? { label: text } : {}) }
}

/** How a place of the report opens as a list. */
export interface DrillPlace {
  appCode: string
  queryCode?: string | undefined
  set: DataSet
  /** The filters of the page that are in force, each with its operator. */
  filters: Record<string, FilterValue>
}

/** The filters that a list needs for the same records; null where it cannot have them: the rest of a top n has no value. */
export function drillFilters({ set, filters }: DrillPlace, at: At): Filters | null {
  const result: Filters = {}
  for (const { code, propertyCode } of set.filters ?? []) {
    const filter = filters[code]
    if (filter) result[propertyCode] = filter
  }
  for (const [place, value] of at) {
    const group = set.groups[place]
    const filter = group && filterOf(group, value)
    if (!filter) return null
    result[group.propertyCode] = filter
  }
  return result
}

/** The address of the list behind a point; without a list of the chart's own it is the first one of the model. */
export function drillAddress(place: DrillPlace, at: At): string | null {
  const filters = drillFilters(place, at)
  if (!filters) return null
  const search = new URLSearchParams()
  if (place.queryCode) search.set('queryCode', place.queryCode)
  writeFilters(search, filters)
  // An address that says nothing would open the list as the person left it.
  if (Object.keys(filters).length === 0) search.set('page', '1')
  return `/application/${encodeURIComponent(place.appCode)}/application-list/${encodeURIComponent(place.set.schemaCode)}?${search}`
}
