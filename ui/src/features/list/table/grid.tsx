import {
  CellStyleModule,
  ClientSideRowModelModule,
  type ColDef,
  ColumnApiModule,
  EventApiModule,
  type GridApi,
  type GridOptions,
  LocaleModule,
  ModuleRegistry,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  type RowClassRules,
  RowSelectionModule,
  type RowSelectionOptions,
  RowStyleModule,
  ValidationModule,
} from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { nonce } from '@/lib/nonce'
import { rowsPainted, useSettled } from '@/lib/settled'
import type { PaintContext } from '@/sdk/property'
import { useOpenRecord } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { ListAction } from '../actions/list-action'
import { roomFor } from '../actions/row-buttons'
import { takesTicks } from '../data/ticks'
import type { ShownRow } from '../data/use-tree-rows'
import { useGridTicks } from '../grid/grid-ticks'
import { Portals, usePortals } from '../grid/portals'
import type { ListController } from '../use-list-controller'
import { columnDefs, linkColumn, pinnedColumns, TICK_WIDTH } from './column-defs'
import { ROW_HEIGHTS, writeWidth } from './column-settings'
import { EdgeTotals } from './edge-totals'
import styles from './grid.module.css'
import { ACTIONS, cellKey, gridKeys, opensRow } from './grid-keys'
import { gridTexts } from './grid-texts'
import { gridTheme } from './grid-theme'
import { useWidth } from './pinned'
import { useMarkRules } from './row-marks'
import { useNeededWidths } from './use-needed-widths'

ModuleRegistry.registerModules([
  CellStyleModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  EventApiModule,
  LocaleModule,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ...(import.meta.env.DEV ? [ValidationModule] : []),
])

const RowOrder = lazy(() => import('./row-order'))

/** A row of the grid: a record, or the footer's figures. */
export type GridRow = ShownRow | { id: 'footer'; aggregates: Record<string, unknown> }

export interface GridContext {
  controller: ListController
  rowActions: ListAction[]
  /** Those of the definition's own making, which have a column. */
  buttons: ListAction[]
  /** So many of them stand in words. */
  inline: number
  openRow: (row: GridRow | undefined) => void
  /** What cells are painted with, and where their components stand. */
  texts: PaintContext
  portals: Portals
}

const selectionColumn: ColDef<GridRow> = {
  pinned: 'left',
  width: TICK_WIDTH,
  maxWidth: TICK_WIDTH,
  resizable: false,
  suppressHeaderMenuButton: true,
  cellClass: styles.check ?? '',
  headerClass: styles.check ?? '',
}

const OWN_KEYS: ColDef<GridRow> = { suppressKeyboardEvent: ({ event }) => cellKey(event) }

/** What is clicked for itself: controls, and the column in which rows are ticked. */
const OWN_CLICK = `button, a, input, .${styles.check}`

/** Kept, so that the grid need not make it; it takes no room. */
const noSelectionColumn: ColDef<GridRow> = { ...selectionColumn, hide: true }

