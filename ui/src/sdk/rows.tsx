import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import styles from './rows.module.css'

export interface RowsColumn<T> {
  title: string
  of: (row: T) => ReactNode
  /** A number: at the end of its column, and faint where it is 0. */
  figure?: boolean
  /** It may take several lines. */
  wide?: boolean
  /** What the row is called: it is read first, and opens the row where the row opens. */
  main?: boolean
}

interface Props<T> {
  label: string
  rows: T[]
  columns: RowsColumn<T>[]
  id: (row: T) => string
  /** Where a row leads; null: nowhere. */
  to?: (row: T) => string | null
  /** Rows that want attention have a mark at their edge. */
  bad?: (row: T) => boolean
}

/** Rows with columns, for pages of the administration; on a phone each row is a block whose lines name their columns. */
export function Rows<T>({ label, rows, columns, id, to, bad }: Props<T>) {
  const navigate = useNavigate()
  const open = (event: MouseEvent<HTMLElement>, row: T) => {
    const path = to?.(row)
    const { target } = event
    // What can be pressed in it acts by itself, and a text that was marked is not a press.
    if (!path || !(target instanceof Element) || target.closest('a, button, input')) return
    if (window.getSelection()?.toString()) return
    void navigate(path)
  }
  const shown = (column: RowsColumn<T>, row: T) => {
    const value = column.of(row)
    const path = column.main ? to?.(row) : null
    return path ? <Link to={path}>{value}</Link> : value
  }
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" data-figure={column.figure || undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={id(row)}
              data-opens={Boolean(to?.(row)) || undefined}
              data-bad={bad?.(row) || undefined}
              onClick={(event) => open(event, row)}
            >
              {columns.map((column) => (
                <td
                  key={column.title}
                  data-label={column.title}
                  data-main={column.main || undefined}
                  data-wide={column.wide || undefined}
                  data-figure={column.figure ? (column.of(row) === 0 ? 'none' : 'some') : undefined}
                >
                  {shown(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
