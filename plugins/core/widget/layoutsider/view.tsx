import { Icon, readStored, useIsPhone, useText, type WidgetProps, writeStored } from '@sluice/sdk'
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import styles from './sider.module.css'

interface Options {
  basis?: number
  collapsible?: boolean
  toggleInside?: boolean
  resizable?: boolean
  min?: number
  max?: number
}

interface Kept {
  width: number
  folded: boolean
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && typeof (value as Kept).width === 'number'

/** What remains of a sidebar that is folded. */
const FOLDED = 32
const STEP = 16

/** A part of a layout with a width of its own, which can be folded and dragged where its author allows it. */
export function LayoutSider({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const id = useId()
  const phone = useIsPhone()
  const { basis = 106, collapsible, toggleInside, resizable, min = 48, max = 500 } = widget.options
  const key = `portal-sider/${page.portalCode}/${widget.id}`
  const within = (width: number) => Math.min(Math.max(width, min), max)
  const [kept, setKept] = useState<Kept>(() => readStored(key, isKept) ?? { width: basis, folded: false })
  const drag = useRef<{ x: number; width: number } | null>(null)
  const change = (next: Kept) => {
    setKept(next)
    writeStored(key, next)
  }
  const folded = Boolean(collapsible && kept.folded)
  const width = resizable ? within(kept.width) : basis
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowLeft: width - STEP, ArrowRight: width + STEP, Home: min, End: max }[event.key]
    if (to === undefined) return
    event.preventDefault()
    change({ ...kept, width: within(to) })
  }
  const onMove = (event: PointerEvent) => {
    const { current } = drag
    if (current) setKept({ ...kept, width: within(current.width + event.clientX - current.x) })
  }
  const onUp = () => {
    if (drag.current) writeStored(key, kept)
    drag.current = null
  }
  return (
    <div
      className={styles.sider}
      data-folded={folded || undefined}
      data-inside={toggleInside || undefined}
      style={phone ? {} : { width: folded ? FOLDED : width }}
    >
      {collapsible && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={!folded}
          aria-controls={id}
          aria-label={t(folded ? 'portal.unfold' : 'portal.fold')}
          title={t(folded ? 'portal.unfold' : 'portal.fold')}
          onClick={() => change({ ...kept, folded: !folded })}
        >
          <Icon name={folded ? 'right' : 'left'} size={14} />
        </button>
      )}
      <div id={id} className={styles.content} hidden={folded}>
        {page.drawn(widget.widgets ?? [])}
      </div>
      {resizable && !folded && !phone && (
        // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved has no element of its own
        <div
          role="separator"
          aria-orientation="vertical"
          aria-label={t('portal.width')}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-valuenow={width}
          aria-controls={id}
          tabIndex={0}
          className={styles.edge}
          onKeyDown={onKey}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            drag.current = { x: event.clientX, width }
          }}
          onPointerMove={onMove}
          onPointerUp={onUp}
        />
      )}
    </div>
  )
}
