import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ListConfig } from '@/api/types'
import { Icon } from '@/components/icon'
import { jobResultsQuery } from '@/sdk/jobs'
import { Pages } from '@/sdk/pages'
import { recordPath } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import type { BulkOutcome } from './api'
import styles from './bulk.module.css'

interface Line {
  id: string
  name: string
  ok: boolean
  /** Of one that was done: not 0 = something else is wrong with it, which the message says. */
  code: number
  message: string
}

const look = ({ ok, code }: Line) => (ok ? (code === 0 ? 'good' : 'warn') : 'bad')
const RANK = { bad: 0, warn: 1, good: 2 }

const SIZE = 20

interface HeadProps {
  success: number
  /** Of those that were done. */
  warned: number
  failed: number
  onlyFailed: boolean
  onChange: (on: boolean) => void
}

function Head({ success, warned, failed, onlyFailed, onChange }: HeadProps) {
  const t = useText()
  return (
    <div className={styles.resultHead}>
      <span>{t(warned > 0 ? 'bulk.partlyWarned' : 'bulk.partly', { success, warned, failed })}</span>
      {failed > 0 && success > 0 && (
        <Button
          size="small"
          type={onlyFailed ? 'primary' : 'default'}
          aria-pressed={onlyFailed}
          onClick={() => onChange(!onlyFailed)}
        >
          {t('bulk.onlyFailed')}
        </Button>
      )}
    </div>
  )
}

interface LinesProps {
  config: ListConfig
  lines: Line[]
  page: number
  total: number
  onPage: (page: number) => void
}

function Lines({ config, lines, page, total, onPage }: LinesProps) {
  const t = useText()
  return (
    <>
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
                <td className={styles[look(line)] ?? ''}>
                  <Icon name={look(line) === 'good' ? 'check' : 'alert'} size={14} />{' '}
                  {look(line) === 'warn'
                    ? t('bulk.okBut', { message: line.message })
                    : line.ok
                      ? t('bulk.ok')
                      : line.message}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > SIZE && (
        <Pages
          size="small"
          align="end"
          current={page + 1}
          pageSize={SIZE}
          total={total}
          showSizeChanger={false}
          showTotal={(count) => t('list.total', { count })}
          onChange={(next) => onPage(next - 1)}
        />
      )}
    </>
  )
}

/** What became of each record that a request named; the failures stand first, then what has other faults. */
export function OutcomeResults({ config, outcome }: { config: ListConfig; outcome: BulkOutcome }) {
  const [onlyFailed, setOnlyFailed] = useState(false)
  const [page, setPage] = useState(0)
  const shown = outcome.results
    .filter((one) => !onlyFailed || !one.ok)
    .map(({ objectId, ...rest }) => ({ id: objectId, ...rest }))
    .sort((a, b) => RANK[look(a)] - RANK[look(b)])
  return (
    <div className={styles.fields}>
      <Head
        success={outcome.successCount}
        warned={outcome.warnCount}
        failed={outcome.failCount}
        onlyFailed={onlyFailed}
        onChange={(on) => {
          setOnlyFailed(on)
          setPage(0)
        }}
      />
      <Lines
        config={config}
        lines={shown.slice(page * SIZE, (page + 1) * SIZE)}
        page={page}
        total={shown.length}
        onPage={setPage}
      />
    </div>
  )
}

interface JobResultsProps {
  config: ListConfig
  id: string
  done: number
  warned: number
}

/** The same of a job, page by page in the order of its work. */
export function JobResults({ config, id, done, warned }: JobResultsProps) {
  const [onlyFailed, setOnlyFailed] = useState(false)
  const [page, setPage] = useState(0)
  const { data } = useQuery(jobResultsQuery(id, onlyFailed, page, SIZE))
  const failures = useQuery(jobResultsQuery(id, true, 0, SIZE)).data
  if (!data || !failures) return <Skeleton active title={false} />
  return (
    <>
      <Head
        success={done - failures.totalElements}
        warned={warned}
        failed={failures.totalElements}
        onlyFailed={onlyFailed}
        onChange={(on) => {
          setOnlyFailed(on)
          setPage(0)
        }}
      />
      <Lines
        config={config}
        lines={data.content.map(({ recordId, ...rest }) => ({ id: recordId, ...rest }))}
        page={page}
        total={data.totalElements}
        onPage={setPage}
      />
    </>
  )
}
