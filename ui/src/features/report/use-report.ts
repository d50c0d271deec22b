import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Filter } from '@/api/types'
import { useSearch } from '@/lib/use-search'
import { effectiveFilters, type Filters, requestFilters } from '@/sdk/conditions'
import { isFilterKey, readFilters, writeFilters } from '@/sdk/filter-address'
import type { FilterValue } from '@/sdk/property'
import { dataQuery, type Report, type ReportFilter } from '@/sdk/report/api'

/** What is asked with: only what somebody set, since the server knows the defaults. What was cleared has no value. */
export function askedFilters(conditions: ReportFilter[], chosen: Filters): Filter[] {
  const set = conditions.filter(({ visible, propertyCode }) => visible && propertyCode in chosen)
  return set.flatMap((condition) => {
    const filter = chosen[condition.propertyCode]
    if (!filter) return [{ propertyCode: condition.propertyCode, propertyValue: '' }]
    return requestFilters([condition], { [condition.propertyCode]: filter })
  })
}

/** An address with other filters; what else is in it stays. */
export function withFilters(search: URLSearchParams, filters: Filters): URLSearchParams {
  const next = new URLSearchParams([...search].filter(([key]) => !isFilterKey(key)))
  writeFilters(next, filters)
  return next
}

/** The filters in force, as lists take them, whose conditions may have operators of their own. */
export function namedFilters(conditions: ReportFilter[], chosen: Filters): Record<string, FilterValue> {
  const filters = effectiveFilters(conditions, chosen)
  const all: Record<string, FilterValue> = {}
  for (const { propertyCode, queryFilterType } of conditions) {
    const filter = filters[propertyCode]
    if (filter) all[propertyCode] = { ...filter, operator: filter.operator ?? queryFilterType }
  }
  return all
}

/** The filters of a report, which its address holds, and its data. */
export function useReport(report: Report) {
  const [search, setSearch] = useSearch()
  const { filters: conditions } = report
  const chosen = useMemo(() => readFilters(search).filters, [search])
  const asked = useMemo(() => askedFilters(conditions, chosen), [conditions, chosen])
  const data = useQuery({ ...dataQuery(report, asked), enabled: report.charts.length > 0 })
  const filters = useMemo(() => effectiveFilters(conditions, chosen), [conditions, chosen])
  const named = useMemo(() => namedFilters(conditions, chosen), [conditions, chosen])
  const change = (next: Filters) => setSearch((now) => withFilters(now, next), { replace: true })
  return {
    report,
    asked,
    data,
    filters,
    named,
    conditions: conditions.filter(({ visible }) => visible),
    setFilter: (code: string, value: FilterValue | null) => change({ ...chosen, [code]: value }),
    resetFilters: () => change({}),
    clearFilters: () => change(Object.fromEntries(conditions.map(({ propertyCode }) => [propertyCode, null]))),
  }
}

export type ReportController = ReturnType<typeof useReport>
