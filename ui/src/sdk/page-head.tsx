import type { ReactNode } from 'react'
import { Icon, type IconName } from '@/components/icon'
import styles from './page-head.module.css'

interface Props {
  icon: IconName
  title: string
  /** How many things are below, in words. */
  count?: string | null | undefined
  /** What the page is for. */
  hint: ReactNode
  /** What can be done here, the first thing last. */
  actions?: ReactNode
}

/** The beginning of a page of the administration: what it is for, how much there is, and what can be done. */
export function PageHead({ icon, title, count, hint, actions }: Props) {
  return (
    <header className={styles.head}>
      <span className={styles.icon}>
        <Icon name={icon} size={20} />
      </span>
      <div className={styles.words}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {/* Its line is there before the number is. */}
          {count !== undefined && <span className={styles.count}>{count}</span>}
        </div>
        <p className={styles.hint}>{hint}</p>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
