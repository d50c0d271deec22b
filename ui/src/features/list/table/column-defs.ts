import type { ColDef } from 'ag-grid-community'
import type { TFunction } from 'i18next'
import type { ColumnPlan, ListConfig } from '@/api/types'
import { type Locale, localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { MARK_WIDTH } from '../actions/row-buttons'
import type { Sort } from '../data/url-state'
import { actionsLook } from '../grid/actions-cell'
import { type CellLook, GridCell } from '../grid/grid-cell'
import { linkLook } from '../grid/link-cell'
import { SortHeader } from '../grid/sort-header'
import { valueLook } from '../grid/value-cell'
import { MIN_WIDTH, readWidths, type Widths } from './column-settings'
import type { GridRow } from './grid'
import styles from './grid.module.css'
import { ACTIONS } from './grid-keys'
import { type Pins, pinsFor } from './pinned'

const NUMBER_WIDTH = 48
export const TICK_WIDTH = 40

interface Input {
  config: ListConfig
  columns: ColumnPlan[]
  sort: Sort | null
  locale: Locale
  t: TFunction
  tree: boolean
  /** Rows stand below others, so that they have no numbers. */
  nested: boolean
  /** Widths that what is on the page needs: a figure is never cut; the name may be, when somebody makes its column narrower. */
  needed: Record<string, number>
  /** The column of the definition's own buttons; null = it has none. */
  buttons: Buttons | null
  /** Which columns stay at an edge. */
  pins: Pins
}

interface Buttons {
  title: string
  width: number
}

const widthOf = (column: ColumnPlan, widths: Widths, needed: Record<string, number>) =>
  widths[column.propertyCode] ?? Math.max(column.width, needed[column.propertyCode] ?? 0)

/** The columns that stay at an edge of a table of this width: what opens the record first, then those of the definition. */
export function pinnedColumns(
  { config, columns, needed, tree }: Pick<Input, 'config' | 'columns' | 'needed' | 'tree'>,
  ticks: boolean,
  buttons: Buttons | null,
  width: number,
): Pins {
  const widths = readWidths(config.schemaCode)
  const { fixedLeftColumns, fixedRightColumns, rowOrdinal } = config.queryPresentation
  const link = linkColumn(columns, fixedLeftColumns)
  const leads = linkLeads(config)
  const wanted = (column: ColumnPlan) => ({ code: column.propertyCode, width: widthOf(column, widths, needed) })
  const left = columns.filter((column) => !(leads && column === link) && fixedLeftColumns.includes(column.propertyCode))
  const right = columns.filter(
    (column) =>
      !(leads && column === link) && !left.includes(column) && fixedRightColumns.includes(column.propertyCode),
  )
  const taken = (ticks ? TICK_WIDTH : 0) + (rowOrdinal && !tree ? NUMBER_WIDTH : 0)
  const edge = [...right.map(wanted), ...(buttons ? [{ code: ACTIONS, width: buttons.width }] : [])]
  return pinsFor(width, taken, [...(leads && link ? [link] : []), ...left].map(wanted), edge, buttons ? MARK_WIDTH : 0)
}

/** Whether the column that opens the record is first and stays: unless the author said what stays at the left. A tree has its branches there. */
export const linkLeads = ({ queryPresentation: { presentationType, fixedLeftGiven } }: ListConfig): boolean =>
  presentationType === 'tree' || !fixedLeftGiven

/** The columns that a table has at an edge whatever their order: nobody moves them. */
export function fixedCodes(config: ListConfig, columns: ColumnPlan[]): Set<string> {
  const { fixedLeftColumns, fixedRightColumns } = config.queryPresentation
  const link = linkLeads(config) ? linkColumn(columns, fixedLeftColumns) : undefined
  return new Set([...fixedLeftColumns, ...fixedRightColumns, ...(link ? [link.propertyCode] : [])])
}

/** The column that opens the record: the first fixed one, else the first text. */
export function linkColumn(columns: ColumnPlan[], fixed: string[]): ColumnPlan | undefined {
  return (
    columns.find((column) => fixed.includes(column.propertyCode)) ??
    columns.find((column) => propertyUI(column.propertyType).says === 'name') ??
    columns[0]
  )
}

const drawnBy = (look: CellLook) => ({ cellRenderer: GridCell, cellRendererParams: { look } })

/** Counts through all pages. */
const numberLook: CellLook = {
  paint: ({ node: { rowPinned, rowIndex } }, { controller: { view } }) =>
    rowPinned || rowIndex === null ? '' : String(view.page * view.size + rowIndex + 1),
}

const actionColumn = ({ title, width }: Buttons, pins: Pins): ColDef<GridRow> => ({
  colId: ACTIONS,
  headerName: title,
  width,
  resizable: false,
  sortable: false,
  pinned: pins.right.includes(ACTIONS) ? 'right' : null,
  ...(width === MARK_WIDTH ? { headerClass: styles.markHeader ?? '', cellClass: styles.mark ?? '' } : {}),
  ...drawnBy(actionsLook),
  // Which buttons a row has follows the row.
  valueGetter: ({ data }) => data,
  equals: (a, b) => a === b,
  cellDataType: false,
})

/** The server's column plan as the grid takes it. Order and sort are the server's; the grid compares nothing. */
export function columnDefs({
  config,
  columns,
  sort,
  locale,
  t,
  tree,
  nested,
  needed,
  buttons,
  pins,
}: Input): ColDef<GridRow>[] {
  const widths = readWidths(config.schemaCode)
  const { fixedLeftColumns, columnResizable, rowOrdinal } = config.queryPresentation
  const link = linkColumn(columns, fixedLeftColumns)
  const leads = linkLeads(config)
  const last = columns.findLast((column) => column !== link)
  const pinned = (column: ColumnPlan) => {
    if (pins.left.includes(column.propertyCode)) return 'left' as const
    return pins.right.includes(column.propertyCode) ? ('right' as const) : null
  }
  const one = (column: ColumnPlan): ColDef<GridRow> => {
    const { align, minWidth } = propertyUI(column.propertyType)
    const code = column.propertyCode
    const least = Math.max(MIN_WIDTH, minWidth ?? 0, column === link ? 0 : (needed[code] ?? 0))
    const direction = sort?.code === code ? (sort.direction === 1 ? 'asc' : 'desc') : null
    return {
      colId: code,
      headerName: localName(column, locale),
      width: widthOf(column, widths, needed),
      ...(column === last && !widths[code]
        ? { flex: 1, minWidth: Math.max(column.width, least) }
        : { minWidth: least }),
      resizable: columnResizable,
      pinned: pinned(column),
      sortable: column.sortable && !tree,
      sort: direction,
      sortingOrder: ['asc', 'desc', null],
      headerComponentParams: { innerHeaderComponent: SortHeader, t },
      comparator: () => 0,
      cellDataType: false,
      valueGetter: ({ data }) => (data && 'data' in data ? data.data[code] : null),
      // The name's cell also shows the branch, the state and the actions: it follows the row. So do all cells that a script may mark.
      equals: (a, b) => column !== link && !config.queryPresentation.script && a === b,
      ...drawnBy(column === link ? linkLook(column) : valueLook(column)),
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
    ...drawnBy(numberLook),
    cellClass: styles.number ?? '',
    headerClass: styles.number ?? '',
  }
  return [
    ...(rowOrdinal && !nested ? [number] : []),
    ...(leads && link ? [one(link)] : []),
    ...columns.filter((column) => !leads || column !== link).map(one),
    ...(buttons ? [actionColumn(buttons, pins)] : []),
  ]
}
