import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { sinceText } from '@/lib/since'
import { Failure } from '@/sdk/failure'
import { useTextContext } from '@/sdk/system'
import styles from './operation.module.css'

/** How long ago something was, where it was today; else its time to the second, in the installation's zone, which is there to be read always. */
export function Moment({ at }: { at: string | null }) {
  const context = useTextContext()
  const locale = useLocale()
  if (!at) return null
  const full = formatInstant(at, 'yyyy-MM-dd HH:mm:ss', context)
  return (
    <time dateTime={at} className="tabular" title={full}>
      {sinceText(at, Date.now(), locale) ?? full}
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
