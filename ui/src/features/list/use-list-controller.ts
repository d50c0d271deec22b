import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/shallow'
import type { ListConfig } from '@/api/types'
import type { FilterValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { isShown, orderColumns } from './column-settings'
import { askFor } from './list-request'
import { createListStore } from './list-store'
import { rowsQuery } from './queries'
import { type ListView, readView, type Sort, writeView } from './url-state'
import { type ScriptedList, useListScript } from './use-list-script'
import { useTreeRows } from './use-tree-rows'

interface Neighbours {
  key: string
  page: number
  next: string | null
  previous: string | null
}

/** Everything a list does: query, sort, page, selection, columns. Components only draw what it returns. */
export function useListController(config: ListConfig, { mobile = false }: { mobile?: boolean } = {}) {
  const { schemaCode, queryCode } = config
  const [store] = useState(() => createListStore(schemaCode, queryCode))
  const state = useStore(
    store,
    useShallow(({ selected, expanded, columns, sheet, generation, density, panel }) => ({
      selected,
      expanded,
      settings: columns,
      sheet,
      generation,
      density,
      panel,
    })),
  )
  const [search, setSearch] = useSearchParams()
  const client = useQueryClient()
  const context = useTextContext()
  const { locale, zone } = context
  const view = useMemo(() => readView(search), [search])
  const { filters, tree, request } = useMemo(
    () => askFor(config, view, { locale, zone }, mobile),
    [config, view, locale, zone, mobile],
  )
  const visibleFilters = config.queryConditions.filter(
    (condition) => condition.visible && filters[condition.propertyCode],
  )

  const self = useRef<ScriptedList | null>(null)
  const script = useListScript(config, self)
  const neighbours = useRef<Neighbours | null>(null)
  const { page: _, ...withoutPage } = request
  const listKey = JSON.stringify(withoutPage)
  const known = neighbours.current?.key === listKey ? neighbours.current : null
  const cursor = known && { [known.page + 1]: known.next, [known.page - 1]: known.previous }[view.page]
  const rows = useQuery(rowsQuery(request, cursor ?? null, script))
  if (rows.data && !rows.isPlaceholderData) {
    neighbours.current = { key: listKey, page: view.page, next: rows.data.next, previous: rows.data.previous }
  }

  const shownRows = useTreeRows(rows.data?.content ?? [], state.expanded, request, tree, script)
  const columns = useMemo(() => orderColumns(config.queryColumns, state.settings), [config, state.settings])
  const shownColumns = useMemo(
    () => columns.filter((column) => isShown(column, state.settings)),
    [columns, state.settings],
  )

  const change = useCallback(
    (next: Partial<ListView>) => {
      store.getState().clearSelection()
      setSearch((current) => writeView(current, { ...readView(current), page: 0, ...next }), {
        replace: next.page === undefined,
      })
    },
    [setSearch, store],
  )
  const setFilter = useCallback(
    (code: string, value: FilterValue | null) => {
      store.getState().clearSelection()
      setSearch((current) => {
        const before = readView(current)
        return writeView(current, { ...before, page: 0, filters: { ...before.filters, [code]: value } })
      })
    },
    [setSearch, store],
  )
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ['list', schemaCode, 'rows'] }),
    [client, schemaCode],
  )

  const controller = {
    config,
    store,
    script,
    ...state,
    view,
    filters,
    visibleFilters,
    tree,
    query: rows,
    rows: shownRows,
    total: rows.data?.totalElements ?? null,
    aggregates: rows.data?.aggregates ?? {},
    columns,
    shownColumns,
    setPage: (page: number, size: number) => change({ page: size === view.size ? page : 0, size }),
    setSort: (sort: Sort | null) => change({ sort }),
    setFilter,
    /** Back to what the definition starts with. */
    resetFilters: () => change({ filters: {} }),
    clearFilters: () =>
      change({
        filters: Object.fromEntries(config.queryConditions.map((condition) => [condition.propertyCode, null])),
      }),
    refresh,
    /** After a whole page has been deleted, the page before it is the last one. */
    afterDelete: (count: number) => {
      store.getState().clearSelection()
      if (count >= shownRows.length && view.page > 0) change({ page: view.page - 1 })
      return refresh()
    },
  }
  self.current = controller
  const drawn = rows.isPlaceholderData ? 0 : rows.dataUpdatedAt
  useEffect(() => {
    if (drawn) void script.rendered()
  }, [script, drawn])
  return controller
}

export type ListController = ReturnType<typeof useListController>
