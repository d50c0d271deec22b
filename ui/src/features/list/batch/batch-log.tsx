import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Pagination, Skeleton } from 'antd'
import { useState } from 'react'
import { post } from '@/api/client'
import type { ListConfig } from '@/api/types'
import { Avatar } from '@/components/avatar'
import { formatInstant } from '@/lib/dates'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { type BatchLogEntry, logQuery } from '../bulk/api'
import styles from '../bulk/bulk.module.css'
import type { Finish } from '../bulk/bulk-change'

const SIZE = 10

/** The batch updates of a model, newest first, each with its undo. */
export function BatchLog({ config, onFinish }: { config: ListConfig; onFinish: Finish }) {
  const t = useText()
  const say = useFeedback()
  const context = useTextContext()
  const errorText = useErrorText()
  const [page, setPage] = useState(0)
  const { data, error } = useQuery(logQuery(config.schemaCode, page, SIZE))
  const undo = (entry: BatchLogEntry) =>
    say.modal.confirm({
      title: t('bulk.undoTitle'),
      content: t('bulk.undoText'),
      okText: t('bulk.undo'),
      cancelText: t('common.cancel'),
      onOk: async () => {
        try {
          const outcome = await post('/api/runtime/batch/undo', { logId: entry.id })
          onFinish(outcome, t('bulk.undone', { count: outcome.successCount }))
        } catch (error) {
          say.error(error)
        }
      },
    })
  if (error && !data) return <p role="alert">{errorText(error)}</p>
  if (!data) return <Skeleton active title={false} />
  if (data.totalElements === 0) return <Empty description={t('bulk.logEmpty')} />
  return (
    <div className={styles.fields}>
      <div className={styles.scroll}>
        <table className={`${styles.table} ${styles.log}`}>
          <thead>
            <tr>
              <th>{t('bulk.logTime')}</th>
              <th>{t('bulk.logUser')}</th>
              <th>{t('bulk.logField')}</th>
              <th>{t('bulk.logValue')}</th>
              <th>{t('bulk.logResult')}</th>
              <th aria-label={t('bulk.undo')} />
            </tr>
          </thead>
          <tbody>
            {data.content.map((entry) => (
              <tr key={entry.id}>
                <td className="tabular">{formatInstant(entry.createdTime, 'yyyy-MM-dd HH:mm', context)}</td>
                <td>
                  <Avatar name={entry.userName} src={entry.imgUrl} /> {entry.userName}
                </td>
                <td>{entry.propertyName}</td>
                <td>{entry.modifiedValue}</td>
                <td>
                  {t('bulk.logCounts', { total: entry.total, success: entry.successCount, failed: entry.failCount })}
                  {entry.undoneCount > 0 && <div>{t('bulk.undoneOf', { count: entry.undoneCount })}</div>}
                </td>
                <td>
                  {entry.undoable && (
                    <Button size="small" onClick={() => undo(entry)}>
                      {t('bulk.undo')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pagination
        size="small"
        hideOnSinglePage
        current={page + 1}
        pageSize={SIZE}
        total={data.totalElements}
        showSizeChanger={false}
        onChange={(next) => setPage(next - 1)}
      />
    </div>
  )
}
