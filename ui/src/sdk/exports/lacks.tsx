import type { ExportTask } from './api'
import styles from './export.module.css'
import { exportText, useExportText } from './texts'

type Lacking = Pick<ExportTask, 'skipped' | 'missing' | 'tooWide'>

/** What a file does not show of what was asked for, in sentences. */
export const lacksOf = ({ skipped, missing, tooWide }: Lacking, t = exportText): string[] => [
  ...(skipped > 0 ? [t('skipped', { count: skipped })] : []),
  ...(missing ? [t('missing', { characters: [...missing].join(' ') })] : []),
  ...(tooWide?.length ? [t('tooWide', { figures: tooWide.join('; ') })] : []),
]

export function Lacks({ task }: { task: Lacking }) {
  const t = useExportText()
  return lacksOf(task, t).map((text) => (
    <small key={text} className={styles.lacks}>
      {text}
    </small>
  ))
}
