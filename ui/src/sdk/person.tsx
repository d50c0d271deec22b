import { Popover, Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import type { Entry } from '@/api/types'
import { Avatar, avatarElement } from '@/components/avatar'
import { Icon, iconElement } from '@/components/icon'
import { element } from '@/lib/element'
import styles from './person.module.css'

const PersonCard = lazy(() => import('./person-card').then((m) => ({ default: m.PersonCard })))

/** A person or a department in a line; a click on a person shows the card. */
export function EntryName({ entry, size = 20 }: { entry: Entry; size?: number }) {
  if (entry.type === 1) {
    return (
      <span className={styles.entry}>
        <Icon name="tree" size={14} />
        <span className={styles.name} title={entry.name}>
          {entry.name}
        </span>
      </span>
    )
  }
  return (
    <Popover
      trigger="click"
      arrow={false}
      content={
        <Suspense
          fallback={<Skeleton active title={false} avatar className={styles.card ?? ''} paragraph={{ rows: 3 }} />}
        >
          <PersonCard id={entry.id} name={entry.name} />
        </Suspense>
      }
      destroyOnHidden
    >
      <button
        type="button"
        tabIndex={-1}
        className={`${styles.entry} ${styles.person}`}
        aria-haspopup="dialog"
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Avatar name={entry.name} src={entry.imgUrl} size={size} />
        <span className={styles.name}>{entry.name}</span>
      </button>
    </Popover>
  )
}

/** The same as a plain element, which opens nothing. */
export function entryName(entry: Entry): HTMLElement {
  if (entry.type === 1) {
    const name = element('span', { className: styles.name, title: entry.name }, entry.name)
    return element('span', { className: styles.entry }, iconElement('tree', 14), name)
  }
  return element(
    'button',
    { type: 'button', tabIndex: -1, className: `${styles.entry} ${styles.person}`, 'aria-haspopup': 'dialog' },
    avatarElement(entry.name, entry.imgUrl),
    element('span', { className: styles.name }, entry.name),
  )
}
