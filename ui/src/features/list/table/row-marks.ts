import type { RowClassRules } from 'ag-grid-community'
import { useMemo, useRef } from 'react'
import type { ListConfig, ListPage, Row } from '@/api/types'
import type { ExtraPage } from '@/sdk/script/results'
import type { CellMark, RowMark, ScriptRow, Tone } from '../../../../../docs/sluice-script'
import type { GridRow } from './grid'
import styles from './row-marks.module.css'

/** A row with what the list's script says about it. */
export interface MarkedRow extends Row {
  mark?: RowMark
}

/** What the list's style file may reach. With one, nothing of the list is painted outside of it. */
export const listRoot = ({ queryCode, queryPresentation }: ListConfig) => ({
  'data-list': queryCode,
  ...(queryPresentation.style ? { style: { contain: 'layout paint' } } : {}),
})

export const markClass = (mark: Pick<CellMark, 'tone' | 'className'> | undefined) =>
  [mark?.tone && styles[mark.tone], mark?.className].filter(Boolean).join(' ')

/** The looks of a whole row that is not a row of a grid. */
export const rowMarkClass = (mark: RowMark | undefined) =>
  [mark?.tone && styles[`${mark.tone}Row`], mark?.className].filter(Boolean).join(' ')

const TONES: Tone[] = ['success', 'warning', 'error', 'info', 'muted']
const markOf = (data: GridRow | undefined) => (data && 'mark' in data ? data.mark : undefined)

/** The grid's rules for the tones and class names of rows. Names stay known, so that they are taken away again. */
export function useMarkRules(rows: MarkedRow[]): RowClassRules<GridRow> {
  const names = useRef(new Set<string>())
  return useMemo(() => {
    for (const { mark } of rows) for (const name of mark?.className?.split(' ') ?? []) names.current.add(name)
    const rules: RowClassRules<GridRow> = {}
    for (const tone of TONES) rules[styles[`${tone}Row`] ?? tone] = ({ data }) => markOf(data)?.tone === tone
    for (const name of names.current)
      rules[name] = ({ data }) => markOf(data)?.className?.split(' ').includes(name) ?? false
    return rules
  }, [rows])
}

const cellTexts = (texts: Record<string, string>): Record<string, CellMark> =>
  Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, { text }]))

/** A row as scripts see it: plain data. */
export function scriptRow({ id, data, mark }: MarkedRow): ScriptRow {
  const texts = Object.entries(mark?.cells ?? {}).flatMap(([code, { text }]) =>
    text === undefined ? [] : [[code, text]],
  )
  return { id, data: { ...data, ...Object.fromEntries(texts) } as ScriptRow['data'] }
}

const emptyPage: ListPage = { content: [], totalElements: 0, aggregates: {}, next: null, previous: null }

/** Puts rows of a script to those of the list; null = there are none of its own. */
export function withExtraRows(own: ListPage | null, extra: ExtraPage): ListPage {
  const page = own ?? emptyPage
  const known = new Map(extra.rows.map((row) => [row.id, row]))
  const ids = new Set(page.content.map((row) => row.id))
  const added = extra.rows.filter(
    (row, i) => !ids.has(row.id) && extra.rows.findIndex((one) => one.id === row.id) === i,
  )
  const content: MarkedRow[] = [
    ...page.content.map((row) => {
      const found = known.get(row.id)
      return found ? { ...row, mark: { id: row.id, cells: cellTexts(found.texts) } } : row
    }),
    ...added.map(({ id, texts }) => ({ ...strange, id, mark: { id, cells: cellTexts(texts) } })),
  ]
  return { ...page, content, totalElements: own ? page.totalElements + added.length : (extra.total ?? added.length) }
}

/** A row that is not a record of ours: it has no values but texts, and nothing can be done with it. */
const strange = { data: {}, workflowInstanceId: null, sequenceStatus: null, version: 0, leaf: true, actions: [] }

/** Puts what onLoad said to the rows. */
export function withMarks(page: ListPage, marks: ReadonlyMap<string, RowMark>): ListPage {
  if (marks.size === 0) return page
  const content = page.content.map((row: MarkedRow) => {
    const mark = marks.get(row.id)
    return mark ? { ...row, mark: { ...row.mark, ...mark, cells: { ...row.mark?.cells, ...mark.cells } } } : row
  })
  return { ...page, content }
}
