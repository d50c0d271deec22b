import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useText } from '@/sdk/use-text'
import { COLLAPSED_WIDTH, limitWidth, type MenuMode, MIN_WIDTH, useMenuStore } from './menu-store'
import styles from './side-menu.module.css'

/** Pixels that an arrow key moves the edge. */
const STEP = 16

/** How wide a menu is drawn, in pixels. */
export function useMenuWidth(mode: MenuMode): number {
  const width = useMenuStore((state) =>
    mode === 'workflow' ? (state.workflowWidth ?? MIN_WIDTH.workflow) : state.width,
  )
  const collapsed = useMenuStore((state) => state.collapsed)
  return collapsed ? COLLAPSED_WIDTH[mode] : limitWidth(width, window.innerWidth, mode)
}

/** The edge of a menu that begins at the left of the window: it is dragged, or moved by the arrow keys. */
export function MenuHandle({ mode }: { mode: MenuMode }) {
  const t = useText()
  const resize = useMenuStore((state) => state.resize)
  const width = useMenuWidth(mode)
  const [dragging, setDragging] = useState(false)
  const drag = (event: PointerEvent) => dragging && resize(event.clientX, mode)
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (by) resize(width + by, mode)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves isn't a thematic break
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('shell.resizeMenu')}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH[mode]}
      aria-valuemax={limitWidth(Number.MAX_SAFE_INTEGER, window.innerWidth, mode)}
      className={styles.handle}
      data-dragging={dragging || undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragging(true)
      }}
      onPointerMove={drag}
      onPointerUp={() => setDragging(false)}
      onKeyDown={step}
    />
  )
}
