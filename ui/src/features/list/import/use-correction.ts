import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { ApiError } from '@/api/client'
import { loadWidgets } from '@/registry/properties'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import {
  type Condition,
  editRows,
  type FailedRow,
  type HeadColumn,
  type ImportResult,
  type Page,
  type Replacement,
  type RowEdit,
  replaceCells,
  rowsQuery,
  type SubRow,
  second,
  skipRows,
  unresolvedQuery,
} from './api'
import { type Edits, placesIn, rowEdits, subRows, unresolved, valueIn } from './correction'
import { createCorrections } from './correction-store'

const FAILED = 'failed'
/** Rows of a second import were refused again. */
const AGAIN = 303030
const NONE: Edits = new Map()

/** Rows that wait for correction: what is shown, what was changed, and what the server says of it. */
export function useCorrection(result: ImportResult, follow: (result: ImportResult) => Promise<void>) {
  const say = useFeedback()
  const client = useQueryClient()
  const context = useTextContext()
  const { id } = result
  const [store] = useState(createCorrections)
  const [page, setPage] = useState(0)
  const [size, setSize] = useState(20)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [running, setRunning] = useState<'second' | 'replace' | 'skip' | 'rows' | null>(null)
  const columns = result.headColumns
  useEffect(() => {
    const all = columns.flatMap((column) => [column, ...(column.childColumns ?? [])])
    void loadWidgets(all.map((column) => column.propertyType))
    // What reads texts is fetched with them.
    for (const column of all) void Promise.resolve(valueIn('0', column, context)).catch(() => {})
  }, [columns, context])
  const query = useQuery({ ...rowsQuery(id, FAILED, page, size), placeholderData: keepPreviousData })
  const rows = (query.data?.content ?? []) as FailedRow[]
  /** Every refused row that was seen, as the server saw it last. */
  const seen = useRef(new Map<string, FailedRow>())
  const [known, setKnown] = useState<FailedRow[]>([])
  useEffect(() => {
    for (const row of result.secondImportData as FailedRow[])
      if (!seen.current.has(row.id)) seen.current.set(row.id, row)
    for (const row of (query.data?.content ?? []) as FailedRow[]) seen.current.set(row.id, row)
    setKnown([...seen.current.values()])
  }, [result.secondImportData, query.data])
  const edits = useStore(store, (state) => state.edits)
  const waiting = useQuery(unresolvedQuery(id))
  /** People and departments to choose in all rows, less those that were chosen and have not been sent. */
  const open = useMemo(() => {
    const now = unresolved(known, columns, edits).length
    return waiting.data === undefined ? now : Math.max(0, waiting.data - unresolved(known, columns, NONE).length + now)
  }, [waiting.data, known, columns, edits])

  const reload = () => client.invalidateQueries({ queryKey: ['import', id] })
  /**
   * Sends changed rows and shows how they are judged now. What was asked of the server beside it may tell of the rows as they were
   * before: that is asked again.
   */
  const send = async (changes: RowEdit[]) => {
    const before = changes.flatMap(({ id: one }) => seen.current.get(one) ?? [])
    const sent = Date.now()
    const judged = await editRows(id, changes)
    const beside = client.getQueryCache().findAll({
      predicate: ({ queryKey: [what, of, part], state }) =>
        what === 'import' &&
        of === id &&
        part !== undefined &&
        (state.fetchStatus !== 'idle' || state.dataUpdatedAt >= sent),
    })
    await Promise.all(beside.map(({ queryKey }) => client.cancelQueries({ queryKey, exact: true })))
    const byId = new Map(judged.map((row) => [row.id, row]))
    client.setQueriesData<Page<FailedRow>>({ queryKey: ['import', id, 'rows', FAILED] }, (old) =>
      old ? { ...old, content: old.content.map((row) => byId.get(row.id) ?? row) } : old,
    )
    const fewer = unresolved(before, columns, NONE).length - unresolved(judged, columns, NONE).length
    client.setQueryData<number>(unresolvedQuery(id).queryKey, (old) =>
      old === undefined ? old : Math.max(0, old - fewer),
    )
    for (const row of judged) seen.current.set(row.id, row)
    setKnown([...seen.current.values()])
    for (const { queryKey } of beside) void client.invalidateQueries({ queryKey, exact: true })
  }
  /** Sends what was corrected. */
  const save = async () => {
    const sent = store.getState().edits
    const changes = rowEdits([...seen.current.values()], sent)
    if (changes.length === 0) return
    await send(changes)
    store.getState().stored(sent)
  }
  // A cell that was left is judged at once. One call after the other: they change the same rows.
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const flush = () => {
    queue.current = queue.current.catch(() => {}).then(save)
    return queue.current
  }
  const latest = useRef(flush)
  latest.current = flush
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = store.subscribe((state, before) => {
      if (state.editing || state.edits.size === 0) return
      if (state.edits === before.edits && state.editing === before.editing) return
      clearTimeout(timer)
      // Not while the next cell is edited: its rows would be drawn again.
      timer = setTimeout(() => !store.getState().editing && void latest.current().catch(say.error), 300)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [store, say])

  const around = async (what: NonNullable<typeof running>, run: () => Promise<void>) => {
    setRunning(what)
    try {
      await flush()
      await run()
      return true
    } catch (error) {
      say.error(error)
      return false
    } finally {
      setRunning(null)
    }
  }
  const forget = async () => {
    seen.current.clear()
    setKnown([])
    setTicked(new Set())
    setPage(0)
    await reload()
  }
  return {
    store,
    columns,
    query,
    rows,
    total: query.data?.totalElements ?? result.errorCount,
    ticked,
    setTicked,
    running,
    unresolved: open,
    page,
    size,
    show: (next: number, ofSize: number) => {
      setPage(ofSize === size ? next : 0)
      setSize(ofSize)
    },
    replace: (replacement: Replacement, done: (cells: number) => void) =>
      around('replace', async () => {
        const { changedCount } = await replaceCells(id, replacement)
        await Promise.all([
          client.invalidateQueries({ queryKey: ['import', id, 'rows'] }),
          client.invalidateQueries({ queryKey: unresolvedQuery(id).queryKey }),
        ])
        done(changedCount)
      }),
    /** What a replacement would change, after what was corrected before is stored. */
    preview: async (replacement: Replacement) => {
      await flush()
      return replaceCells(id, replacement, true)
    },
    placesIn: (row: FailedRow, sheet: HeadColumn, lines: ReadonlySet<string>, code: string, conditions: Condition[]) =>
      placesIn(row, sheet, lines, code, conditions, store.getState().edits),
    /** Stores a sub-table with other rows than it had; what was corrected in it before is stored first, since places change. */
    changeRows: (row: string, sheet: string, change: (rows: SubRow[]) => SubRow[]) =>
      around('rows', async () => {
        const now = seen.current.get(row)
        if (now) await send([{ id: row, data: { [sheet]: change(subRows(now, sheet)) } }])
      }),
    skip: (ids: string[] | null) =>
      around('skip', async () => {
        await skipRows(id, ids)
        await forget()
      }),
    /** Imports the rows again; those that are refused once more come back. */
    confirm: () =>
      around('second', async () => {
        try {
          await follow(await second(id))
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== AGAIN || !error.data) throw error
          await follow(error.data as ImportResult)
          await forget()
          throw error
        }
        await forget()
      }),
  }
}
