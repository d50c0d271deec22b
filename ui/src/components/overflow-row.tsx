import { Popover } from 'antd'
import { type ReactNode, useState } from 'react'
import { element } from '@/lib/element'
import styles from './overflow-row.module.css'

interface Props {
  /** What is in the line. */
  items: { key: string; node: ReactNode }[]
  /** How many fit before the rest hides behind a number. */
  inline: number
  /** How many there are when `items` holds only the first ones. */
  count?: number
  /** The words of the link behind the first 20. */
  more?: ReactNode
  /** Reads the whole set to screen readers. */
  label: string
  onMore?: (() => void) | undefined
}

const LIMIT = 20

/** Several things in one line: the first ones, and a number that shows the others when pointed at. */
export function OverflowRow({ items, inline, count = items.length, more, label, onMore }: Props) {
  const [open, setOpen] = useState(false)
  const rest = count - inline
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
      open={open}
      onOpenChange={setOpen}
      mouseEnterDelay={0.3}
      arrow={false}
      destroyOnHidden
      content={
        <div className={styles.all}>
          {items.slice(0, LIMIT).map((item) => (
            <div key={item.key}>{item.node}</div>
          ))}
          {count > LIMIT && (
            <div>
              …{' '}
              {onMore && (
                <button
                  type="button"
                  className={styles.more}
                  onClick={(event) => {
                    event.stopPropagation()
                    setOpen(false)
                    onMore()
                  }}
                >
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

OverflowRow.limit = LIMIT

/** The line as plain elements. */
export function overflowRow(items: Node[], count: number, label: string): HTMLElement {
  const rest = count - items.length
  const row = element(
    'span',
    { className: styles.row },
    ...items.map((item) => element('span', { className: styles.item }, item)),
    rest > 0 && element('span', { className: styles.rest }, `+${rest}`),
  )
  if (rest <= 0) return row
  return element('span', { role: 'note', 'aria-label': label, className: styles.target }, row)
}

/** A set for screen readers: as much of it as one listens to. */
export const shortList = (names: string[]) =>
  names.slice(0, LIMIT).join(', ') + (names.length > LIMIT ? ` … (${names.length})` : '')

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
