import { readDate } from '@/lib/date-text'
import { relativeRange } from '@/lib/relative-dates'
import type { Filters } from '@/sdk/conditions'
import { writeFilters } from '@/sdk/filter-address'
import { writeBehind } from '@/sdk/list-address'
import type { FilterValue } from '@/sdk/property'
import type { DataSet, GroupValue } from '@/sdk/report/api'

/** What is behind a point of a chart: values of groups, by their places in the data set. */
export type At = ReadonlyMap<number, GroupValue>

/** Yes or no: no operator of a list finds those that are neither. */
const LOGIC = 4

/** The condition that a value of a group is. It names its operator: a list may compare the property by part, by range, or with what is below. */
function filterOf({ propertyType, timeStep, level }: DataSet['groups'][number], group: GroupValue): FilterValue | null {
  const { value, from, until, text, others } = group
  if (others || level) return null // no condition of a list means all that is below
  if (value === null || value === '') return propertyType === LOGIC ? null : { value: '', operator: 'IsNull' }
  if (timeStep) return { value: `${from ?? value};${until ?? value}`, operator: 'Between' }
  return { value, operator: 'Equal', ...(text && text !== value ? { label: text } : {}) }
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
  zone: string
  /** The day of today in that zone. */
  today: string
}

/** The ends of what a filter of the page takes, in the order of the calendar; undefined where it has none that a range can have. */
function endsOf({ value, operator }: FilterValue, today: string): [from: string, to: string] | undefined {
  const read = (word: string): [string, string] => relativeRange(word, today) ?? [word, word]
  if (operator === 'Equal') return read(value)
  if (operator === 'GreaterThanOrEqual') return [read(value)[0], '']
  if (operator === 'LessThanOrEqual') return ['', read(value)[1]]
  if (operator !== 'Between') return undefined
  const [from = '', to = from] = value.split(';')
  return [read(from)[0], read(to)[1]]
}

/** Days and moments as filters have them. */
const isDay = (text: string) => /^\d{4}-\d{2}(-\d{2}.*)?$/.test(text)
const isMoment = (text: string) => /T.*Z$/.test(text)

/** Of two bounds the one that is inside; a moment of a day is inside that day. */
function inner(a: string, b: string, later: boolean): string {
  if (!a || !b) return a || b
  if (a.startsWith(b) || b.startsWith(a)) return a.length > b.length ? a : b
  return a > b === later ? a : b
}

const SECOND = 1000

/** A bound of a filter as a moment: of a day the first or the last one. Others stay. */
function momentOf(bound: string, last: boolean, zone: string): string {
  if (!bound || isMoment(bound)) return bound
  const read = readDate(bound, 'moment', { zone, clock: last ? '23:59:59' : '00:00:00' })
  if (!read) return ''
  const whole = last && bound.length === 10 ? SECOND - 1 : 0
  return new Date(Date.parse(read) + whole).toISOString()
}

/** A step of time that a filter of the page cuts off is as long as the filter leaves it; null where no range says how long that is. */
function within(step: FilterValue, filter: FilterValue | undefined, { zone, today }: DrillPlace): FilterValue | null {
  if (!filter || filter.operator === 'IsNotNull' || step.operator !== 'Between') return step
  const ends = endsOf(filter, today)
  if (!ends?.every((bound) => !bound || isDay(bound) || isMoment(bound))) return null
  const [first = '', last = ''] = step.value.split(';')
  const moments = [...ends, first, last].some(isMoment)
  const [from, to] = moments ? [momentOf(ends[0], false, zone), momentOf(ends[1], true, zone)] : ends
  const [begin, end] = moments ? [momentOf(first, false, zone), momentOf(last, true, zone)] : [first, last]
  return { ...step, value: `${inner(begin, from, true)};${inner(end, to, false)}` }
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
export function drillFilters(of: DrillPlace, at: At, running = false): Filters | null {
  const { set, filters, begin = '' } = of
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
    const cut = group.timeStep ? within(filter, result[group.propertyCode] ?? undefined, of) : filter
    if (!cut) return null
    result[group.propertyCode] = cut
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
