import type { Locale } from '@/lib/local-name'
import type { Side } from './edges'
import type { Task } from './tasks'

/** A column of the chart's table; the first one holds the names. */
export interface ChartColumn {
  code: string
  label: string
  width: number
  align: 'left' | 'right'
  text: (task: Task) => string
}

export interface ChartTexts {
  state: (task: Task) => string
  level: (task: Task) => string
  tooltip: (task: Task) => [label: string, value: string][]
  today: string
  expand: string
  collapse: string
  barText: (task: Task) => string
  href: (task: Task) => string
  /** What a mark says that represents a bar outside of what is seen. */
  edge: (task: Task, side: Side) => { label: string; title: string }
}

/** What the chart tells its page. Dates are the wall clock of the installation, as in Task. */
export interface ChartEvents {
  open: (id: string) => void
  toggle: (id: string) => void
  /** A bar was dragged; the page saves it and shows the row again, changed or not. */
  span: (id: string, bar: { start: Date; end: Date }, which: 'both' | 'start' | 'end') => void
  progress: (id: string, share: number) => void
  /** A row was put at a place among the others. */
  order: (id: string, index: number) => void
  /** The row is being saved: nothing about it may be dragged. */
  busy: (id: string) => boolean
}

export interface ChartOptions {
  columns: ChartColumn[]
  locale: Locale
  texts: ChartTexts
  events: ChartEvents
  sortable: boolean
  now: () => Date
}
