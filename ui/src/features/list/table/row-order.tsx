import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { propertyUI } from '@/registry/properties'
import { writesInPlace } from '@/sdk/action'
import { useFeedback } from '@/sdk/feedback'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { DRAG_DELAY } from '../columns/use-drag-order'
import type { ShownRow } from '../data/use-tree-rows'
import { type Drop, drop } from '../gantt/order'
import { useGanttSave } from '../gantt/use-gantt-save'
import type { ListController } from '../use-list-controller'
import { linkColumn } from './column-defs'
import styles from './row-order.module.css'

interface Props {
  /** The element around the grid. */
  host: RefObject<HTMLDivElement | null>
  controller: ListController
  /** The number that keeps the order. */
  code: string
}

/** Where a dragged row would come to stand: before the row of this index, drawn at this height of the host. */
interface Target {
  index: number
  top: number
  kind: Drop['kind']
}

/** Nearer than this to an end, the table scrolls along. */
const EDGE = 40
const SCROLL = 14

/** Pressed there, something else is meant. */
const OTHERS = 'button, input, .ag-header, .ag-row-pinned'

/** Whether a row may be moved by its number: the person may change that in place, and all rows of its level are on the page. */
export function isMovable(row: ShownRow, code: string, roots: number, total: number): boolean {
  return writesInPlace(row, code) && (row.depth > 0 || total <= roots)
}

/** Rows of a tree are put in order by dragging, among those of their level. */
export default function RowOrder({ host, controller, code }: Props) {
  const t = useText()
  const say = useFeedback()
  const context = useTextContext()
  const locale = useLocale()
  const { config, rows, shownColumns } = controller
  const [target, setTarget] = useState<Target | null>(null)
  const { save, busy } = useGanttSave(controller, () => {})
  const roots = rows.filter((row) => row.depth === 0).length
  const link = linkColumn(shownColumns, config.queryPresentation.fixedLeftColumns)
  const column = config.queryColumns.find((one) => one.propertyCode === code)
  const places = rows.map(({ id, depth, data }) => {
    const order = data[code]
    return { id, depth, level: null, order: typeof order === 'string' ? order : null }
  })
  /** `index` counts the row itself too. */
  const dropAt = (id: string, index: number) => {
    const own = places.findIndex((place) => place.id === id)
    return drop(places, id, index > own ? index - 1 : index, Number(column?.settings?.scale ?? 8))
  }
  const titleOf = (row: ShownRow) => {
    const value = link && row.data[link.propertyCode]
    return link && !isEmptyValue(value)
      ? propertyUI(link.propertyType).text(value, link, { ...context, locale })
      : t('list.unnamed')
  }
  const done = (id: string, index: number) => {
    const result = dropAt(id, index)
    if (result.kind === 'refused') say.warning(t('gantt.sameLevelOnly'))
    if (result.kind !== 'move') return
    void save(
      result.writes.flatMap(({ id: one, order }) => {
        const row = rows.find((row) => row.id === one)
        return row ? [{ row, title: titleOf(row), data: { [code]: order } }] : []
      }),
    )
  }
  const now = {
    may: (id: string) => {
      const row = rows.find((one) => one.id === id)
      return row !== undefined && !busy(id) && isMovable(row, code, roots, controller.total ?? 0)
    },
    kind: (id: string, index: number) => dropAt(id, index).kind,
    done,
  }
  const live = useRef(now)
  live.current = now
  useEffect(() => (host.current ? listen(host.current, live, setTarget) : undefined), [host])
  if (!target) return null
  return <div className={styles.line} data-kind={target.kind} style={{ top: target.top }} />
}

interface Deeds {
  may: (id: string) => boolean
  kind: (id: string, index: number) => Drop['kind']
  done: (id: string, index: number) => void
}

/** A row comes loose when it is held; a shorter press is a click. Returns what ends the listening. */
function listen(host: HTMLElement, live: RefObject<Deeds>, show: (target: Target | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dragged: HTMLElement | null = null
  let target: Target | null = null
  const idOf = (row: Element) => row.getAttribute('row-id') ?? ''
  const placeAt = (y: number): Target | null => {
    if (!dragged) return null
    const box = host.getBoundingClientRect()
    const drawn = [...host.querySelectorAll('.ag-row[row-id]:not(.ag-row-pinned)')].map((row) => ({
      at: Number(row.getAttribute('row-index')),
      rect: row.getBoundingClientRect(),
    }))
    const under = drawn.find(({ rect }) => y >= rect.top && y < rect.bottom) ?? drawn.toSorted((a, b) => b.at - a.at)[0]
    if (!under) return null
    const below = y > (under.rect.top + under.rect.bottom) / 2
    const index = under.at + (below ? 1 : 0)
    const top = (below ? under.rect.bottom : under.rect.top) - box.top + host.scrollTop
    return { index, top, kind: live.current.kind(idOf(dragged), index) }
  }
  const move = ({ clientY }: PointerEvent) => {
    if (!dragged) return
    const viewport = host.querySelector('.ag-grid-viewport')
    const box = viewport?.getBoundingClientRect()
    if (viewport && box && clientY < box.top + EDGE) viewport.scrollTop -= SCROLL
    if (viewport && box && clientY > box.bottom - EDGE) viewport.scrollTop += SCROLL
    target = placeAt(clientY)
    show(target)
  }
  const stop = () => {
    clearTimeout(timer)
    dragged?.classList.remove(styles.dragged ?? '')
    dragged = null
    target = null
    show(null)
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', up)
    window.removeEventListener('pointercancel', stop)
    window.removeEventListener('keydown', leave, true)
  }
  const up = () => {
    const [row, place] = [dragged, target]
    stop()
    if (!row) return
    // The click that the release makes is none.
    const silence = (event: Event) => {
      event.stopPropagation()
      event.preventDefault()
    }
    window.addEventListener('click', silence, { capture: true, once: true })
    setTimeout(() => window.removeEventListener('click', silence, { capture: true }))
    if (place) live.current.done(idOf(row), place.index)
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    stop()
  }
  const down = (event: PointerEvent) => {
    const at = event.target as Element
    const row = at.closest<HTMLElement>('.ag-row[row-id]')
    if (event.button !== 0 || event.pointerType === 'touch' || at.closest(OTHERS)) return
    if (!row || !live.current.may(idOf(row))) return
    stop()
    timer = setTimeout(() => {
      dragged = row
      row.classList.add(styles.dragged ?? '')
    }, DRAG_DELAY)
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', stop)
    window.addEventListener('keydown', leave, true)
  }
  /** A link would be dragged by the browser. */
  const own = (event: Event) => event.preventDefault()
  host.addEventListener('pointerdown', down)
  host.addEventListener('dragstart', own)
  host.dataset.order = '' // from now on rows show where to take hold of them
  return () => {
    stop()
    host.removeEventListener('pointerdown', down)
    host.removeEventListener('dragstart', own)
    delete host.dataset.order
  }
}
