import type { Locale } from '@/lib/local-name'

export const ZOOMS = ['day', 'week', 'month'] as const
export type Zoom = (typeof ZOOMS)[number]
export const isZoom = (value: unknown): value is Zoom => ZOOMS.includes(value as Zoom)

/** How far the axis goes beyond the first and the last bar, in days: room to drag into. */
const MARGIN: Record<Zoom, number> = { day: 14, week: 56, month: 184 }
const COLUMN: Record<Zoom, number> = { day: 36, week: 64, month: 34 }
/** A wider axis than this in the day scale says nothing and costs much. */
const MOST_DAYS = 4_000

interface Scale {
  unit: 'day' | 'week' | 'month' | 'year'
  step: number
  format: (date: Date) => string
  css?: (date: Date) => string
}

const language: Record<Locale, string> = { zh: 'zh-CN', en: 'en-GB' }
export const isWeekend = (date: Date) => date.getDay() === 0 || date.getDay() === 6
const weekend = (date: Date) => (isWeekend(date) ? 'gantt-weekend' : '')

/** The two rows of the time axis. */
export function scalesOf(zoom: Zoom, locale: Locale): Scale[] {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const words = new Intl.DateTimeFormat(language[locale], options)
    return (date: Date) => words.format(date)
  }
  const year = format({ year: 'numeric' })
  const month = format({ year: 'numeric', month: 'long' })
  switch (zoom) {
    case 'day':
      return [
        { unit: 'month', step: 1, format: month },
        { unit: 'day', step: 1, format: (date) => String(date.getDate()), css: weekend },
      ]
    case 'week':
      return [
        { unit: 'month', step: 1, format: month },
        { unit: 'week', step: 1, format: format({ month: locale === 'zh' ? 'numeric' : 'short', day: 'numeric' }) },
      ]
    case 'month':
      return [
        { unit: 'year', step: 1, format: year },
        { unit: 'month', step: 1, format: format({ month: 'short' }) },
      ]
  }
}

export const columnWidth = (zoom: Zoom) => COLUMN[zoom]

/** The scale that shows the most of all bars before anyone chooses one: about one and a half screens of columns. */
export function fittingZoom(bars: { start: Date; end: Date }[]): Zoom {
  const first = earliest(bars)
  if (!first) return 'week'
  const days = (bars.reduce((most, bar) => Math.max(most, bar.end.getTime()), -Infinity) - first.getTime()) / 86_400_000
  return days <= 30 ? 'day' : days <= 180 ? 'week' : 'month'
}

const shift = (date: Date, days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)

/** The start of the first bar. */
export const earliest = (bars: { start: Date }[]): Date | null =>
  bars.length > 0 ? new Date(bars.reduce((least, bar) => Math.min(least, bar.start.getTime()), Infinity)) : null

/** From where to where the axis goes: all bars, today when it is not far off, and room on both sides. */
export function rangeOf(bars: { start: Date; end: Date }[], today: Date, zoom: Zoom): { from: Date; to: Date } {
  let [from, to] = [today, today]
  if (bars.length > 0) {
    from = earliest(bars) ?? today
    to = new Date(bars.reduce((most, bar) => Math.max(most, bar.end.getTime()), -Infinity))
    const near = 366 * 86_400_000
    if (today < from && from.getTime() - today.getTime() < near) from = today
    if (today > to && today.getTime() - to.getTime() < near) to = today
  }
  const days = (to.getTime() - from.getTime()) / 86_400_000
  if (zoom === 'day' && days > MOST_DAYS) to = shift(from, MOST_DAYS)
  return { from: shift(from, -MARGIN[zoom]), to: shift(to, MARGIN[zoom]) }
}
