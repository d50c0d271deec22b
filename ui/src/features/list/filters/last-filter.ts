import type { QueryCondition } from '@/api/types'
import { isRelative } from '@/lib/relative-dates'
import { readStored, writeStored } from '@/lib/stored'
import type { FilterValue } from '@/sdk/property'
import type { ListView } from '../data/url-state'

type Filters = ListView['filters']

/** The specification's keys. What was set last stays; dates that were chosen by hand hold for the day only (ADR 13). */
const LASTING = 'form-temp'
const DAILY = 'form-daily'

interface Memory {
  /** User, then list. */
  [user: string]: Record<string, { day?: string; filters: Filters }>
}

/** Whose filters of which list. */
export interface Place {
  user: string
  queryCode: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isMemory = (value: unknown): value is Memory => isRecord(value) && Object.values(value).every(isRecord)

/** A date chosen by hand hides tomorrow what is new; a word for days moves with them. */
function holdsForTheDay(condition: QueryCondition | undefined, filter: FilterValue | null) {
  const kind = (condition?.settings as { kind?: unknown } | undefined)?.kind
  return (kind === 'calendar' || kind === 'instant') && Boolean(filter?.value) && !isRelative(filter?.value ?? '')
}

function write(key: string, { user, queryCode }: Place, entry: { day?: string; filters: Filters } | null) {
  const memory = readStored(key, isMemory) ?? {}
  const { [queryCode]: _, ...others } = memory[user] ?? {}
  writeStored(key, { ...memory, [user]: entry ? { ...others, [queryCode]: entry } : others })
}

/** Keeps the filters that somebody has just set. */
export function rememberFilters(place: Place, conditions: QueryCondition[], filters: Filters, today: string) {
  const daily: Filters = {}
  const lasting: Filters = {}
  for (const [code, filter] of Object.entries(filters)) {
    const condition = conditions.find((one) => one.propertyCode === code)
    ;(holdsForTheDay(condition, filter) ? daily : lasting)[code] = filter
  }
  write(LASTING, place, Object.keys(lasting).length ? { filters: lasting } : null)
  write(DAILY, place, Object.keys(daily).length ? { day: today, filters: daily } : null)
}

export function forgetFilters(place: Place) {
  write(LASTING, place, null)
  write(DAILY, place, null)
}

/** What was set last; null when nothing was. What the list no longer has or takes is left in, so that the page can say so. */
export function recallFilters({ user, queryCode }: Place, conditions: QueryCondition[], today: string): Filters | null {
  const lasting = readStored(LASTING, isMemory)?.[user]?.[queryCode]?.filters
  const daily = readStored(DAILY, isMemory)?.[user]?.[queryCode]
  const stored = { ...lasting, ...(daily?.day === today ? daily.filters : {}) }
  const filters: Filters = {}
  for (const [code, found] of Object.entries<unknown>(stored)) {
    const hidden = conditions.some((condition) => condition.propertyCode === code && !condition.visible)
    if (!hidden && isFilter(found)) filters[code] = found
  }
  return Object.keys(filters).length ? filters : null
}

function isFilter(found: unknown): found is FilterValue | null {
  if (found === null) return true
  const isText = (value: unknown) => value === undefined || typeof value === 'string'
  return isRecord(found) && typeof found.value === 'string' && isText(found.label) && isText(found.operator)
}
