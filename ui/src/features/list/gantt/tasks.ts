import type { ColumnPlan, ListConfig } from '@/api/types'
import { addDays } from '@/lib/calendar'
import { partsIn } from '@/lib/zone-parts'
import type { ShownRow } from '../data/use-tree-rows'

export type GanttPlan = NonNullable<ListConfig['queryPresentation']['gantt']>

/** The specification's progress states and levels, by their numbers on the wire. */
export const STATES = { finish: 0, doing: 1, undo: -1 } as const
export const LEVELS = { group: 0, company: 1, project: 2 } as const
export type State = keyof typeof STATES
export type Level = keyof typeof LEVELS

/** A row as the chart draws it. Dates are the wall clock of the installation, as if it were the browser's. */
export interface Task {
  id: string
  row: ShownRow
  title: string
  start: Date
  /** Where the bar ends: a last day is included, so for days it is the midnight after it. */
  end: Date
  /** Nothing to draw. */
  dateless: boolean
  /** The end lies before the start. */
  reversed: boolean
  /** From 0 to 1; null when there is no share. */
  share: number | null
  state: State | null
  level: Level | null
  /** What the user may change about this row. */
  may: { start: boolean; end: boolean; progress: boolean; order: boolean }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function wallClock(value: string, zone: string): Date | null {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value)
  if (day) return new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3]))
  const ms = Date.parse(value)
  if (Number.isNaN(ms)) return null
  const at = partsIn(zone, ms)
  const n = (key: string) => Number(at[key] ?? 0)
  return new Date(n('year'), n('month') - 1, n('day'), n('hour'), n('minute'), n('second'))
}

const isDay = (value: string) => !value.includes('T')
const nextDay = (date: Date, days = 1) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)
const two = (n: number) => String(n).padStart(2, '0')
const dayText = (d: Date) => `${String(d.getFullYear()).padStart(4, '0')}-${two(d.getMonth() + 1)}-${two(d.getDate())}`
/** The midnight nearest to a place on the axis. */
const nearestDay = (d: Date) => nextDay(new Date(d.getTime() + 12 * 3_600_000), 0)

/** The instant at which a zone's clock shows what `date` shows here. */
function instantOf(date: Date, zone: string): string {
  const wanted = Date.UTC(
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  )
  const shown = (ms: number) => {
    const at = partsIn(zone, ms)
    const n = (key: string) => Number(at[key] ?? 0)
    return Date.UTC(n('year'), n('month') - 1, n('day'), n('hour'), n('minute'), n('second'))
  }
  // The zone's offset is looked up where the guess lies; twice, for days on which it changes.
  let out = wanted
  for (let i = 0; i < 2; i++) out += wanted - shown(out)
  return new Date(out).toISOString()
}

/** A row's values as the wire has them. */
export interface Span {
  start: string | null
  end: string | null
}

export function spanOf(row: ShownRow, plan: GanttPlan): Span {
  const read = (code: string | null) => {
    const value = code ? row.data[code] : null
    return isText(value) ? value : null
  }
  return { start: read(plan.startTimePropertyCode), end: read(plan.endTimePropertyCode) }
}

/** The bar of a span; null when the row has neither a start nor an end. A missing one is taken for the same day. */
export function barOf(span: Span, zone: string): { start: Date; end: Date; reversed: boolean } | null {
  const [from, to] = [span.start ?? span.end, span.end ?? span.start]
  if (from === null || to === null) return null
  const start = wallClock(from, zone)
  const last = wallClock(to, zone)
  if (!start || !last) return null
  const end = isDay(to) ? nextDay(last) : last
  if (end > start) return { start, end, reversed: false }
  const instant = new Date(start.getTime() + 3_600_000)
  return { start, end: isDay(from) ? nextDay(start) : instant, reversed: last < start }
}

/** What a dragged bar writes: only what changed, days as days and instants as instants. */
export function spanChange(
  before: Span,
  bar: { start: Date; end: Date },
  which: 'both' | 'start' | 'end',
  zone: string,
) {
  const sample = before.start ?? before.end ?? ''
  const instant = sample !== '' && !isDay(sample)
  const start = instant ? instantOf(bar.start, zone) : dayText(nearestDay(bar.start))
  const last = instant ? instantOf(bar.end, zone) : addDays(dayText(nearestDay(bar.end)), -1)
  const end = [start, last].sort().at(-1) ?? last // texts of one form order as their times do
  const same = (a: string | null, b: string) => a === b || (instant && a !== null && Date.parse(a) === Date.parse(b))
  return {
    ...(which !== 'end' && !same(before.start, start) ? { start } : {}),
    ...(which !== 'start' && !same(before.end, end) ? { end } : {}),
  }
}

const FULL = 100

/** Whether a share goes from 0 to 1 (displayFormat percent) instead of from 0 to 100. */
const isFraction = (column: ColumnPlan) => column.displayFormat === 'percent'

function wordOf<T extends string>(value: unknown, words: Record<T, number>): T | null {
  const text = String(value ?? '').toLowerCase()
  for (const word of Object.keys(words) as T[]) {
    if (text === word || (text !== '' && Number(text) === words[word])) return word
  }
  return null
}

export function progressOf(
  value: unknown,
  column: ColumnPlan | undefined,
): { share: number | null; state: State | null } {
  if (!column) return { share: null, state: null }
  if (column.options) {
    const state = wordOf(value, STATES)
    return { share: state === 'finish' ? 1 : null, state }
  }
  if (!isText(value)) return { share: 0, state: 'undo' }
  const share = Math.min(1, Math.max(0, Number(value) / (isFraction(column) ? 1 : FULL)))
  return { share, state: share >= 1 ? 'finish' : share > 0 ? 'doing' : 'undo' }
}

/** A share as its property keeps it: whole percents. */
export function progressText(share: number, column: ColumnPlan): string {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * FULL)
  return isFraction(column) ? String(percent / FULL) : String(percent)
}

export const levelOf = (value: unknown): Level | null => wordOf(value, LEVELS)
export const stateOf = (value: unknown): State | null => wordOf(value, STATES)

/** Now, on the clock of the installation. */
export const wallNow = (zone: string): Date => wallClock(new Date().toISOString(), zone) ?? new Date()
