import { Button } from 'antd'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'

interface Props<T> {
  /** Drafts that wait: of an earlier visit, and what another tab has made of it. */
  draft: { found: T | null; other: T | null; take: () => void; forget: () => void }
  /** Who published meanwhile, or ""; null: nobody did. */
  changedBy: string | null
  onTake: (draft: T) => void
}

/** What else there is of the document: a draft that waits, one in another tab, and what others have published since. */
export function Banners<T>({ draft, changedBy, onTake }: Props<T>) {
  const t = useText()
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
