import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useMemo, useRef } from 'react'
import type { ListConfig, ListRequest, Row } from '@/api/types'
import type { FilterValue } from '@/sdk/property'
import { useOpenRecord } from '@/sdk/record-link'
import { scriptError } from '@/sdk/script/faults'
import type { Methods } from '@/sdk/script/host'
import { newPress, pressOf } from '@/sdk/script/press'
import { isPlainObject } from '@/sdk/script/protocol'
import { text } from '@/sdk/script/read-text'
import { usePageScript } from '@/sdk/script/use-page-script'
import { fetchRows, firstRows, onlyRows, type RowSource, server } from './data/queries'
import type { ListStore } from './list-store'
import { isShown, toggleColumn } from './table/column-settings'
import { type MarkedRow, scriptRow, withExtraRows, withMarks } from './table/row-marks'

/** What a script may reach of its list. */
export interface ScriptedList {
  store: ListStore
  filters: Record<string, FilterValue>
  rows: MarkedRow[]
  setFilter: (code: string, value: FilterValue | null) => void
  refresh: () => Promise<void>
}

type Run = (rows: Row[]) => unknown

export interface ListScript extends RowSource {
  rendered: () => Promise<void>
  /** An action with the script's hooks around it. */
  around: (action: string, rows: Row[], run: Run) => Promise<void>
  /** What buttons do, by action, without hooks; the list fills it. */
  actions: Map<string, Run>
}

/** Reloads that a script may ask for in a minute: a hook that reloads what calls it would never end. */
const RELOADS = 20
const QUERY_LIST = 'getQueryList'

/** The list's script: its hooks stand around the list call and around the buttons. */
export function useListScript(config: ListConfig, list: RefObject<ScriptedList | null>): ListScript {
  const openRecord = useOpenRecord()
  const client = useQueryClient()
  const actions = useRef(new Map<string, Run>()).current
  const reloads = useRef<number[]>([])
  const { schemaCode, queryCode, sheetCode } = config

  const live = () => list.current ?? refuse('')
  const budget = (method: string) => {
    const now = Date.now()
    reloads.current = [...reloads.current.filter((at) => now - at < 60_000), now]
    if (reloads.current.length > RELOADS) refuse(`${method}: more than ${RELOADS} times a minute`)
  }
  const methods: Methods = {
    getFilters: () => Object.fromEntries(Object.entries(live().filters).map(([code, { value }]) => [code, value])),
    setFilters: ([wanted]) => {
      budget('setFilters')
      for (const [code, value] of Object.entries(isPlainObject(wanted) ? wanted : refuse('setFilters'))) {
        if (!config.queryConditions.some((one) => one.propertyCode === code && one.visible)) refuse(code)
        live().setFilter(code, value === null ? null : { value: text(value, 2000, code) })
      }
    },
    getSelection: () => [...live().store.getState().selected.values()].map(scriptRow),
    getRows: () => live().rows.map(scriptRow),
    refresh: () => {
      budget('refresh')
      void live().refresh()
    },
    setColumnVisible: ([code, visible]) => {
      const column = config.queryColumns.find((one) => one.propertyCode === code) ?? refuse(String(code))
      const { store } = live()
      const { columns } = store.getState()
      if (isShown(column, columns) !== (visible === true)) store.setState({ columns: toggleColumn(column, columns) })
    },
    openRecord: ([id]) =>
      openRecord({ schemaCode, sheetCode: sheetCode ?? null, queryCode, id: text(id, 100, 'openRecord') }),
    callAction: async ([action, ids], from) => {
      const run = typeof action === 'string' ? actions.get(action) : undefined
      if (!run) throw scriptError('actionRequired', typeof action === 'string' ? action : '')
      pressOf(from, 'callAction')
      const { rows, store } = live()
      const chosen = Array.isArray(ids)
        ? rows.filter((row) => ids.includes(row.id))
        : [...store.getState().selected.values()]
      return plain(await run(chosen))
    },
  }
  const script = usePageScript('list', queryCode, config.queryPresentation.script, methods)
  return useMemo(
    () => ({ view: script.view, actions, ...hooksOf(script, list, client) }),
    [script, actions, list, client],
  )
}

const refuse = (what: string): never => {
  throw scriptError('execution', what)
}

/** What actions answer, as far as it is plain data. */
const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))

function hooksOf(
  script: ReturnType<typeof usePageScript<'list'>>,
  list: RefObject<ScriptedList | null>,
  client: QueryClient,
) {
  const load = async (request: ListRequest, cursor: string | null, signal: AbortSignal, ids?: string[]) => {
    if (!script.view) return ids ? server.renew(request, ids, signal) : fetchRows(request, cursor, signal)
    const change = await script.run('onPreLoad', { request })
    const changed: ListRequest = { ...request, ...(change as Partial<ListRequest> | null) }
    const wanted = ids ? onlyRows(changed, ids) : changed
    const own = () => firstRows(client, wanted, change ? null : cursor, signal)
    const mode = wanted.parentId ? null : await script.mode(QUERY_LIST)
    let page = mode === 'replace' ? null : await own()
    if (mode) {
      const asked = { schemaCode: wanted.schemaCode, queryCode: wanted.queryCode, request: wanted }
      const { readExtraRows } = await import('@/sdk/script/results')
      const extra = await script.request(QUERY_LIST, asked, readExtraRows)
      if (extra) page = withExtraRows(page, extra)
    }
    page ??= await own()
    const event = { request: wanted, rows: page.content.map(scriptRow), total: page.totalElements }
    return withMarks(page, (await script.run('onLoad', event)) ?? new Map())
  }
  return {
    load: ((request, cursor, signal) => load(request, cursor, signal)) as typeof fetchRows,
    renew: (request: ListRequest, ids: string[], signal: AbortSignal) => load(request, null, signal, ids),
    rendered: async () => {
      if (script.view) await script.run('onRendered', { rows: list.current?.rows.map(scriptRow) ?? [] })
    },
    around: async (action: string, rows: Row[], run: Run) => {
      if (!script.view) {
        await run(rows)
        return
      }
      const event = { action, rows: rows.map(scriptRow) }
      const press = newPress()
      if ((await script.run('onPreAction', event, press)) === false) return
      const result = plain(await run(rows))
      await script.run('onActionDone', { ...event, result }, press)
    },
  }
}
