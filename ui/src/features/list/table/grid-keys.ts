import type { CellPosition, GridOptions } from 'ag-grid-community'
import type { GridRow } from './grid'

/** The column of the buttons that the definition gives each row. */
export const ACTIONS = '#actions'

/** The row of column names as the grid counts. */
const NAMES = -1

/**
 * Tab stops twice in a list: on its column names and on its rows. Within them arrows move; from cell to cell, Tab would need a
 * hundred steps to the other end and would scroll the table away.
 */
export const gridKeys: Required<
  Pick<GridOptions<GridRow>, 'tabToNextHeader' | 'tabToNextCell' | 'focusGridInnerElement'>
> = {
  tabToNextHeader: ({ backwards, previousHeaderPosition }) => {
    if (backwards || !previousHeaderPosition) return false
    return { headerRowIndex: -1, column: previousHeaderPosition.column }
  },
  tabToNextCell: ({ backwards, previousCellPosition: { column } }) =>
    backwards ? ({ rowIndex: NAMES, rowPinned: null, column } satisfies CellPosition) : false,
  // From below one comes back to the row that one left, not to the far corner.
  focusGridInnerElement: ({ api, fromBottom }) => {
    const column = api.getFocusedCell()?.column ?? api.getAllDisplayedColumns()[0]
    const row = api.getFocusedCell()?.rowIndex ?? api.getFirstDisplayedRowIndex()
    if (!fromBottom || !column || row < 0) return false
    api.setFocusedCell(row, column)
    return true
  },
}

const CONTROLS = 'button, a'

/** The cell that a key is pressed in, its controls, and which of them has the focus; -1 = the cell itself. */
function placeOf({ target }: Event) {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.ag-cell') : null
  if (!cell) return null
  const controls = [...cell.querySelectorAll<HTMLElement>(CONTROLS)]
  return { cell, controls, at: controls.findIndex((one) => one.contains(target as Node)) }
}

const hasButtons = ({ cell, controls }: NonNullable<ReturnType<typeof placeOf>>) =>
  cell.getAttribute('col-id') === ACTIONS && controls.length > 0

/** Whether a key opens the record: Enter in a cell, but for the column of buttons. */
export function opensRow(event: KeyboardEvent): boolean {
  const place = placeOf(event)
  return event.key === 'Enter' && place !== null && place.at < 0 && !hasButtons(place)
}

/**
 * F2 goes to the controls of a cell, in the column of buttons Enter too; arrows go along them, F2 or Escape back. It answers whether the key
 * belongs to the cell and not to the grid. The grid asks at once, whereas it tells of keys later, when the browser has acted on them.
 */
export function cellKey(event: KeyboardEvent): boolean {
  const place = event.type === 'keydown' ? placeOf(event) : null
  if (!place) return false
  const { cell, controls, at } = place
  const go = (to: HTMLElement | undefined) => {
    event.preventDefault()
    to?.focus()
    return true
  }
  if (at < 0) return (event.key === 'F2' || (event.key === 'Enter' && hasButtons(place))) && go(controls[0])
  const to = { F2: cell, Escape: cell, ArrowLeft: controls[at - 1], ArrowRight: controls[at + 1] }
  if (event.key in to) return go(to[event.key as keyof typeof to])
  return event.key !== 'Tab'
}
