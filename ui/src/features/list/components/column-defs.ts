import type { ColDef } from 'ag-grid-community'
import type { ColumnPlan, ListConfig } from '@/api/types'
import { type Locale, localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { readWidths } from '../column-settings'
import type { Sort } from '../url-state'
import type { GridRow } from './grid'
import styles from './grid.module.css'
import { LinkCell } from './link-cell'
import { NumberCell } from './number-cell'
import { ValueCell } from './value-cell'

const NUMBER_WIDTH = 48
const MIN_WIDTH = 70
/** Room for the record's name with its state and actions. */
const LINK_WIDTH = 216

interface Input {
  config: ListConfig
  columns: ColumnPlan[]
  sort: Sort | null
  locale: Locale
  tree: boolean
  /** Widths that the figures on the page need; a figure is never cut. */
  needed: Record<string, number>
}

/** The column that opens the record: the first fixed one, else the first text. */
export function linkColumn(columns: ColumnPlan[], fixed: string[]): ColumnPlan | undefined {
  return (
    columns.find((column) => fixed.includes(column.propertyCode)) ??
    columns.find((column) => propertyUI(column.propertyType).says === 'name') ??
    columns[0]
  )
}

/** The server's column plan as the grid takes it. Order and sort are the server's; the grid compares nothing. */
export function columnDefs({ config, columns, sort, locale, tree, needed }: Input): ColDef<GridRow>[] {
  const widths = readWidths(config.schemaCode)
  const { fixedLeftColumns, fixedRightColumns } = config.queryPresentation
  const link = linkColumn(columns, fixedLeftColumns)
  const last = columns.findLast((column) => column !== link)
  const pinned = (column: ColumnPlan) => {
    if (column === link || fixedLeftColumns.includes(column.propertyCode)) return 'left' as const
    return fixedRightColumns.includes(column.propertyCode) ? ('right' as const) : null
  }
  const one = (column: ColumnPlan): ColDef<GridRow> => {
    const { align } = propertyUI(column.propertyType)
    const code = column.propertyCode
    const direction = sort?.code === code ? (sort.direction === 1 ? 'asc' : 'desc') : null
    return {
      colId: code,
      headerName: localName(column, locale),
      width: widths[code] ?? Math.max(column.width, needed[code] ?? 0, column === link ? LINK_WIDTH : 0),
      ...(column === last && !widths[code] ? { flex: 1, minWidth: column.width } : { minWidth: MIN_WIDTH }),
      pinned: pinned(column),
      sortable: column.sortable && !tree,
      sort: direction,
      sortingOrder: ['asc', 'desc', null],
      comparator: () => 0,
      cellDataType: false,
      valueGetter: ({ data }) => (data && 'data' in data ? data.data[code] : null),
      // The name's cell also shows the branch, the state and the actions: it follows the row. So do all cells that a script may mark.
      equals: (a, b) => column !== link && !config.queryPresentation.script && a === b,
      cellRenderer: column === link ? LinkCell : ValueCell,
      cellRendererParams: { plan: column },
      ...(align === 'right' ? { cellClass: styles.right ?? '', headerClass: styles.rightHeader ?? '' } : {}),
    }
  }
  const number: ColDef<GridRow> = {
    colId: '#',
    headerName: '#',
    width: NUMBER_WIDTH,
    resizable: false,
    sortable: false,
    pinned: 'left',
    cellRenderer: NumberCell,
    cellClass: styles.number ?? '',
    headerClass: styles.number ?? '',
  }
  return [number, ...(link ? [one(link)] : []), ...columns.filter((column) => column !== link).map(one)]
}
