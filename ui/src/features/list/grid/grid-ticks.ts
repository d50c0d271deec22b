import type { GridApi, IRowNode, SelectionChangedEvent } from 'ag-grid-community'
import { useEffect, useRef } from 'react'

/** Ticks that the grid itself changes, because rows come and go, are nobody's choice. */
const OWN = new Set<string>(['api', 'apiSelectAll', 'rowDataChanged', 'gridInitializing', 'selectableChanged'])

/**
 * Keeps the ticks of a grid and those of the page the same: the page's are the truth, but for what somebody has just ticked. The grid
 * tells that in a later turn. Rows that are read again meanwhile must not take it away, and a key that is pressed at once must meet it, so
 * the element around the grid asks at each click and key: what comes back belongs there (`around`) and into the grid's
 * `onSelectionChanged`. `ticked` is null where nothing is ticked.
 */
export function useGridTicks<T>(
  api: GridApi<T> | null,
  ticked: ReadonlySet<string> | null,
  onTick: (rows: T[]) => void,
) {
  /** How each row stood when grid and page were the same. */
  const known = useRef(new WeakMap<IRowNode<T>, boolean>())
  useEffect(() => {
    if (!api || api.isDestroyed() || !ticked) return
    api.forEachNode((node) => {
      if (!node.selectable) return void known.current.delete(node)
      const is = node.isSelected() === true
      if (is !== (known.current.get(node) ?? is)) return
      const on = node.id !== undefined && ticked.has(node.id)
      if (is !== on) node.setSelected(on, false, 'api')
      known.current.set(node, on)
    })
  }, [api, ticked])
  const tell = () => {
    if (!api || api.isDestroyed() || !ticked) return
    let changed = false
    api.forEachNode((node) => {
      const is = node.isSelected() === true
      if (!node.selectable || is === (known.current.get(node) ?? false)) return
      known.current.set(node, is)
      changed = true
    })
    if (changed) onTick(api.getSelectedRows())
  }
  return {
    around: { onClick: tell, onKeyDown: tell },
    onSelectionChanged: ({ source }: SelectionChangedEvent<T>) => {
      if (!OWN.has(source)) tell()
    },
  }
}
