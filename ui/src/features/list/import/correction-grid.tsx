import {
  CellStyleModule,
  ClientSideRowModelModule,
  type ColDef,
  ColumnApiModule,
  EventApiModule,
  type GridApi,
  type ICellRendererParams,
  LocaleModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
} from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { nonce } from '@/lib/nonce'
import { useText } from '@/sdk/use-text'
import { useGridTicks } from '../grid/grid-ticks'
import { gridTexts } from '../table/grid-texts'
import { gridTheme } from '../table/grid-theme'
import type { FailedRow, HeadColumn } from './api'
import { childCode, errorsOfRow, errorsWithin, INDEX_WIDTH, SHEET, subRows, widthOf } from './correction'
import styles from './correction.module.css'
import { CorrectionCell } from './correction-cell'
import { useCorrections } from './correction-store'
import { indexWidthOf, rowPlace } from './row-place'

ModuleRegistry.registerModules([
  CellStyleModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  EventApiModule,
  LocaleModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
])

/** A row of the grid: a refused row, or one of its sub-table's rows. */
interface Line {
  id: string
  row: FailedRow
  sub?: number
}

interface Props {
  rows: FailedRow[]
  columns: HeadColumn[]
  schemaCode: string
  /** The sub-table whose rows are shown, of one refused row. */
  sheet?: HeadColumn
  /** Ids of the lines that are ticked. */
  ticked: ReadonlySet<string>
  onTick: (ids: string[]) => void
  onSheet: (row: FailedRow, sheet: HeadColumn) => void
}

const ROW = 40