export function Grid({ controller, actions }: { controller: ListController; actions: ListAction[] }) {
  const t = useText()
  const locale = useLocale()
  const openRecord = useOpenRecord()
  const { config, store, view, shownColumns, generation, density } = controller
  const presentation = config.queryPresentation
  const ticks = takesTicks(config, actions)
  const link = linkColumn(shownColumns, presentation.fixedLeftColumns)
  const order = controller.tree ? presentation.orderPropertyCode : null
  const needed = useNeededWidths(shownColumns, controller.rows, controller.aggregates, link)
  const rowActions = useMemo(
    () => actions.filter((action) => action.place !== 'page' && !action.bulk && !action.inRow),
    [actions],
  )
  const buttons = useMemo(() => actions.filter((action) => action.inRow), [actions])
  const labels = buttons.map((button) => button.label).join('\n')
  const open = (row: GridRow | undefined) =>
    row &&
    row.id !== 'footer' &&
    openRecord({
      schemaCode: config.schemaCode,
      sheetCode: config.sheetCode ?? null,
      queryCode: config.queryCode,
      id: row.id,
    })
  const grid = useRef<AgGridReact<GridRow>>(null)
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const [, setSized] = useState(0)
  const pinsWith = (buttonColumn: { title: string; width: number } | null) =>
    pinnedColumns({ config, columns: shownColumns, needed, tree: controller.nested }, ticks, buttonColumn, width)
  const title = t('list.actions')
  const room = labels
    ? roomFor(labels.split('\n'), t('common.more'), (taken) =>
        pinsWith({ title, width: taken }).right.includes(ACTIONS),
      )
    : null
  const buttonColumn = room && { title, width: room.width }
  const pins = pinsWith(buttonColumn)
  // The grid keeps its columns while only the rows' behaviour changes: cells read it from the context.
  const [portals] = useState(() => new Portals())
  const { zone } = useTextContext()
  const texts = useMemo<PaintContext>(() => ({ t, locale, zone }), [t, locale, zone])
  const inline = room?.inline ?? 0
  const now: GridContext = { controller, rowActions, buttons, inline, openRow: open, texts, portals }
  const context = useRef(now)
  context.current = now
  const liveContext = useMemo(() => ({ get: () => context.current }), [])
  const pinKey = JSON.stringify(pins)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reset of the columns forgets their widths
  const columns = useMemo(
    () =>
      columnDefs({
        config,
        columns: shownColumns,
        sort: view.sort,
        locale,
        t,
        tree: controller.tree,
        nested: controller.nested,
        needed,
        buttons: buttonColumn,
        pins,
      }),
    [
      config,
      shownColumns,
      view.sort,
      locale,
      controller.tree,
      controller.nested,
      t,
      generation,
      labels,
      room?.width,
      pinKey,
    ],
  )
  const markRules = useMarkRules(controller.rows)
  const footer = useMemo<GridRow[]>(
    () => (shownColumns.some((column) => column.sumType) ? [{ id: 'footer', aggregates: controller.aggregates }] : []),
    [shownColumns, controller.aggregates],
  )
  const rowSelection = useMemo<RowSelectionOptions<GridRow>>(
    () => ({
      mode: 'multiRow',
      checkboxes: ticks,
      headerCheckbox: ticks,
      enableClickSelection: false,
      isRowSelectable: ({ rowPinned, data }) => !rowPinned && !(data && 'above' in data && data.above),
    }),
    [ticks],
  )
  const rowClassRules = useMemo<RowClassRules<GridRow>>(
    () => ({ [styles.unfinished ?? 'unfinished']: isUnfinished, [styles.above ?? 'above']: isAbove, ...markRules }),
    [markRules],
  )
  const fixed: GridOptions<GridRow> = {
    rowHeight: ROW_HEIGHTS[density],
    theme: gridTheme,
    ...(nonce() ? { styleNonce: nonce() } : {}),
    localeText: gridTexts(t),
    context: liveContext,
    getRowId: ({ data }) => data.id,
    suppressMultiSort: true,
    suppressMovableColumns: true,
    animateRows: false,
    onFirstDataRendered: rowsPainted,
    onSortChanged: (event) => {
      if (event.source !== 'uiColumnSorted') return
      const column = event.api.getColumnState().find((state) => state.sort)
      const sort = column ? ({ code: column.colId, direction: column.sort === 'asc' ? 1 : 2 } as const) : null
      context.current.controller.setSort(sort)
    },
    onColumnResized: ({ finished, column, source }) => {
      if (!finished || !column || source !== 'uiColumnResized') return
      writeWidth(config.schemaCode, column.getColId(), column.getActualWidth())
      setSized((times) => times + 1) // a wider one may have to leave the edge
    },
    processUnpinnedColumns: () => [], // which columns stay at an edge is decided here
    onCellKeyDown: ({ event, data }) => {
      if (event instanceof KeyboardEvent && opensRow(event)) context.current.openRow(data)
    },
    onRowClicked: ({ data, event }) => {
      if (event?.target instanceof Element && !event.target.closest(OWN_CLICK)) context.current.openRow(data)
    },
  }
  const [api, setApi] = useState<GridApi<GridRow> | null>(null)
  const settled = useSettled()
  // The list knows what is ticked on all its pages; the grid shows it on this one.
  const { rows, selected } = controller
  const ticked = useMemo(
    () => (ticks ? new Set(rows.map((row) => row.id).filter((id) => selected.has(id))) : null),
    [ticks, rows, selected],
  )
  const boxes = useGridTicks(api, ticked, (all) =>
    store.getState().selectOf(
      context.current.controller.rows,
      all.filter((row): row is ShownRow => row.id !== 'footer'),
    ),
  )
  const painted = useRef(texts)
  useEffect(() => {
    if (painted.current !== texts) grid.current?.api?.refreshCells({ force: true })
    painted.current = texts
  }, [texts])
  const folded = useRef(inline)
  useEffect(() => {
    if (folded.current !== inline) grid.current?.api?.refreshCells({ columns: [ACTIONS], force: true })
    folded.current = inline
  }, [inline])
  return (
    <>
      <div
        ref={host}
        {...boxes.around}
        className={styles.grid}
        data-scrolls={presentation.fixedHeader ? undefined : 'all'}
        data-bars={presentation.scrollbarAutoHidding ? 'hidden' : undefined}
      >
        <AgGridReact<GridRow>
          ref={grid}
          key={`${locale}/${generation}/${density}`}
          {...fixed}
          {...gridKeys}
          defaultColDef={OWN_KEYS}
          onSelectionChanged={boxes.onSelectionChanged}
          domLayout={presentation.fixedHeader ? 'normal' : 'autoHeight'}
          columnDefs={columns}
          rowData={controller.rows}
          pinnedBottomRowData={footer}
          rowSelection={rowSelection}
          selectionColumnDef={ticks ? selectionColumn : noSelectionColumn}
          rowClassRules={rowClassRules}
          onGridReady={(event) => setApi(event.api)}
          onGridPreDestroyed={() => setApi(null)}
        />
        {settled && api && footer.length > 0 && (
          <EdgeTotals host={host} api={api} columns={shownColumns} aggregates={controller.aggregates} />
        )}
        {settled && order && (
          <Suspense fallback={null}>
            <RowOrder host={host} controller={controller} code={order} />
          </Suspense>
        )}
      </div>
      {usePortals(portals)}
    </>
  )
}

const isUnfinished = ({ data }: { data: GridRow | undefined }) =>
  data !== undefined &&
  data.id !== 'footer' &&
  'sequenceStatus' in data &&
  (data.sequenceStatus === 'DRAFT' || data.sequenceStatus === 'PROCESSING')

const isAbove = ({ data }: { data: GridRow | undefined }) =>
  data !== undefined && 'above' in data && data.above === true
