import { useQuery } from '@tanstack/react-query'
import { post } from '@/api/client'
import type { PortalHandle } from '../portal'
import { type Report, reportQuery, type SetData } from './api'

/** The rows of some data sets, as the report has them without anybody's filters. */
const setsQuery = (reportCode: string, dataSets: string[]) => ({
  queryKey: ['report', reportCode, 'sets', dataSets] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    post('/api/runtime/report/data', { reportCode, dataSets, filters: [] }, { signal }),
  retry: false,
})

/** The data sets that the widgets of the page need of a report. */
function needed(report: Report, page: PortalHandle): string[] {
  const { charts, dataSets } = page.uses(report.code)
  const ofCharts = report.charts.filter(({ code }) => charts.includes(code)).map(({ dataSet }) => dataSet)
  const all = new Set([...dataSets, ...ofCharts])
  return report.dataSets.map(({ code }) => code).filter((code) => all.has(code))
}

/** A report for a widget. The widgets of a page share one request for what they show of it. */
export function useReportOf(page: PortalHandle, reportCode: string) {
  const definition = useQuery(reportQuery(reportCode))
  const report = definition.data
  const sets = report ? needed(report, page) : []
  const rows = useQuery({ ...setsQuery(reportCode, sets), enabled: sets.length > 0 })
  return {
    report,
    data: rows.data as { dataSets: SetData[] } | undefined,
    error: definition.error ?? rows.error,
    retry: () => void (definition.error ? definition.refetch() : rows.refetch()),
  }
}
