import { useText } from '@/sdk/use-text'
import type { ImportResult } from './api'
import styles from './import.module.css'

/** What became of each sheet of an import of several. */
export function SheetCounts({ sheets }: { sheets: ImportResult['sheets'] }) {
  const t = useText()
  if (sheets.length === 0) return null
  const skipped = sheets.some((one) => one.skippedCount > 0)
  const count = (n: number) => n.toLocaleString('en-US')
  return (
    <table className={styles.bySheet}>
      <thead>
        <tr>
          <th scope="col">{t('import.sheet')}</th>
          <th scope="col">{t('import.figures.added')}</th>
          <th scope="col">{t('import.figures.changed')}</th>
          <th scope="col">{t('import.figures.unchanged')}</th>
          <th scope="col">{t('import.figures.failed')}</th>
          {skipped && <th scope="col">{t('import.figures.skipped')}</th>}
        </tr>
      </thead>
      <tbody>
        {sheets.map((one) => (
          <tr key={one.name}>
            <th scope="row">{one.name}</th>
            <td className="tabular">{count(one.addedCount)}</td>
            <td className="tabular">{count(one.changedCount)}</td>
            <td className="tabular">{count(one.unchangedCount)}</td>
            <td className="tabular" data-bad={one.errorCount > 0 || undefined}>
              {count(one.errorCount)}
            </td>
            {skipped && <td className="tabular">{count(one.skippedCount)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
