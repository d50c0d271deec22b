import { Button, Drawer, Skeleton, Tooltip } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { ButtonSlot } from '@/components/button-slot'
import { Icon } from '@/components/icon'
import { useMedia } from '@/lib/use-media'
import { useSearch } from '@/lib/use-search'
import { useText } from '@/sdk/use-text'
import type { Place } from './api'
import styles from './comment.module.css'
import type { KeptTalk } from './kept'
import { useComments } from './use-comments'

const Panel = lazy(() => import('./panel').then((m) => ({ default: m.Panel })))

/** So wide a page has room for the comments beside the record. */
const WIDE = '(min-width: 1000px)'

interface Props extends Place {
  /** The place beside the record. */
  side: HTMLElement | null
  kept: KeptTalk
}

/** The button with the number of comments on a record, and the comments beside it. A message's address opens them at its own. */
export function Comments({ side, kept, ...place }: Props) {
  const t = useText()
  const [search] = useSearch()
  const target = search.get('comment')
  const mine = kept.get(place.objectId) ?? { open: target !== null }
  kept.set(place.objectId, mine)
  const [open, setOpen] = useState(mine.open)
  const wide = useMedia(WIDE)
  const opener = useRef<HTMLButtonElement>(null)
  const comments = useComments(place)
  useEffect(() => {
    if (target) setOpen(true)
  }, [target])
  useEffect(() => {
    mine.open = open
  }, [mine, open])
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const { total } = comments
  // The person who may not read the record has no comments; what is beside the button stays where it is.
  if (comments.isError && !comments.data && !open) return <ButtonSlot />
  const panel = (
    <Suspense fallback={<Skeleton active title={false} avatar className={styles.skeleton ?? ''} />}>
      <Panel place={place} comments={comments} target={target} kept={mine} />
    </Suspense>
  )
  return (
    <>
      <Tooltip title={t('comment.title')}>
        <Button
          ref={opener}
          type="text"
          className={styles.opener ?? ''}
          icon={
            <>
              <Icon name="talk" />
              {total > 0 && <span className={styles.count}>{total > 99 ? '99+' : total}</span>}
            </>
          }
          aria-label={total > 0 ? t('comment.openCount', { count: total }) : t('comment.open')}
          aria-expanded={open}
          onClick={() => setOpen((now) => !now)}
        ></Button>
      </Tooltip>
      {wide && side && open && createPortal(<Side onClose={close}>{panel}</Side>, side)}
      {!wide && (
        <Drawer
          open={open}
          onClose={close}
          title={t('comment.title')}
          size="min(440px, 100vw)"
          styles={{ body: { padding: 0 } }}
        >
          {panel}
        </Drawer>
      )}
    </>
  )
}

function Side({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const t = useText()
  return (
    <aside className={styles.side} aria-label={t('comment.title')}>
      <header className={styles.sideHead}>
        <h2>{t('comment.title')}</h2>
        <Button
          type="text"
          size="small"
          aria-label={t('comment.close')}
          title={t('comment.close')}
          icon={<Icon name="close" />}
          onClick={onClose}
        />
      </header>
      {children}
    </aside>
  )
}
