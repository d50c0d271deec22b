import type { ComponentType, ReactNode } from 'react'
import { createContext, useContext } from 'react'
import { get, post } from '@/api/client'
import type { FieldPlan, Filter, ListConfig } from '@/api/types'
import type { Locale } from '@/lib/local-name'
import type { Filters } from './conditions'
import type { FilterValue } from './property'

export type PortalMode = 'runtime' | 'design' | 'preview'

/** How a widget's box looks. A color that nobody wrote is null: the theme decides. */
export interface PortalStyle {
  backgroundColor: string | null
  backgroundImg: string | null
  borderRadius: 'none' | 'small' | 'medium' | 'big'
  borderStyle: 'none' | 'solid' | 'dashed'
  borderThickness: number
  borderColor: string | null
  textColor: string | null
  textThickness: 'normal' | 'bold'
}

export interface PortalWidget {
  /** Unique on the page. */
  id: string
  code: string | null
  type: string
  x: number
  y: number
  width: number
  height: number
  style: PortalStyle
  options: Record<string, unknown>
  widgets: PortalWidget[] | null
  problem: null | 'unknown' | 'gone'
  /** The person has hidden it; it is drawn only where they arrange their page. */
  hidden?: boolean
}

export interface PortalSettings {
  size: 'fluid' | 'fixed'
  width: number
  padding: number
  backgroundColor: string | null
  backgroundImg: string | null
  overflow: 'auto' | 'visible' | 'hidden' | 'scroll'
  onEnter: string | null
  onLeave: string | null
}

/** A page as one person sees it: what they may not see is not in it. */
export interface PortalPage {
  portalCode: string
  name: string
  name_i18n: Record<string, string> | null
  published: 0 | 1
  fallback: boolean
  appCode: string | null
  mayEdit: boolean
  mayArrange: boolean
  arranged: boolean
  script: string | null
  page: PortalSettings
  widgets: PortalWidget[]
}

/** Where something leads; `to` is null where it leads nowhere. */
export interface PortalTarget {
  to: string | null
  /** An address outside of this system. */
  external?: boolean | undefined
  newWindow?: boolean | undefined
}

export type PortalColumn = FieldPlan & { code: string }

export interface PortalRow {
  id: string
  schemaCode: string
  to: string
  /** One for each column, in the language of the reader. */
  texts: string[]
  values: unknown[]
}

export interface PortalRows {
  columns: PortalColumn[]
  rows: PortalRow[]
  total: number | null
  more: boolean
}

export interface PortalRowsRequest {
  tab?: number
  page?: number
  size?: number
  /** Of calendars: the first day, and the one after the last. */
  from?: string
  to?: string
  filters?: Filter[]
  keyword?: string
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

// The calls of this resource are few; their types are those above.
const ask = get as unknown as (path: string, query: object, options: object) => Promise<never>
const send = post as unknown as (path: string, body: object, options?: object) => Promise<never>

export const portalQuery = (portalCode: string, mode: 'runtime' | 'design') => ({
  queryKey: ['portal', portalCode, mode] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<PortalPage> =>
    ask('/api/runtime/portal/get', { portalCode, mode }, { signal }),
  retry: false,
})

export interface PortalEntry {
  portalCode: string
  name: string
  name_i18n: Record<string, string> | null
  appCode: string | null
  published: 0 | 1
  mayEdit: boolean
}

/** The pages of an application that the reader may open. */
export const portalListQuery = (appCode: string) => ({
  queryKey: ['portal', 'list', appCode] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<PortalEntry[]> =>
    ask('/api/runtime/portal/list', { appCode }, { signal }),
  retry: false,
})

export const portalRowsQuery = (
  portalCode: string,
  mode: 'runtime' | 'design',
  widget: string,
  request: PortalRowsRequest,
): PortalRowsQuery => ({
  queryKey: ['portal', portalCode, 'rows', widget, mode, request],
  queryFn: ({ signal }) => send('/api/runtime/portal/rows', { portalCode, mode, widget, ...request }, { signal }),
})

export interface Arranged {
  id: string
  x: number
  y: number
  width: number
  height: number
  hidden: boolean
}

/** Keeps how the person arranges a page; none = as its author placed it. */
export const arrangePortal = (portalCode: string, widgets: Arranged[]): Promise<unknown> =>
  send('/api/runtime/portal/arrange', { portalCode, widgets })

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

/** The height of a row of the grid, and of what is between two, in pixels. */
export const ROW = 32
export const GAP = 16

/** What `rows` rows of the grid are high. */
export const heightOf = (rows: number) => rows * ROW + (rows - 1) * GAP

/** How many lines of a height fit into a widget below its head. */
export const linesIn = (rows: number, line: number, head = 48) =>
  Math.max(1, Math.floor((heightOf(rows) - head - 8) / line))
