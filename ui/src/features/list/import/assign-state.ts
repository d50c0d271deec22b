import type { ImportHead, ImportRequest } from './api'

/** How a file is read: what somebody chose of it, for the upload of this name. */
export interface Reading {
  fileName: string
  /** Null while nobody has chosen: the sheet whose headings fit best. */
  sheet: number | null
  /** 0 while nobody has chosen. */
  headRow: number
  encoding: string
  /** Further sheets that are imported with it. */
  also: number[]
  /** What a column brings, by its number; '' is left out. */
  chosen: Record<number, string>
}

export const unread = (fileName: string): Reading => ({
  fileName,
  sheet: null,
  headRow: 0,
  encoding: '',
  also: [],
  chosen: {},
})

type Column = ImportHead['columns'][number]

/** What a column brings; null where somebody has to say it. */
export const codeOf = (column: Column, chosen: Reading['chosen']): string | null =>
  chosen[column.column] ?? (column.propertyCode || (column.candidates.length > 0 ? null : ''))

/** What the columns of a file bring, and what keeps it from being read so. */
export function assigned(head: ImportHead, { chosen, headRow }: Pick<Reading, 'chosen' | 'headRow'>) {
  const all = head.columns.map((column) => ({ column: column.column, code: codeOf(column, chosen) }))
  const times = new Map<string, number>()
  for (const { code } of all) if (code) times.set(code, (times.get(code) ?? 0) + 1)
  const open = all.filter(({ code }) => code === null).map(({ column }) => column)
  const twice = [...times].filter(([, count]) => count > 1).map(([code]) => code)
  const missing = head.properties.filter((one) => one.required && !times.has(one.propertyCode))
  return {
    open,
    twice,
    /** Required properties of new records that no column brings. */
    missing: missing.map((one) => one.propertyCode),
    /** How many columns bring something. */
    count: all.filter(({ code }) => code).length,
    ready: open.length === 0 && twice.length === 0 && times.size > 0,
    /** Whether the file is read otherwise than its headings alone say. */
    said: head.kept || headRow > 0 || Object.keys(chosen).length > 0,
    columns: all.flatMap(({ column, code }) => (code ? [{ column, propertyCode: code }] : [])),
  }
}

/** The further sheets that were chosen, of those that can be imported with the one that is read. */
export const alsoOf = (head: ImportHead, { also }: Pick<Reading, 'also'>) =>
  also.filter((sheet) => sheet !== head.sheet && head.sheets[sheet]?.alike === true)

/** What a request says of how the file is read. Where the headings say everything they are left to the server. */
export function readingOf(head: ImportHead | undefined, reading: Reading): Partial<ImportRequest> {
  if (!head) return { sheet: reading.sheet ?? 0, ...(reading.encoding && { encoding: reading.encoding as never }) }
  const { said, columns } = assigned(head, reading)
  const also = alsoOf(head, reading)
  return {
    sheet: also.length > 0 ? [head.sheet, ...also] : head.sheet,
    ...(reading.encoding && { encoding: reading.encoding as never }),
    ...(said && { headRow: head.headRow, columns }),
  }
}
