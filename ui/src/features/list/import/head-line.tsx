import { Button } from 'antd'
import { Icon } from '@/components/icon'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import styles from './import.module.css'
import type { Head } from './use-head'

/** What is recognized of the file, and the way to the columns. */
export function HeadLine({ of, onAssign }: { of: Head; onAssign: () => void }) {
  const t = useText()
  const errorText = useErrorText()
  const { head, now } = of
  return (
    <div className={styles.line}>
      <span className={`${styles.note} ${styles.told}`} role="status">
        {of.pending && t('import.assign.reading')}
        {of.error !== null && !head && errorText(of.error)}
        {head && now && (
          <>
            {now.ready || <Icon name="alert" size={14} />}
            <span>{t('import.assign.found', { row: head.headRow, known: now.count, count: head.columns.length })}</span>
            {now.open.length > 0 && <span>{t('import.assign.open', { count: now.open.length })}</span>}
            {head.kept && <span>{t('import.assign.asBefore')}</span>}
          </>
        )}
      </span>
      <Button disabled={of.pending} onClick={onAssign}>
        {t('import.assign.title')}
      </Button>
    </div>
  )
}
