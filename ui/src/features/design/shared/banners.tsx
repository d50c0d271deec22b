import { Button } from 'antd'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'

interface Props {
  /** A draft of an earlier visit is there. */
  found: boolean
  /** Another tab has changed the draft. */
  other: boolean
  /** Somebody has published since: their name, or "". */
  changedBy: string | null
  onTake: () => void
  onDiscard: () => void
  onKeep: () => void
}

/** What else there is of the document: a draft that waits, one in another tab, and what others have published since. */
export function Banners({ found, other, changedBy, onTake, onDiscard, onKeep }: Props) {
  const t = useText()
  return (
    <>
      {other && (
        <div className={styles.banner} role="alert">
          <span>{t('design.otherTab')}</span>
          <Button size="small" type="primary" onClick={onTake}>
            {t('design.takeOther')}
          </Button>
          <Button size="small" onClick={onKeep}>
            {t('design.keepThis')}
          </Button>
        </div>
      )}
      {found && !other && (
        <div className={styles.banner} role="status">
          <span>{t('design.draftFound')}</span>
          <Button size="small" type="primary" onClick={onTake}>
            {t('design.restore')}
          </Button>
          <Button size="small" onClick={onDiscard}>
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
