import { Dropdown } from 'antd'
import { type MouseEvent, memo, useCallback, useMemo, useState } from 'react'
import styles from './grid.module.css'
import { drawn } from './grid-cell'
import type { Grid } from './grid-commands'
import type { RowAction } from './row-actions'

/** Where the menu opened, from the corner of the sheet; it goes there, and is closed there. */
interface Place {
  left: number
  top: number
  open: boolean
}

/** The place of the menu. Its functions stay the same. A widget that is open keeps the browser's own menu. */
export function useRowMenu(grid: Grid) {
  const [place, setPlace] = useState<Place | null>(null)
  const open = useCallback((event: MouseEvent<HTMLElement>) => {
    if ((event.target as Element).closest('[data-editor]')) return
    event.preventDefault()
    const corner = event.currentTarget.parentElement?.getBoundingClientRect()
    setPlace({ left: event.clientX - (corner?.left ?? 0), top: event.clientY - (corner?.top ?? 0), open: true })
  }, [])
  const close = useCallback(() => {
    setPlace((old) => old && { ...old, open: false })
    grid.focus()
  }, [grid])
  return { place, open, close }
}

interface MenuProps {
  actions: RowAction[]
  place: Place | null
  onClose: () => void
}

/** The menu of the rows, made when it is asked for first; it is next to the grid, which is drawn for each key. */
export const RowMenu = memo(function RowMenu({ actions, place, onClose }: MenuProps) {
  drawn.menus++
  const menu = useMemo(
    () => ({
      items: actions.map(({ name, label, icon, keys, enabled, danger }) => ({
        key: name,
        label,
        icon,
        extra: keys,
        disabled: !enabled,
        danger: danger ?? false,
      })),
      onClick: ({ key }: { key: string }) => actions.find((action) => action.name === key)?.run(),
    }),
    [actions],
  )
  if (!place) return null
  const { left, top, open } = place
  return (
    <Dropdown
      key={`${left}:${top}`}
      open={open}
      autoFocus
      trigger={['click']}
      menu={menu}
      onOpenChange={(wanted) => wanted || onClose()}
    >
      <span className={styles.menuPlace} style={{ left, top }} />
    </Dropdown>
  )
})
