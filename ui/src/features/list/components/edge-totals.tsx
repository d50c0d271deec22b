import type { GridApi } from 'ag-grid-community'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { ColumnPlan } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { aggregateWords } from '../aggregates'
import { sumsBeyond } from '../sums-beyond'
import { textWidth } from '../use-needed-widths'
import styles from './edge-totals.module.css'
import type { GridRow } from './grid'
import { tablePart, whileScrolling } from './table-part'

interface Props {
  /** The element around the grid; its sizes and scrolling are watched. */
  host: RefObject<HTMLDivElement | null>
  api: GridApi<GridRow>
  columns: ColumnPlan[]
  aggregates: Record<string, unknown>
}

interface Place {
  codes: string[]
  left: number
  top: number
  width: number
  height: number
}

const GAPS = 40

/** Figures of the footer whose columns lie beyond the right edge stand at that edge, as far as there is room. */
export function EdgeTotals({ host, api, columns, aggregates }: Props) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const [place, setPlace] = useState<Place | null>(null)
  const sums = useMemo(
    () =>
      columns.flatMap((column) => {
        const figure = aggregateWords(column, aggregates[column.propertyCode], context)
        if (!figure || !column.sumType) return []
        const name = `${localName(column, locale)} ${t(`list.${column.sumType}`)}`
        return [{ code: column.propertyCode, name, figure, width: textWidth(name) + textWidth(figure) + GAPS }]
      }),
    [columns, aggregates, context, locale, t],
  )
  useEffect(() => {
    const around = host.current
    if (!around || sums.length === 0) return setPlace(null)
    let asked = 0
    const measure = () => {
      asked = 0
      const next = placeOf(around, api, sums)
      setPlace((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
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
  if (!place) return null
  const { codes, ...style } = place
  return (
    <div className={styles.totals} style={style}>
      {sums
        .filter(({ code }) => codes.includes(code))
        .map(({ code, name, figure }) => (
          <button key={code} type="button" title={t('list.toColumn')} onClick={() => reveal(host.current, api, code)}>
            <span>{name}</span> <b>{figure}</b>
          </button>
        ))}
    </div>
  )
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

function placeOf(around: Element, api: GridApi<GridRow>, sums: { code: string; width: number }[]): Place | null {
  const now = sight(around, api)
  const footer = around.querySelector('.ag-row-pinned')
  if (!now || !footer) return null
  const needs = new Map(sums.map(({ code, width }) => [code, width]))
  const places = now.free.flatMap((column) => {
    const need = needs.get(column.getColId())
    return need === undefined
      ? []
      : [{ code: column.getColId(), left: column.getLeft() ?? 0, width: column.getActualWidth(), need }]
  })
  const beyond = sumsBeyond(places, now.seen)
  if (!beyond) return null
  const [row, outer] = [footer.getBoundingClientRect(), around.getBoundingClientRect()]
  return {
    codes: beyond.codes,
    width: beyond.width,
    left: now.left + now.seen.to - now.seen.from - beyond.width,
    top: row.top - outer.top + around.scrollTop + 1,
    height: row.height - 1,
  }
}

/** Scrolls so far that a column is seen whole. */
function reveal(around: Element | null, api: GridApi<GridRow>, code: string) {
  const now = around && sight(around, api)
  const column = now?.free.find((one) => one.getColId() === code)
  if (!now || !column) return
  now.viewport.scrollLeft += (column.getLeft() ?? 0) + column.getActualWidth() - now.seen.to
}
