import type { Filters } from '@/sdk/conditions'
import { writeFilters } from '@/sdk/filter-address'
import { writeBehind } from '@/sdk/list-address'
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
  reportCode: string
  /** What the chart is called. */
  name: string
  queryCode?: string | undefined
  set: DataSet
  /** The first step of time that there are rows of: where running totals begin. */
  begin?: string | undefined
  /** The filters of the page that are in force, each with its operator. */
  filters: Record<string, FilterValue>
}

/** Days and moments as filters have them; words such as "thisYear" are the server's. */
const isDay = (text: string) => /^\d{4}-\d{2}(-\d{2}.*)?$/.test(text)

/** Of two bounds the one that is inside; a moment of a day is inside that day. */
function inner(a: string, b: string, later: boolean): string {
  if (!a || !b) return a || b
  if (a.startsWith(b) || b.startsWith(a)) return a.length > b.length ? a : b
  return a > b === later ? a : b
}

/** A step of time that a filter of the page cuts off is as long as the filter leaves it. */
function within(step: FilterValue, filter: FilterValue | undefined): FilterValue {
  if (filter?.operator !== 'Between' || step.operator !== 'Between') return step
  const [from = '', to = ''] = filter.value.split(';')
  const [first = '', last = ''] = step.value.split(';')
  if (![from, to].every((bound) => !bound || isDay(bound))) return step
  return { ...step, value: `${inner(first, from, true)};${inner(last, to, false)}` }
}

/** What a running total is made of: all from its beginning to the end of the step. Without a step there is no such range. */
function upTo(step: FilterValue, begin: string): FilterValue | null {
  if (step.operator !== 'Between') return null
  const [, last = ''] = step.value.split(';')
  return { ...step, value: `${begin};${last}` }
}

/**
 * The filters that a list needs for the same records; null where it cannot have them: the rest of a top n has no value, and running totals along
 * anything but the time have no range.
 */
export function drillFilters({ set, filters, begin = '' }: DrillPlace, at: At, running = false): Filters | null {
  const result: Filters = {}
  for (const { code, propertyCode } of set.filters ?? []) {
    const filter = filters[code]
    if (filter) result[propertyCode] = filter
  }
  if (running && !set.groups.some(({ timeStep }, place) => timeStep && at.has(place))) return null
  for (const [place, value] of at) {
    const group = set.groups[place]
    if (!group) return null
    const step = filterOf(group, value)
    const filter = step && running && group.timeStep ? upTo(step, begin) : step
    if (!filter) return null
    result[group.propertyCode] = group.timeStep ? within(filter, result[group.propertyCode] ?? undefined) : filter
  }
  return result
}

/**
 * The address of the list behind a point of a measure; without a list of the chart's own it is the first one of the model. It names
 * the data set, whose conditions the list has too, and none of its own that nobody has set.
 */
export function drillAddress(place: DrillPlace, at: At, measure?: string, added = false): string | null {
  const running = place.set.measures.find(({ code }) => code === measure)?.sumType === 'cumulative'
  const filters = drillFilters(place, at, running || added)
  if (!filters) return null
  const search = new URLSearchParams()
  if (place.queryCode) search.set('queryCode', place.queryCode)
  const of = [place.reportCode, place.set.code, ...(measure ? [measure] : [])].join('/')
  writeBehind(search, { of, name: place.name })
  writeFilters(search, filters)
  return `/application/${encodeURIComponent(place.appCode)}/application-list/${encodeURIComponent(place.set.schemaCode)}?${search}`
}
