import { Popover } from 'antd'
import type { ReactNode } from 'react'
import styles from './overflow-row.module.css'

interface Props {
  /** What stands in the line. */
  items: { key: string; node: ReactNode }[]
  /** How many fit before the rest hides behind a number. */
  inline: number
  /** Lists all, at most 20, then what is left. */
  more?: ReactNode
  /** Reads the whole set to screen readers. */
  label: string
  onMore?: (() => void) | undefined
}

const LIMIT = 20

/** Several things in one line: the first ones, and a number that shows the others when pointed at. */
export function OverflowRow({ items, inline, more, label, onMore }: Props) {
  const rest = items.length - inline
  const row = (
    <span className={styles.row}>
      {items.slice(0, inline).map((item) => (
        <span key={item.key} className={styles.item}>
          {item.node}
        </span>
      ))}
      {rest > 0 && <span className={styles.rest}>+{rest}</span>}
    </span>
  )
  if (rest <= 0) return row
  return (
    <Popover
      mouseEnterDelay={0.3}
      arrow={false}
      content={
        <div className={styles.all}>
          {items.slice(0, LIMIT).map((item) => (
            <div key={item.key}>{item.node}</div>
          ))}
          {items.length > LIMIT && (
            <div>
              …{' '}
              {onMore && (
                <button type="button" className={styles.more} onClick={onMore}>
                  {more}
                </button>
              )}
            </div>
          )}
        </div>
      }
    >
      <span role="note" aria-label={label} className={styles.target}>
        {row}
      </span>
    </Popover>
  )
}

/** The same things with room for all of them: what a record shows to its reader. */
export function WrappedRow({ items }: { items: Props['items'] }) {
  return (
    <span className={styles.wrapped}>
      {items.map((item) => (
        <span key={item.key}>{item.node}</span>
      ))}
    </span>
  )
}
