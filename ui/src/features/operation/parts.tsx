import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { formatInstant } from '@/lib/dates'
import { Failure } from '@/sdk/failure'
import { useTextContext } from '@/sdk/system'
import styles from './operation.module.css'

/** A time to the second, in the installation's zone. */
export function Moment({ at }: { at: string | null }) {
  const context = useTextContext()
  if (!at) return null
  return (
    <time dateTime={at} className="tabular">
      {formatInstant(at, 'yyyy-MM-dd HH:mm:ss', context)}
    </time>
  )
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** A size in the largest unit that leaves a whole number, with one decimal below 100. */
export function bytes(size: number): string {
  let at = 0
  let value = size
  for (; value >= 1024 && at < UNITS.length - 1; at++) value /= 1024
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[at]}`
}

interface Column<T> {
  title: string
  of: (row: T) => ReactNode
  figure?: boolean
  wide?: boolean
}

/** Rows with columns; on a phone each row is a block whose lines name their columns. */
export function Rows<T>({
  label,
  rows,
  columns,
  id,
}: {
  label: string
  rows: T[]
  columns: Column<T>[]
  id: (row: T) => string
}) {
  const kind = ({ figure, wide }: Column<T>) => (figure ? styles.figure : wide ? styles.wide : undefined)
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" className={kind(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={id(row)}>
            {columns.map((column) => (
              <td key={column.title} data-label={column.title} className={kind(column)}>
                {column.of(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface SectionProps<T> {
  title: string
  query: UseQueryResult<T>
  /** What is above has not come yet: it would push this part away from under a hand. */
  waits?: boolean
  children: (data: T) => ReactNode
}

/** A part of the page that is asked for by itself: what fails leaves the others as they are. */
export function Section<T>({ title, query, waits = false, children }: SectionProps<T>) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {query.error && query.data === undefined && !waits && <Failure error={query.error} onRetry={query.refetch} />}
      {(waits || (query.data === undefined && !query.error)) && (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      )}
      {query.data !== undefined && !waits && children(query.data)}
    </section>
  )
}
