import { Button } from 'antd'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import type { Checked } from './api'
import { LockBanner } from './lock-banner'
import type { DesignerOf } from './use-designer'

interface Props<T, C extends Checked> {
  doc: DesignerOf<T, C>
  /** Goes on with a copy of the document under another code. */
  onCopy: () => void
}

/** What else there is of the document: who edits it, what others made of it, a draft that waits, and what was published since. */
export function Banners<T, C extends Checked>({ doc, onCopy }: Props<T, C>) {
  const t = useText()
  const { draft, other, lock } = doc
  const take = () => {
    const taken = draft.other ?? draft.found
    if (taken !== null) doc.change(taken)
    draft.take()
  }
  return (
    <>
      {doc.design.readOnly && (
        <div className={styles.banner} role="status">
          <span>{t('desk.readOnly')}</span>
        </div>
      )}
      <LockBanner
        state={doc.editable ? lock.state : { is: 'asking' }}
        changed={doc.unsent}
        onTakeOver={lock.takeOver}
        onRetry={lock.retry}
        onCopy={onCopy}
      />
      {other && (
        <div className={styles.banner} role="alert">
          <span>{t('desk.otherDraft', { name: other.by || t('desk.somebody') })}</span>
          <Button size="small" type="primary" onClick={() => doc.takeTheirs()}>
            {t('desk.takeTheirs')}
          </Button>
          <Button size="small" onClick={doc.answered}>
            {t('desk.keepMine')}
          </Button>
        </div>
      )}
      {draft.other !== null && (
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
      {draft.found !== null && draft.other === null && (
        <div className={styles.banner} role="status">
          <span>{t('design.draftFound')}</span>
          <Button size="small" type="primary" disabled={doc.readOnly} onClick={take}>
            {t('design.restore')}
          </Button>
          <Button size="small" onClick={draft.forget}>
            {t('design.discard')}
          </Button>
        </div>
      )}
      {doc.changedBy !== null && (
        <div className={styles.banner} role="alert">
          <span>{doc.changedBy ? t('design.conflict', { name: doc.changedBy }) : t('design.changedSince')}</span>
          <Button size="small" onClick={() => window.location.reload()}>
            {t('design.reload')}
          </Button>
        </div>
      )}
    </>
  )
}
