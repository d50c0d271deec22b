import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import { MenuList } from './components/menu-list'
import { limitWidth, MIN_WIDTH, useMenuStore } from './menu-store'
import { menuQuery } from './queries'
import styles from './side-menu.module.css'
import { useCurrentEntry } from './use-current-entry'

/** The menu beside the page: as wide as it is drawn, none when it is collapsed. */
export function SideMenu({ appCode }: { appCode: string }) {
  const t = useText()
  const errorText = useErrorText()
  const { width, collapsed, resize } = useMenuStore()
  const { data, error } = useQuery(menuQuery(appCode))
  const current = useCurrentEntry(appCode)
  const [dragging, setDragging] = useState(false)
  if (collapsed) return null
  const drag = (event: PointerEvent) => dragging && resize(event.clientX)
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
    if (by) resize(width + by)
  }
  return (
    <nav className={styles.side} style={{ width: limitWidth(width, window.innerWidth) }} aria-label={t('shell.menu')}>
      {error ? (
        <p className={styles.error} role="alert">
          {errorText(error)}
        </p>
      ) : (
        <MenuList nodes={data} current={current?.id ?? null} leads />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is no thematic break */}
      <div
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('shell.resizeMenu')}
        aria-valuenow={width}
        aria-valuemin={MIN_WIDTH.application}
        aria-valuemax={limitWidth(9999, window.innerWidth)}
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
    </nav>
  )
}
