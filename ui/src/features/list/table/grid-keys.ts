import type { CellPosition, GridOptions } from 'ag-grid-community'
import type { GridRow } from './grid'

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
