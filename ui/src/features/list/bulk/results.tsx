import { useQuery } from '@tanstack/react-query'
import { Pagination, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ListConfig } from '@/api/types'
import { recordPath } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { jobResultsQuery } from './api'
import styles from './bulk.module.css'

interface Line {
  id: string
  name: string
  ok: boolean
  message: string
}

/** What became of each record. */
export function ResultTable({ config, lines }: { config: ListConfig; lines: Line[] }) {
  const t = useText()
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{t('bulk.record')}</th>
            <th>{t('bulk.result')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                <Link
                  to={recordPath({ schemaCode: config.schemaCode, queryCode: config.queryCode, id: line.id })}
                  target="_blank"
                >
                  {line.name || t('list.unnamed')}
                </Link>
              </td>
              <td>{line.ok ? t('bulk.ok') : line.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const SIZE = 20

/** The same of a job, page by page. */
export function JobResults({ config, id, total }: { config: ListConfig; id: string; total: number }) {
  const t = useText()
  const [page, setPage] = useState(0)
  const { data } = useQuery(jobResultsQuery(id, page, SIZE))
  if (!data) return <Skeleton active />
  return (
    <>
      <ResultTable
        config={config}
        lines={data.content.map((one) => ({ id: one.recordId, name: one.name, ok: one.ok, message: one.message }))}
      />
      <Pagination
        size="small"
        current={page + 1}
        pageSize={SIZE}
        total={total || data.totalElements}
        showSizeChanger={false}
        showTotal={(count) => t('list.total', { count })}
        onChange={(next) => setPage(next - 1)}
      />
    </>
  )
}
