import type { ComponentType } from 'react'
import { createStore } from 'zustand'
import type { ColumnPlan, Row } from '@/api/types'
import type { ActionContext, ActionDialogProps } from '@/sdk/action'
import { readOpenRows, writeOpenRows } from './data/open-rows'
import {
  type ColumnSettings,
  clearWidths,
  type Density,
  readDensity,
  readSettings,
  writeDensity,
  writeSettings,
} from './table/column-settings'
import type { ListController } from './use-list-controller'

export interface OpenSheet {
  row: Row
  column: ColumnPlan
}

/** What changes of many records show: the progress of a job, or their log. */
export type BulkDialog = { kind: 'job'; id: string } | { kind: 'log' }
/** A dialog of the list itself: the column settings, or what was deleted. */
export type ListPanel = { kind: 'columns' } | { kind: 'recycle' }

/** The dialog of an action that is open. */
export interface OpenDialog {
  Dialog: ComponentType<ActionDialogProps<ListController>>
  context: ActionContext<ListController>
}

export interface ListState {
  selected: ReadonlyMap<string, Row>
  /** Not only the ticked rows: everything that the filters match. */
  all: boolean
  bulk: BulkDialog | null
  dialog: OpenDialog | null
  expanded: ReadonlySet<string>
  /** Whether rows were opened or closed before, by hand or at the first sight of a chart. */
  arranged: boolean
  columns: ColumnSettings
  sheet: OpenSheet | null
  /** Counts resets, so that the grid forgets its widths. */
  generation: number
  density: Density
  panel: ListPanel | null
  select: (rows: Row[]) => void
  /** Says which rows of a page are ticked; those of other pages stay so. */
  selectOf: (page: Row[], ticked: Row[]) => void
  clearSelection: () => void
  selectAll: () => void
  openBulk: (bulk: BulkDialog | null) => void
  openDialog: (dialog: OpenDialog | null) => void
  toggleRow: (id: string) => void
  setColumns: (columns: ColumnSettings) => void
  resetColumns: () => void
  openSheet: (sheet: OpenSheet | null) => void
  openPanel: (panel: ListPanel | null) => void
  setDensity: (density: Density) => void
}

/** The state of one list on the page; several lists may stand on one page. */
export function createListStore(schemaCode: string, queryCode: string) {
  const open = readOpenRows(schemaCode, queryCode)
  return createStore<ListState>((set) => ({
    selected: new Map(),
    all: false,
    bulk: null,
    dialog: null,
    expanded: new Set(open),
    arranged: open !== null,
    columns: readSettings(schemaCode, queryCode),
    sheet: null,
    generation: 0,
    select: (rows) => set({ selected: new Map(rows.map((row) => [row.id, row])), all: false }),
    selectOf: (page, ticked) =>
      set(({ selected }) => {
        const here = new Set(page.map((row) => row.id))
        const others = [...selected].filter(([id]) => !here.has(id))
        return { selected: new Map([...others, ...ticked.map((row) => [row.id, row] as const)]), all: false }
      }),
    clearSelection: () => set({ selected: new Map(), all: false }),
    selectAll: () => set({ all: true }),
    openBulk: (bulk) => set({ bulk }),
    openDialog: (dialog) => set({ dialog }),
    density: readDensity(),
    panel: null,
    toggleRow: (id) =>
      set(({ expanded }) => {
        const next = new Set(expanded)
        if (!next.delete(id)) next.add(id)
        writeOpenRows(schemaCode, queryCode, next)
        return { expanded: next, arranged: true }
      }),
    setColumns: (columns) => {
      writeSettings(schemaCode, queryCode, columns)
      set({ columns })
    },
    resetColumns: () => {
      const columns = { order: [], hidden: [], shown: [] }
      writeSettings(schemaCode, queryCode, columns)
      clearWidths(schemaCode)
      set((state) => ({ columns, generation: state.generation + 1 }))
    },
    openSheet: (sheet) => set({ sheet }),
    openPanel: (panel) => set({ panel }),
    setDensity: (density) => {
      writeDensity(density)
      set({ density })
    },
  }))
}

export type ListStore = ReturnType<typeof createListStore>
