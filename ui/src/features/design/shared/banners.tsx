import { Button } from 'antd'
import { formatInstant } from '@/lib/dates'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import type { Other } from './use-document'

interface Props<T> {
  /** Drafts that wait: of an earlier visit, and what another tab has made of it. */
  draft: { found: T | null; other: T | null; take: () => void; forget: () => void }
  /** Who published meanwhile, or ""; null: nobody did. */
  changedBy: string | null
  /** Who have a draft of it too. */
  others: Other[]
  onTake: (draft: T) => void
}

/** What else there is of the document: a draft that waits, one in another tab, and what others have published since. */
export function Banners<T>({ draft, changedBy, others, onTake }: Props<T>) {
  const t = useText()
  const context = useTextContext()
  const { found, other } = draft
  const take = () => {
    const taken = other ?? found
    if (taken !== null) onTake(taken)
    draft.take()
  }
  return (
    <>
      {other !== null && (
        <div className={styles.banner} role="alert">
          <span>{t('design.otherTab')}</span>
          <Button size="small" type="primary" onClick={take}>
            {t('design.takeOther')}
          </Button>
          <Button size="small" onClick={draft.take}>
            {t('design.keepThis')}
          </Button>
        </div>
      )}
      {found !== null && other === null && (
        <div className={styles.banner} role="status">
          <span>{t('design.draftFound')}</span>
          <Button size="small" type="primary" onClick={take}>
            {t('design.restore')}
          </Button>
          <Button size="small" onClick={draft.forget}>
            {t('design.discard')}
          </Button>
        </div>
      )}
      {others.length > 0 && (
        <div className={styles.banner} role="status">
          <span>
            {t('design.others', {
              names: others
                .map(({ name, time }) =>
                  t('design.otherAt', { name, time: formatInstant(time, 'MM-dd HH:mm', context) }),
                )
                .join(t('design.comma')),
            })}
          </span>
        </div>
      )}
      {changedBy !== null && (
        <div className={styles.banner} role="alert">
          <span>{changedBy ? t('design.conflict', { name: changedBy }) : t('design.changedSince')}</span>
          <Button size="small" onClick={() => window.location.reload()}>
            {t('design.reload')}
          </Button>
        </div>
      )}
    </>
  )
}
