import type { ReactNode } from 'react'
import { usePageTitle } from '@/lib/page-title'
import { Icon, type IconName } from './icon'
import styles from './notice.module.css'

interface Props {
  icon?: IconName
  title: ReactNode
  text?: ReactNode
  actions?: ReactNode
  /** Small print below, such as a request id. */
  note?: ReactNode
  role?: 'alert' | 'status'
  /** It is all that the page has: its title is the page's heading. */
  page?: boolean
}

/** What is where content would be: empty, nothing found, failed. One sentence, one or two buttons. */
export function Notice({ icon, title, text, actions, note, role = 'status', page = false }: Props) {
  usePageTitle(page && typeof title === 'string' ? title : null)
  const Title = page ? 'h1' : 'p'
  return (
    <div className={styles.notice} role={role}>
      {icon && (
        <span className={styles.icon}>
          <Icon name={icon} size={22} />
        </span>
      )}
      <Title className={styles.title}>{title}</Title>
      {text && <p className={styles.text}>{text}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}
