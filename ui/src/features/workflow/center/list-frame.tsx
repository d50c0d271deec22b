import { Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import type { IconName } from '@/components/icon'
import { Notice } from '@/components/notice'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { Pages } from '@/sdk/pages'
import { useText } from '@/sdk/use-text'
import styles from '../workflow.module.css'
import { type ListSearch, SIZES } from './use-search'

interface Props {
  title: string
  tools?: ReactNode
  filters: ReactNode
  search: ListSearch
  /** How a list is narrowed now, by the names in its address. */
  filtered: boolean
  onClear: () => void
  empty: string
  icon: IconName
  result: { data?: { totalElements: number } | undefined; error: unknown; refetch: () => unknown }
  count: number
  children: ReactNode
  foot?: ReactNode
}

/** A list of the center: its title and filters, the rows or what is in their place, and its pages. */
export function ListFrame(props: Props) {
  const { title, tools, filters, search, filtered, onClear, empty, icon, result, count, children, foot } = props
  const t = useText()
  usePageTitle(title)
  const { data, error } = result
  return (
    <div className={styles.frame}>
      <div className={styles.scroll}>
        <div className={styles.page}>
          <header className={styles.head}>
            <h1>
              {title}
              {data && data.totalElements > 0 && (
                <span className={styles.total} title={t('opinion.total', { count: data.totalElements })}>
                  {data.totalElements.toLocaleString()}
                </span>
              )}
            </h1>
            {tools}
          </header>
          <search className={styles.filters}>{filters}</search>
          {error !== null && !data && <Failure error={error} onRetry={result.refetch} />}
          {!data && error === null && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
          {data && count === 0 && (
            <Notice
              icon={filtered ? 'search' : icon}
              title={filtered ? t('flow.noMatch') : empty}
              actions={filtered && <Button onClick={onClear}>{t('flow.clear')}</Button>}
            />
          )}
          {count > 0 && children}
          {data && data.totalElements > SIZES[0] && (
            <Pages
              className={styles.pages ?? ''}
              align="end"
              current={search.page + 1}
              pageSize={search.size}
              pageSizeOptions={[...SIZES]}
              total={data.totalElements}
              showSizeChanger
              showTotal={(total) => t('list.total', { count: total })}
              onChange={search.toPage}
            />
          )}
        </div>
      </div>
      {foot}
    </div>
  )
}