/** Refused rows as a grid whose cells are edited where they stand. */
export default function CorrectionGrid({ rows, columns, schemaCode, sheet, ticked, onTick, onSheet }: Props) {
  const t = useText()
  const locale = useLocale()
  const store = useCorrections()
  const [api, setApi] = useState<GridApi<Line> | null>(null)
  // A row that stays the same is the same line, which the grid does not draw again.
  const known = useRef(new WeakMap<FailedRow, Line[]>())
  const lines = useMemo<Line[]>(
    () =>
      rows.flatMap((row) => {
        const made =
          known.current.get(row) ??
          (sheet
            ? subRows(row, sheet.propertyCode).map((_, sub) => ({ id: `${row.id}/${sub}`, row, sub }))
            : [{ id: row.id, row }])
        known.current.set(row, made)
        return made
      }),
    [rows, sheet],
  )
  const latest = useRef({ onTick, onSheet, lines })
  latest.current = { onTick, onSheet, lines }
  const indexWidth = sheet ? INDEX_WIDTH : Math.max(INDEX_WIDTH, ...rows.map((row) => indexWidthOf(rowPlace(row))))
  const withReason = !sheet && rows.some((row) => errorsOfRow(row).length > 0)
  const defs = useMemo<ColDef<Line>[]>(() => {
    const codeOf = (column: HeadColumn) => (sheet ? childCode(sheet, column) : column.propertyCode)
    const cell = (column: HeadColumn): ColDef<Line> => {
      const code = codeOf(column)
      const isSheet = column.propertyType === SHEET
      return {
        colId: code,
        headerName: localName(column, locale) + (column.required ? ' *' : ''),
        width: widthOf(column.propertyType),
        minWidth: 70,
        resizable: true,
        cellClass: styles.slotCell ?? '',
        suppressKeyboardEvent: ({ event }) => (event.target as Element | null)?.closest?.('[data-editor]') !== null,
        cellRenderer: ({ data, api, node, column: at }: ICellRendererParams<Line>) => {
          if (!data) return null
          if (isSheet)
            return <SheetCell row={data.row} column={column} onOpen={() => latest.current.onSheet(data.row, column)} />
          const place = { row: data.row.id, code, ...(data.sub === undefined ? {} : { sub: data.sub }) }
          const done = (move: 'stay' | 'down' | 'next' | 'back') => {
            if (!at || node.rowIndex === null) return
            api.setFocusedCell(node.rowIndex, at)
            if (move === 'down' && node.rowIndex + 1 < latest.current.lines.length)
              api.setFocusedCell(node.rowIndex + 1, at)
            else if (move === 'next') api.tabToNextCell()
            else if (move === 'back') api.tabToPreviousCell()
          }
          return <CorrectionCell row={data.row} place={place} column={column} schemaCode={schemaCode} onDone={done} />
        },
      }
    }
    const index: ColDef<Line> = {
      colId: '#',
      headerName: t('import.row'),
      width: indexWidth,
      minWidth: indexWidth,
      maxWidth: indexWidth,
      pinned: 'left',
      resizable: false,
      cellClass: styles.index ?? '',
      headerClass: styles.indexHead ?? '',
      valueGetter: ({ data }) => (data ? (data.sub === undefined ? rowPlace(data.row) : data.sub + 1) : ''),
    }
    const reason: ColDef<Line> = {
      colId: '#reason',
      headerName: t('import.reason'),
      width: 200,
      minWidth: 70,
      resizable: true,
      cellClass: styles.reason ?? '',
      valueGetter: ({ data }) =>
        data
          ? errorsOfRow(data.row)
              .map((one) => one.errmsg)
              .join(' ')
          : '',
      cellRenderer: ({ value }: { value: string }) => <span title={value}>{value}</span>,
    }
    return [index, ...(withReason ? [reason] : []), ...columns.map(cell)]
  }, [columns, sheet, locale, schemaCode, t, withReason, indexWidth])
  const boxes = useGridTicks(api, ticked, (all) => latest.current.onTick(all.map(({ id }) => id)))
  const begin = ({ data, code }: { data: Line; code: string }, text?: string) => {
    const column = columns.find((one) => (sheet ? childCode(sheet, one) : one.propertyCode) === code)
    if (!column) return false
    if (column.propertyType === SHEET) onSheet(data.row, column)
    else store.getState().open({ row: data.row.id, code, ...(data.sub === undefined ? {} : { sub: data.sub }) }, text)
    return true
  }
  /** The cell that an event is about, unless it is about the cell's control. */
  const cellOf = (target: EventTarget) => {
    if (!(target instanceof Element) || target.closest('[data-editor], button')) return null
    const code = target.closest('.ag-cell')?.getAttribute('col-id')
    const id = target.closest('.ag-row')?.getAttribute('row-id')
    const data = lines.find((line) => line.id === id)
    return code && data ? { data, code } : null
  }
  // The grid's own events arrive later: on a busy machine, keys pressed right after a click would miss the cell's control.
  const onClick = ({ target }: MouseEvent) => {
    boxes.around.onClick()
    const cell = cellOf(target)
    if (cell) begin(cell)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    boxes.around.onKeyDown()
    const cell = cellOf(event.target)
    if (!cell || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
    const { key } = event
    const types = key.length === 1 && key !== ' '
    if ((types || key === 'Enter' || key === 'F2') && begin(cell, types ? key : undefined)) event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: of the cells within
    <div className={styles.grid} onClick={onClick} onKeyDown={onKeyDown}>
      <AgGridReact<Line>
        theme={gridTheme}
        {...(nonce() ? { styleNonce: nonce() as string } : {})}
        localeText={gridTexts(t)}
        rowHeight={ROW}
        rowData={lines}
        columnDefs={defs}
        getRowId={({ data }) => data.id}
        rowSelection={{ mode: 'multiRow', checkboxes: true, headerCheckbox: true, enableClickSelection: false }}
        selectionColumnDef={{ pinned: 'left', width: 40, maxWidth: 40, resizable: false }}
        suppressMovableColumns
        animateRows={false}
        onGridReady={(event) => setApi(event.api)}
        onFirstDataRendered={({ api: grid }) => {
          // The first cell to correct is in sight.
          const first = lines[0]
          const codes = columns.map((one) => (sheet ? childCode(sheet, one) : one.propertyCode))
          const wrong = first?.row.errors.map(({ propertyCode }) => propertyCode) ?? []
          const at = codes.find((code) => wrong.some((one) => one === code || one.startsWith(`${code}.`)))
          if (at) grid.ensureColumnVisible(at)
        }}
        onGridPreDestroyed={() => setApi(null)}
        onSelectionChanged={boxes.onSelectionChanged}
      />
    </div>
  )
}

/** The rows of a sub-table, counted; pressed, they are shown. */
function SheetCell({ row, column, onOpen }: { row: FailedRow; column: HeadColumn; onOpen: () => void }) {
  const t = useText()
  const wrong = useStore(useCorrections(), ({ edits }) => errorsWithin(row, column.propertyCode, edits))
  const count = subRows(row, column.propertyCode).length
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.sheet}
      data-wrong={wrong > 0 ? '' : undefined}
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
    >
      {t('import.subRows', { count })}
      {wrong > 0 && (
        <span className={styles.tag}>
          <Icon name="alert" size={12} /> {t('import.wrongCells', { count: wrong })}
        </span>
      )}
    </button>
  )
}
