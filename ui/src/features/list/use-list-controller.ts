import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/shallow'
import type { ListConfig, SavedFilter } from '@/api/types'
import { formatInstant } from '@/lib/dates'
import { useSearch } from '@/lib/use-search'
import type { Behind } from '@/sdk/list-address'
import { useMe } from '@/sdk/me'
import { rememberSize } from '@/sdk/page-size'
import { projectCondition, projectFilter, useProject } from '@/sdk/project'
import type { FilterValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { useKeptTicks } from './data/kept-ticks'
import { askFor, pageSize } from './data/list-request'
import { rowsQuery } from './data/queries'
import { type ListView, readView, type Sort, writeView } from './data/url-state'
import { useTreeRows } from './data/use-tree-rows'
import { panelFilters } from './filters/filters'
import { forgetFilters, rememberFilters } from './filters/last-filter'
import { createListStore } from './list-store'
import { isShown, orderColumns } from './table/column-settings'
import { type ScriptedList, useListScript } from './use-list-script'

interface Neighbours {
  key: string
  page: number
  next: string | null
  previous: string | null
}

const has = (config: ListConfig, code: string) =>
  config.queryConditions.some((one) => one.visible && one.propertyCode === code)

/** A figure in words, with what it was narrowed by that the list has no filters for. */
function figureOf(config: ListConfig, { filters }: ListView, { name }: Behind) {
  const others = Object.entries(filters).flatMap(([code, filter]) =>
    filter && !has(config, code) ? (filter.label ?? filter.value.split(';').filter(Boolean).join(' – ')) : [],
  )
  return { name, others: others.filter(Boolean) }
}

/** Everything a list does: query, sort, page, selection, columns. Components only draw what it returns. */
export function useListController(config: ListConfig, { mobile = false }: { mobile?: boolean } = {}) {
  const { schemaCode, queryCode } = config
  const [store] = useState(() => createListStore(schemaCode, queryCode))
  useKeptTicks(store)
  const state = useStore(
    store,
    useShallow(({ selected, all, expanded, columns, sheet, generation, density, panel }) => ({
      selected,
      all,
      expanded,
      settings: columns,
      sheet,
      generation,
      density,
      panel,
    })),
  )
  const [search, setSearch] = useSearch()
  const client = useQueryClient()
  const me = useMe()?.id
  const { zone, locale } = useTextContext()
  const project = useProject((of) => of.project)
  const narrowed = project && projectCondition(config.queryConditions, project)
  const [size] = useState(() => pageSize(config, mobile, me))
  const asked = useMemo(() => readView(search, size), [search, size])
  const { filters, tree, sort, request } = useMemo(() => askFor(config, asked, mobile), [config, asked, mobile])
  const view = useMemo(() => ({ ...asked, sort }), [asked, sort])
  const visibleFilters = config.queryConditions.filter(
    (condition) => condition.visible && filters[condition.propertyCode],
  )

  const self = useRef<ScriptedList | null>(null)
  const script = useListScript(config, self)
  const [past, setPast] = useState<{ page: number } | null>(null)
  const neighbours = useRef<Neighbours | null>(null)
  const { page: _, ...withoutPage } = request
  const listKey = JSON.stringify(withoutPage)
  const known = neighbours.current?.key === listKey ? neighbours.current : null
  const cursor = known && { [known.page + 1]: known.next, [known.page - 1]: known.previous }[view.page]
  const rows = useQuery(rowsQuery(request, cursor ?? null, script))
  if (rows.data && !rows.isPlaceholderData) {
    neighbours.current = { key: listKey, page: view.page, next: rows.data.next, previous: rows.data.previous }
  }

  const shownRows = useTreeRows(
    rows.data?.content ?? [],
    request.ancestors ? rows.data?.ancestors : undefined,
    state.expanded,
    request,
    tree,
    script,
  )
  // What was ticked is as fresh as what is shown.
  const selected = useMemo(() => {
    const shown = new Map(shownRows.map((row) => [row.id, row]))
    return new Map([...state.selected].map(([id, row]) => [id, shown.get(id) ?? row]))
  }, [state.selected, shownRows])
  const columns = useMemo(() => orderColumns(config.queryColumns, state.settings), [config, state.settings])
  const shownColumns = useMemo(
    () => columns.filter((column) => isShown(column, state.settings)),
    [columns, state.settings],
  )

  const change = useCallback(
    (next: Partial<ListView>) => {
      if (next.keyword !== undefined) store.getState().clearSelection()
      setSearch((current) => writeView(current, { ...readView(current, size), page: 0, ...next }, size), {
        replace: next.page === undefined,
      })
    },
    [setSearch, store, size],
  )
  /** What somebody sets themselves is what the list opens with the next time. */
  const changeFilters = useCallback(
    (next: (before: ListView) => Pick<ListView, 'filters' | 'keyword' | 'saved'> & { behind?: undefined }) => {
      store.getState().clearSelection()
      setSearch((current) => {
        const { saved: _, bare, ...before } = readView(current, size)
        const now = next(readView(current, size))
        const after = { ...before, ...(bare && Object.keys(now.filters).length > 0 ? { bare } : {}), ...now, page: 0 }
        if (me) {
          const place = { user: me, queryCode }
          const today = formatInstant(new Date().toISOString(), 'yyyy-MM-dd', { zone, locale })
          // That of the project comes from its selector, whatever it is then.
          const { [narrowed ?? '']: _, ...own } = after.filters
          if (Object.keys(own).length === 0) forgetFilters(place)
          else rememberFilters(place, config.queryConditions, own, today)
        }
        return writeView(current, after, size)
      })
    },
    [setSearch, store, me, queryCode, config, zone, locale, size, narrowed],
  )
  const setFilters = useCallback(
    (filters: ListView['filters']) =>
      changeFilters((before) => ({
        filters: { ...before.filters, ...filters },
        ...(before.saved ? { saved: before.saved } : {}),
      })),
    [changeFilters],
  )
  const setFilter = useCallback(
    (code: string, value: FilterValue | null) => setFilters({ [code]: value }),
    [setFilters],
  )
  // Another project is another filter of the list that is open.
  const shown = useRef(project)
  useEffect(() => {
    if (shown.current === project) return
    const before = shown.current && projectCondition(config.queryConditions, shown.current)
    shown.current = project
    if (narrowed && project) setFilter(narrowed, projectFilter(project))
    else if (before) setFilter(before, null)
  }, [project, narrowed, config, setFilter])
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ['list', schemaCode, 'rows'] }),
    [client, schemaCode],
  )

  const controller = {
    config,
    store,
    script,
    ...state,
    selected,
    view,
    request,
    filters,
    visibleFilters,
    tree,
    /** Rows stand below others: as a tree that is opened, or as what was found in one. */
    nested: tree || request.ancestors === true,
    query: rows,
    rows: shownRows,
    total: rows.data?.totalElements ?? null,
    aggregates: rows.data?.aggregates ?? {},
    columns,
    shownColumns,
    setPage: (page: number, size: number) => {
      if (size !== view.size && !mobile) rememberSize(queryCode, me, size)
      change({ page: size === view.size ? page : 0, size })
    },
    setSort: (sort: Sort | null) => change({ sort }),
    setFilter,
    setFilters,
    /** Conditions whose filters the server refused: the rows are shown without them. */
    ignored: (rows.data?.ignored ?? []).flatMap(
      (code) => config.queryConditions.find((condition) => condition.propertyCode === code) ?? [],
    ),
    /** Properties that the address filters by and the list has no condition for (any more). */
    lost: Object.entries(view.behind ? {} : view.filters).flatMap(([code, filter]) =>
      !filter || has(config, code) ? [] : code,
    ),
    /** Properties that the address compares with nothing: what it names has no value. */
    bare: Object.keys(view.bare ?? {}),
    /** What the address sorts by though the list cannot (any more). */
    lostSort: sort ? null : (asked.sort?.code ?? null),
    /** Takes filters out of the address, as if they had never been set. */
    dropFilters: (codes: string[]) =>
      changeFilters(({ filters }) => ({
        filters: Object.fromEntries(Object.entries(filters).filter(([code]) => !codes.includes(code))),
      })),
    /** Takes comparisons without a value out of the address. */
    dropBare: () =>
      setSearch(
        (current) => {
          const { bare: _, ...view } = readView(current, size)
          return writeView(current, view, size)
        },
        { replace: true },
      ),
    /** The page that was asked for and is not there; the last one is shown in its place. */
    beyond: past,
    setKeyword: (keyword: string) => change({ keyword }),
    /** Puts a saved filter in place of what is set. */
    applySaved: (saved: SavedFilter) =>
      changeFilters(() => ({
        behind: undefined,
        filters: panelFilters(config.queryConditions, saved.filters),
        saved: saved.id,
      })),
    /** Says which saved filter the present ones are. */
    nameSaved: (id: string | null) =>
      setSearch((current) => {
        const { saved: _, ...view } = readView(current, size)
        return writeView(current, id ? { ...view, saved: id } : view, size)
      }),
    /** Back to what the definition starts with. */
    resetFilters: () => changeFilters(() => ({ filters: {}, keyword: '', behind: undefined })),
    /** What the list has no filters for, and narrows it as a figure of a report does. */
    figure: view.behind && figureOf(config, view, view.behind),
    /** Leaves the figure: what the list has filters for stays set. */
    dropFigure: () =>
      changeFilters(({ filters }) => ({
        filters: Object.fromEntries(Object.entries(filters).filter(([code]) => has(config, code))),
        behind: undefined,
      })),
    clearFilters: () =>
      changeFilters(() => ({
        behind: undefined,
        filters: Object.fromEntries(config.queryConditions.map((condition) => [condition.propertyCode, null])),
        keyword: '',
      })),
    refresh,
    /** After a whole page has been deleted, the page before it is the last one. */
    afterDelete: (count: number) => {
      store.getState().clearSelection()
      if (count >= shownRows.length && view.page > 0) change({ page: view.page - 1 })
      return refresh()
    },
  }
  self.current = controller
  const last = rows.data && Math.max(0, Math.ceil(rows.data.totalElements / view.size) - 1)
  const beyond = !rows.isPlaceholderData && rows.data?.content.length === 0 && last !== undefined && view.page > last
  useEffect(() => {
    // Others deleted what was there, or the address is old.
    if (!beyond) return
    setPast({ page: view.page + 1 })
    setSearch((now) => writeView(now, { ...readView(now, size), page: last }, size), { replace: true })
  }, [beyond, last, setSearch, size, view.page])
  const drawn = rows.isPlaceholderData ? 0 : rows.dataUpdatedAt
  useEffect(() => {
    if (drawn) void script.rendered()
  }, [script, drawn])
  return controller
}

export type ListController = ReturnType<typeof useListController>
