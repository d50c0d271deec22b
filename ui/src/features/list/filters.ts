import type { Filter, QueryCondition } from '@/api/types'
import type { FilterValue } from '@/sdk/property'
import type { ListView } from './url-state'

type Filters = ListView['filters']

const day = (date: Date) => date.toISOString().slice(0, 10)

/** A relative date of a definition as a range of days, counted from a day (yyyy-MM-dd). */
export function relativeRange(keyword: string, today: string): string | null {
  const now = new Date(`${today}T00:00:00Z`)
  const at = (year: number, month: number, date: number) => day(new Date(Date.UTC(year, month, date)))
  const [y, m, d] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (keyword === 'today') return `${today};${today}`
  if (keyword === 'thisWeek') {
    const monday = d - ((now.getUTCDay() + 6) % 7)
    return `${at(y, m, monday)};${at(y, m, monday + 6)}`
  }
  if (keyword === 'thisMonth') return `${at(y, m, 1)};${at(y, m + 1, 0)}`
  if (keyword === 'thisYear') return `${at(y, 0, 1)};${at(y, 11, 31)}`
  const days = /^lastDays:(\d+)$/.exec(keyword)?.[1]
  return days ? `${at(y, m, d - Number(days) + 1)};${today}` : null
}

/** What a condition starts with by its definition. */
export function defaultFilter(condition: QueryCondition, today: string): FilterValue | null {
  const { startValue, endValue, defaultValue } = condition
  if (startValue || endValue) return { value: `${startValue ?? ''};${endValue ?? ''}`, operator: 'Between' }
  if (!defaultValue) return null
  const range = relativeRange(defaultValue, today)
  return range ? { value: range, operator: 'Between' } : { value: defaultValue }
}

/** The filters in force: those of the address, else the defaults; a cleared one stays cleared. */
export function effectiveFilters(
  conditions: QueryCondition[],
  chosen: Filters,
  today: string,
): Record<string, FilterValue> {
  const result: Record<string, FilterValue> = {}
  for (const condition of conditions) {
    const code = condition.propertyCode
    const filter = condition.visible && code in chosen ? chosen[code] : defaultFilter(condition, today)
    if (filter) result[code] = filter
  }
  return result
}

/** As the list call takes them. Without an operator of its own, the condition's counts. */
export function requestFilters(conditions: QueryCondition[], effective: Record<string, FilterValue>): Filter[] {
  return conditions.flatMap((condition) => {
    const filter = effective[condition.propertyCode]
    if (!filter) return []
    return [
      {
        propertyCode: condition.propertyCode,
        propertyType: condition.propertyType,
        propertyValue: filter.value,
        ...(filter.label ? { propertyValueName: filter.label } : {}),
        queryFilterType: filter.operator ?? condition.queryFilterType,
      },
    ]
  })
}
