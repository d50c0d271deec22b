import type { ReactNode } from 'react'
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
}

/** What stands where content would be: empty, nothing found, failed. One sentence, one or two buttons. */
export function Notice({ icon, title, text, actions, note, role = 'status' }: Props) {
  return (
    <div className={styles.notice} role={role}>
      {icon && (
        <span className={styles.icon}>
          <Icon name={icon} size={22} />
        </span>
      )}
      <p className={styles.title}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}
