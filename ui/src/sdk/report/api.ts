import { keepPreviousData } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'
import type { Filter } from '@/api/types'

type Schemas = components['schemas']
export type Report = Schemas['Report']
export type ReportFilter = Report['filters'][number]
export type DataSet = Schemas['ReportDataSet']
export type Measure = DataSet['measures'][number]
export type SetData = Schemas['ReportData']['dataSets'][number]
export type Row = Schemas['ReportRow']
export type GroupValue = Row['groups'][number]

export const reportQuery = (reportCode: string) => ({
  queryKey: ['report', reportCode, 'definition'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/report/get', { reportCode }, { signal }),
  retry: false,
})

/** The data sets that a report's charts show, in the report's order: it may describe others, which pages use. */
export const shownSets = ({ charts, dataSets }: Report): string[] =>
  dataSets.map(({ code }) => code).filter((code) => charts.some(({ dataSet }) => dataSet === code))

/** The rows of what a report shows, all at once; those of other filters stay until they are there. */
export const dataQuery = (report: Report, filters: Filter[]) => ({
  queryKey: ['report', report.code, 'data', filters] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    post('/api/runtime/report/data', { reportCode: report.code, dataSets: shownSets(report), filters }, { signal }),
  placeholderData: keepPreviousData,
  retry: false,
  staleTime: 0,
})
