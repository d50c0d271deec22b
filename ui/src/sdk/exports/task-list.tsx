import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Input, Skeleton } from 'antd'
import { useState } from 'react'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { formatInstant } from '@/lib/dates'
import { useErrorText } from '@/sdk/error-text'
import { Pages } from '@/sdk/pages'
import { useTextContext } from '@/sdk/system'
import { type ExportTask, hasFailed, isOver, sizeText, tasksQuery, wasCanceled } from './api'
import styles from './export.module.css'
import { Lacks } from './lacks'
import { TaskTools } from './task-tools'
import { useExportText } from './texts'
import { aheadOf, POLL } from './watch'

const SIZES = [10, 20, 50, 100]
const USUAL = 20

/** The reader's exports with their files, newest first. */
export function TaskList() {
  const t = useExportText()
  const context = useTextContext()
  const errorText = useErrorText()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState({ name: '', page: 0, size: USUAL })
  const { data, error, isPending } = useQuery({
    ...tasksQuery(asked.name, asked.page, asked.size),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.content.some((task) => !isOver(task)) ? POLL : false),
  })
  const search = (name: string) => setAsked((now) => ({ ...now, name: name.trim(), page: 0 }))
  const empty = data?.totalElements === 0
  return (
    <div className={styles.records}>
      <Input.Search
        allowClear
        className={styles.search ?? ''}
        placeholder={t('search')}
        aria-label={t('search')}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        onSearch={search}
      />
      {error && <p role="alert">{errorText(error)}</p>}
      {isPending && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
      {empty && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={asked.name ? t('nothingFound') : t('nothing')}
          className={styles.empty ?? ''}
        >
          {asked.name && (
            <Button
              onClick={() => {
                setTyped('')
                search('')
              }}
            >
              {t('clear')}
            </Button>
          )}
        </Empty>
      )}
      {data && !empty && (
        <>
          <div className={styles.tableBox}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th className={styles.right}>{t('columns.number')}</th>
                  <th>{t('columns.name')}</th>
                  <th className={styles.right}>{t('columns.size')}</th>
                  <th>{t('columns.model')}</th>
                  <th>{t('columns.time')}</th>
                  <th>{t('columns.state')}</th>
                  <th>{t('columns.operation')}</th>
                </tr>
              </thead>
              <tbody>
                {data.content.map((task, i) => (
                  <tr key={task.id}>
                    <td className={styles.right}>{asked.page * asked.size + i + 1}</td>
                    <td className={styles.file}>
                      {task.name}
                      <Lacks task={task} />
                    </td>
                    <td className={styles.right}>{task.taskStatus === 'END' ? sizeText(task.fileSize) : ''}</td>
                    <td>{task.schemaName}</td>
                    <td className="tabular">
                      {formatInstant(task.endTime ?? task.createdTime, 'yyyy-MM-dd HH:mm:ss', context)}
                    </td>
                    <td className={styles.words}>
                      <State task={task} />
                    </td>
                    <td>
                      <TaskTools task={task} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Pages
            size="small"
            className={styles.pages ?? ''}
            current={asked.page + 1}
            pageSize={asked.size}
            total={data.totalElements}
            pageSizeOptions={SIZES}
            showSizeChanger
            showQuickJumper
            showTotal={(count) => t('total', { count })}
            onChange={(page, size) => setAsked((now) => ({ ...now, page: size === now.size ? page - 1 : 0, size }))}
          />
        </>
      )}
    </div>
  )
}

const kinds = { INIT: 'wait', RUN: 'run', END: 'good', FAIL: 'bad', EXCEPTION: 'bad', CHECK_ERROR: 'wait' } as const

/** The state in a word; why something failed is behind it. */
function State({ task }: { task: ExportTask }) {
  const t = useExportText()
  const check = task.taskStatus === 'CHECK_ERROR'
  const why = hasFailed(task) ? (task.error?.message ?? (check ? t('checkError') : null)) : null
  const share = task.taskStatus === 'RUN' && task.total > 0 ? ` ${Math.floor((task.done / task.total) * 100)}%` : ''
  const ahead = aheadOf(task)
  const words = (
    <span className={styles.state} data-kind={wasCanceled(task) ? 'wait' : kinds[task.taskStatus]}>
      <span>
        {wasCanceled(task) ? t('canceled') : t(`states.${task.taskStatus}`)}
        {share}
      </span>
      {ahead > 0 && <small>{t('ahead', { count: ahead })}</small>}
      {check && <Icon name="alert" size={14} />}
    </span>
  )
  return why ? (
    <>
      <Hint title={why}>{words}</Hint>
      <span className="visually-hidden">{why}</span>
    </>
  ) : (
    words
  )
}
