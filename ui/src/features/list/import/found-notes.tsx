import { useText } from '@/sdk/use-text'
import type { ImportResult } from './api'
import styles from './import.module.css'
import { rowPlace } from './row-place'

type Found = Pick<
  ImportResult,
  'ignoredColumns' | 'hiddenCount' | 'mergedCount' | 'totalRows' | 'roundedNumbers' | 'sheets'
>

/** What a file has that is not as it looks: columns that bring nothing, hidden rows that come in, merged cells, rows of totals that do not, numbers with more than they show. */
export function FoundNotes({ result }: { result: Found }) {
  const t = useText()
  const and = t('import.found.and')
  const totals = [
    ...result.totalRows.map(String),
    ...result.sheets.flatMap(({ name, totalRows }) =>
      totalRows.map((rowNumber) => rowPlace({ sheet: name, rowNumber })),
    ),
  ]
  const notes = [
    result.ignoredColumns.length > 0 &&
      t('import.found.ignored', { count: result.ignoredColumns.length, names: result.ignoredColumns.join(and) }),
    result.hiddenCount > 0 && t('import.found.hidden', { count: result.hiddenCount }),
    result.mergedCount > 0 && t('import.found.merged', { count: result.mergedCount }),
    totals.length > 0 && t('import.found.totals', { count: totals.length, rows: totals.join(and) }),
    result.roundedNumbers > 0 && t('import.rounded', { count: result.roundedNumbers }),
  ].filter((note) => note !== false)
  if (notes.length === 0) return null
  return (
    <ul className={styles.found}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
