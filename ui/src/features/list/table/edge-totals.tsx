import type { GridApi } from 'ag-grid-community'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { ColumnPlan } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { aggregateName, aggregateWords } from '../data/aggregates'
import { type EdgeSums, sumsBeyond } from '../data/sums-beyond'
import styles from './edge-totals.module.css'
import type { GridRow } from './grid'
import { tablePart, whileScrolling } from './table-part'
import { textWidth } from './use-needed-widths'

interface Props {
  /** The element around the grid; its sizes and scrolling are watched. */
  host: RefObject<HTMLDivElement | null>
  api: GridApi<GridRow>
  columns: ColumnPlan[]
  aggregates: Record<string, unknown>
}

interface Place extends EdgeSums {
  side: 'left' | 'right'
  left: number
  top: number
  height: number
}

const GAPS = 40
/** On both sides of a figure in its column. */
const PADDING = 24

/** Figures of the footer whose columns lie beyond an edge stand at that edge, as far as there is room. */
export function EdgeTotals({ host, api, columns, aggregates }: Props) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const [places, setPlaces] = useState<Place[]>([])
  const sums = useMemo(
    () =>
      columns.flatMap((column) => {
        const figure = aggregateWords(column, aggregates[column.propertyCode], context)
        if (!figure || !column.sumType) return []
        const name = aggregateName(column, t, locale)
        const width = textWidth(figure)
        return [
          { code: column.propertyCode, name, figure, need: textWidth(name) + width + GAPS, least: width + PADDING },
        ]
      }),
    [columns, aggregates, context, locale, t],
  )
  useEffect(() => {
    const around = host.current
    // While the table is drawn again, the one that was measured is gone.
    if (!around || sums.length === 0 || api.isDestroyed()) return setPlaces([])
    let asked = 0
    const measure = () => {
      asked = 0
      if (api.isDestroyed()) return
      const next = placesOf(around, api, sums)
      setPlaces((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    }
    const soon = () => {
      asked ||= requestAnimationFrame(measure)
    }
    const sizes = new ResizeObserver(soon)
    sizes.observe(around)
    const inner = around.firstElementChild
    if (inner) sizes.observe(inner)
    const header = tablePart(around, '.ag-header', 'header')
    if (header) sizes.observe(header)
    const still = whileScrolling(around, soon)
    const events = ['columnResized', 'displayedColumnsChanged', 'firstDataRendered'] as const
    for (const event of events) api.addEventListener(event, soon)
    soon()
    return () => {
      cancelAnimationFrame(asked)
      sizes.disconnect()
      still()
      if (!api.isDestroyed()) for (const event of events) api.removeEventListener(event, soon)
    }
  }, [host, api, sums])
  return places.map(({ side, codes, ...style }) => (
    <div key={side} className={styles.totals} data-side={side} style={style}>
      {sums
        .filter(({ code }) => codes.includes(code))
        .map(({ code, name, figure }) => (
          <button key={code} type="button" title={t('list.toColumn')} onClick={() => reveal(host.current, api, code)}>
            <span>{name}</span> <b>{figure}</b>
          </button>
        ))}
    </div>
  ))
}

const viewportOf = (around: Element) => tablePart(around, '.ag-grid-viewport')

/** The columns between the fixed ones, how wide those are, and what is seen of them. */
function sight(around: Element, api: GridApi<GridRow>) {
  const viewport = viewportOf(around)
  if (!viewport) return null
  const columns = api.getAllDisplayedColumns()
  const fixed = (side: 'left' | 'right') =>
    columns.reduce((sum, column) => sum + (column.getPinned() === side ? column.getActualWidth() : 0), 0)
  const [left, right] = [fixed('left'), fixed('right')]
  const free = columns.filter((column) => !column.getPinned())
  const from = viewport.scrollLeft
  return { viewport, left, free, seen: { from, to: from + viewport.clientWidth - left - right } }
}

function placesOf(
  around: Element,
  api: GridApi<GridRow>,
  sums: { code: string; need: number; least: number }[],
): Place[] {
  const now = sight(around, api)
  const footer = around.querySelector('.ag-row-pinned')
  if (!now || !footer) return []
  const needs = new Map(sums.map((sum) => [sum.code, sum]))
  const places = now.free.flatMap((column) => {
    const sum = needs.get(column.getColId())
    if (!sum) return []
    const { code, need, least } = sum
    return [{ code, left: column.getLeft() ?? 0, width: column.getActualWidth(), need, figure: least }]
  })
  const { left, right } = sumsBeyond(places, now.seen)
  const [row, outer] = [footer.getBoundingClientRect(), around.getBoundingClientRect()]
  const at = { top: row.top - outer.top + around.scrollTop + 1, height: row.height - 1 }
  const width = now.seen.to - now.seen.from
  return [
    ...(left ? [{ ...left, ...at, side: 'left' as const, left: now.left }] : []),
    ...(right ? [{ ...right, ...at, side: 'right' as const, left: now.left + width - right.width }] : []),
  ]
}

/** Scrolls so far that a column is seen whole. */
function reveal(around: Element | null, api: GridApi<GridRow>, code: string) {
  const now = around && sight(around, api)
  const column = now?.free.find((one) => one.getColId() === code)
  if (!now || !column) return
  const left = column.getLeft() ?? 0
  now.viewport.scrollLeft += left < now.seen.from ? left - now.seen.from : left + column.getActualWidth() - now.seen.to
}
