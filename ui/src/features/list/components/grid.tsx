import {
  CellStyleModule,
  ClientSideRowModelModule,
  type ColDef,
  ColumnApiModule,
  LocaleModule,
  ModuleRegistry,
  PinnedRowModule,
  RowSelectionModule,
  RowStyleModule,
  type SortChangedEvent,
  ValidationModule,
} from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { useEffect, useMemo, useRef } from 'react'
import type { ListConfig } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { nonce } from '@/lib/nonce'
import { useOpenRecord } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { ROW_HEIGHTS, writeWidth } from '../column-settings'
import { buttonsWidth } from '../row-buttons'
import { useMarkRules } from '../row-marks'
import type { ListAction } from '../use-list-actions'
import type { ListController } from '../use-list-controller'
import { useNeededWidths } from '../use-needed-widths'
import type { ShownRow } from '../use-tree-rows'
import { columnDefs } from './column-defs'
import styles from './grid.module.css'
import { gridTexts } from './grid-texts'
import { gridTheme } from './grid-theme'

ModuleRegistry.registerModules([
  CellStyleModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  LocaleModule,
  PinnedRowModule,
  RowSelectionModule,
  RowStyleModule,
  ...(import.meta.env.DEV ? [ValidationModule] : []),
])

/** A row of the grid: a record, or the footer's figures. */
export type GridRow = ShownRow | { id: 'footer'; aggregates: Record<string, unknown> }

export interface GridContext {
  controller: ListController
  rowActions: ListAction[]
  /** Those of the definition's own making, which have a column. */
  buttons: ListAction[]
  openRow: (row: GridRow | undefined) => void
}

const selectionColumn: ColDef<GridRow> = {
  pinned: 'left',
  width: 40,
  maxWidth: 40,
  resizable: false,
  suppressHeaderMenuButton: true,
  cellClass: styles.check ?? '',
  headerClass: styles.check ?? '',
}

/** Kept, so that the grid need not make it; it takes no room. */
const noSelectionColumn: ColDef<GridRow> = { ...selectionColumn, hide: true }

/** Rows are ticked when something is done with ticked rows: deleting, exporting and the like. */
const takesTicks = (config: ListConfig, actions: ListAction[]) =>
  actions.some((action) => action.place === 'selection') ||
  config.queryActions.some((action) => action.queryActionType === 'export' || action.queryActionType === 'qr_code')

export function Grid({ controller, actions }: { controller: ListController; actions: ListAction[] }) {
  const t = useText()
  const locale = useLocale()
  const openRecord = useOpenRecord()
  const { config, store, view, shownColumns, generation, density } = controller
  const presentation = config.queryPresentation
  const ticks = presentation.rowSelectable ?? takesTicks(config, actions)
  const needed = useNeededWidths(shownColumns, controller.rows, controller.aggregates)
  const rowActions = useMemo(
    () => actions.filter((action) => action.place !== 'page' && !action.bulk && action.type !== 'custom'),
    [actions],
  )
  const buttons = useMemo(
    () => actions.filter((action) => action.place === 'row' && action.type === 'custom'),
    [actions],
  )
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
  // The grid keeps its columns while only the rows' behaviour changes: cells read it from the context.
  const context = useRef<GridContext>({ controller, rowActions, buttons, openRow: open })
  context.current = { controller, rowActions, buttons, openRow: open }
  const liveContext = useMemo(() => ({ get: () => context.current }), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reset of the columns forgets their widths
  const columns = useMemo(
    () =>
      columnDefs({
        config,
        columns: shownColumns,
        sort: view.sort,
        locale,
        tree: controller.tree,
        needed,
        buttons: labels
          ? { title: t('list.actions'), width: buttonsWidth(labels.split('\n'), t('common.more')) }
          : null,
      }),
    [config, shownColumns, view.sort, locale, controller.tree, t, generation, labels],
  )
  // The grid keeps ticks of rows that come again; what others clear is cleared here too.
  const grid = useRef<AgGridReact<GridRow>>(null)
  const none = controller.selected.size === 0
  useEffect(() => {
    if (none) grid.current?.api?.deselectAll()
  }, [none])
  const markRules = useMarkRules(controller.rows)
  const footer = useMemo<GridRow[]>(
    () => (shownColumns.some((column) => column.sumType) ? [{ id: 'footer', aggregates: controller.aggregates }] : []),
    [shownColumns, controller.aggregates],
  )
  const sorted = (event: SortChangedEvent<GridRow>) => {
    if (event.source !== 'uiColumnSorted') return
    const column = event.api.getColumnState().find((state) => state.sort)
    controller.setSort(column ? { code: column.colId, direction: column.sort === 'asc' ? 1 : 2 } : null)
  }
  return (
    <div
      className={styles.grid}
      data-scrolls={presentation.fixedHeader ? undefined : 'all'}
      data-bars={presentation.scrollbarAutoHidding ? 'hidden' : undefined}
    >
      <AgGridReact<GridRow>
        ref={grid}
        key={`${locale}/${generation}/${density}`}
        rowHeight={ROW_HEIGHTS[density]}
        domLayout={presentation.fixedHeader ? 'normal' : 'autoHeight'}
        theme={gridTheme}
        {...(nonce() ? { styleNonce: nonce() } : {})}
        localeText={gridTexts(t)}
        context={liveContext}
        columnDefs={columns}
        rowData={controller.rows}
        pinnedBottomRowData={footer}
        getRowId={({ data }) => data.id}
        rowSelection={{
          mode: 'multiRow',
          checkboxes: ticks,
          headerCheckbox: ticks,
          enableClickSelection: false,
          isRowSelectable: (node) => !node.rowPinned,
        }}
        selectionColumnDef={ticks ? selectionColumn : noSelectionColumn}
        suppressMultiSort
        suppressMovableColumns
        suppressCellFocus={false}
        suppressColumnVirtualisation={false}
        animateRows={false}
        rowClassRules={{
          [styles.unfinished ?? 'unfinished']: ({ data }) =>
            data !== undefined &&
            data.id !== 'footer' &&
            'sequenceStatus' in data &&
            (data.sequenceStatus === 'DRAFT' || data.sequenceStatus === 'PROCESSING'),
          ...markRules,
        }}
        onSortChanged={sorted}
        onSelectionChanged={({ api }) =>
          store.getState().select(api.getSelectedRows().filter((row): row is ShownRow => row.id !== 'footer'))
        }
        onColumnResized={({ finished, column, source }) =>
          finished &&
          column &&
          source === 'uiColumnResized' &&
          writeWidth(config.schemaCode, column.getColId(), column.getActualWidth())
        }
        onCellKeyDown={({ event, data }) => event instanceof KeyboardEvent && event.key === 'Enter' && open(data)}
        onRowDoubleClicked={({ data, event }) => {
          if (!(event?.target instanceof Element && event.target.closest('button, a'))) open(data)
        }}
      />
    </div>
  )
}
