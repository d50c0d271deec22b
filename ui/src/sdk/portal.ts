import type { ComponentType, ReactNode } from 'react'
import { createContext, useContext } from 'react'
import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'
import type { FieldPlan, ListConfig } from '@/api/types'
import type { Locale } from '@/lib/local-name'
import type { Filters } from './conditions'
import type { FilterValue } from './property'

type Schemas = components['schemas']

/** The page that everybody begins with, and the one that is shown in place of a page that failed or is gone. */
export const WORKBENCH = 'defaultPortalDashboard'
export const BUILT_IN = 'builtInPortal'

export type PortalMode = 'runtime' | 'design' | 'preview'

export type PortalStyle = Schemas['PortalWidget']['style']
export type PortalWidget = Omit<Schemas['PortalWidget'], 'options' | 'widgets'> & {
  options: Record<string, unknown>
  widgets: PortalWidget[] | null
}
export type PortalSettings = Schemas['PortalPage']['page']
/** A page as one person sees it: what they may not see is not in it. */
export type PortalPage = Omit<Schemas['PortalPage'], 'widgets'> & { widgets: PortalWidget[] }
export type PortalEntry = Schemas['PortalEntry']
export type PortalRows = Schemas['PortalRows']
export type PortalRow = PortalRows['rows'][number]
export type PortalRowsRequest = Omit<Partial<Schemas['PortalRowsRequest']>, 'portalCode' | 'widget'>
export type Arranged = Schemas['PortalArrangement']['widgets'][number]

/** Where something leads; `to` is null where it leads nowhere. */
export interface PortalTarget {
  to: string | null
  /** An address outside of this system. */
  external?: boolean | undefined
  newWindow?: boolean | undefined
}

export interface PortalRowsQuery {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<PortalRows>
}

/** What a widget knows of its page, and what it can do there. */
export interface PortalHandle {
  portalCode: string
  appCode: string | null
  mode: PortalMode
  /** Opens an address as a link does; nothing where the page is designed. */
  open: (target: PortalTarget) => void
  /** For `useQuery`: the records of a widget. */
  rows: (widgetId: string, request: PortalRowsRequest) => PortalRowsQuery
  /** Draws the widgets inside of a widget. */
  drawn: (children: PortalWidget[]) => ReactNode
  /** What of a report the widgets of the page show, so that all of them share one request. */
  uses: (reportCode: string) => ReportUse
}

export interface ReportUse {
  charts: string[]
  dataSets: string[]
}

export interface WidgetProps<O extends object = Record<string, unknown>> {
  widget: Omit<PortalWidget, 'options'> & { options: O }
  page: PortalHandle
}

export type WidgetGroup = 'navigation' | 'work' | 'figures' | 'content' | 'layout'

/** What parts of the product draw in widgets. The application puts them in. */
export interface PortalParts {
  Chart: ComponentType<PortalChartProps>
  /** The visible conditions of a list. */
  Filters: ComponentType<PortalFilterProps>
  /** A value as the cells of lists draw it. */
  Value: ComponentType<PortalValueProps>
}

export interface PortalChartProps {
  reportCode: string
  chartCode: string
  /** The title of the widget; without one the chart's name. */
  title: string
  /** Where the report opens. */
  moreTo: string | null
  page: PortalHandle
}

export interface PortalFilterProps {
  config: ListConfig
  filters: Filters
  onChange: (code: string, value: FilterValue | null) => void
}

export interface PortalValueProps {
  value: unknown
  field: FieldPlan
  text: string
}

interface PortalContextValue {
  handle: PortalHandle
  parts: PortalParts
}

export const PortalContext = createContext<PortalContextValue | null>(null)

/** The page around a widget. */
export function usePortal(): PortalContextValue {
  const value = useContext(PortalContext)
  if (!value) throw new Error('a widget outside of a portal page')
  return value
}

export const portalQuery = (portalCode: string, mode: 'runtime' | 'design') => ({
  queryKey: ['portal', portalCode, mode] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get('/api/runtime/portal/get', { portalCode, ...draft(mode) }, { signal }) as Promise<PortalPage>,
  retry: false,
})

/** Calls are about the published page unless they say otherwise. */
const draft = (mode: 'runtime' | 'design') => (mode === 'design' ? { mode } : {})

/** The pages of an application that the reader may open. */
export const portalListQuery = (appCode: string) => ({
  queryKey: ['portal', 'list', appCode] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/portal/list', { appCode }, { signal }),
  retry: false,
})

export const portalRowsQuery = (
  portalCode: string,
  mode: 'runtime' | 'design',
  widget: string,
  request: PortalRowsRequest,
): PortalRowsQuery => ({
  queryKey: ['portal', portalCode, 'rows', widget, mode, request],
  queryFn: ({ signal }) => {
    const body = { tab: 0, page: 0, size: 10, ...request, portalCode, widget, mode }
    return post('/api/runtime/portal/rows', body, { signal })
  },
})

/** Keeps how the person arranges a page; none = as its author placed it. */
export const arrangePortal = (portalCode: string, widgets: Arranged[]) =>
  post('/api/runtime/portal/arrange', { portalCode, widgets })

/** A text of the options in a language: `title` and `title_i18n`. */
export function optionText(options: object, key: string, locale: Locale): string {
  const all = options as Record<string, unknown>
  const i18n = all[`${key}_i18n`] as Record<string, string> | null | undefined
  const own = all[key]
  return i18n?.[locale] || (typeof own === 'string' ? own : '')
}

/** Where a navigation entry, a photo or a picture leads. */
export function targetOf(options: {
  to?: string | null
  external?: boolean
  openMode?: string
  openType?: string
}): PortalTarget {
  const { to = null, external = false, openMode, openType } = options
  return { to, external, newWindow: openMode === 'newPage' || openType === '_blank' }
}

/** The height of a row of the grid, and what a widget leaves free at its bottom, in pixels. */
export const ROW = 12
export const GAP = 16

/** What a widget of so many rows is high. */
export const heightOf = (rows: number) => Math.max(rows * ROW - GAP, 32)

/** How many lines of a height fit into a widget below its head. */
export const linesIn = (rows: number, line: number, head = 48) =>
  Math.max(1, Math.floor((heightOf(rows) - head - 8) / line))
