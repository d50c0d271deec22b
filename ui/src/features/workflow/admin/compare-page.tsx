import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Link, useParams } from 'react-router'
import { Notice } from '@/components/notice'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { useRowName } from '@/sdk/history-rows'
import { trackPath } from '@/sdk/work-items'
import type { Opinion } from '../api'
import { useOperation } from '../task/operation'
import { useFlowWords } from '../task/words'
import { type Change, comparedQuery, type Write } from './admin-api'
import styles from './compare.module.css'

/** What a step of an instance's log changed in its record. */
export function ComparePage() {
  const { logid = '', workflowInstanceId = '', workItemId } = useParams()
  const task = workItemId === '-' ? undefined : workItemId
  const words = useFlowWords()
  const { t } = words
  const { data, error, refetch } = useQuery(comparedQuery(workflowInstanceId, Number(logid), task))
  const title = data ? t('flowAdmin.compareHead', { name: data.instance.instanceName }) : t('flowAdmin.compareTitle')
  usePageTitle(title)
  if (error && !data) return <Failure page error={error} onRetry={refetch} />
  if (!data)
    return (
      <div className={styles.page}>
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      </div>
    )
  const changes = data.writes.flatMap((write) => write.changes.map((change) => ({ write, change })))
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        <Link to={trackPath(workflowInstanceId, workItemId)}>{t('flowAdmin.compareBack')}</Link>
      </header>
      <Step entry={data.entry} />
      {changes.length === 0 ? (
        <Notice icon="eye" title={t('flowAdmin.nothingShown')} note={t('flowAdmin.nothingShownText')} />
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{t('flowAdmin.field')}</th>
              <th>{t('flowAdmin.before')}</th>
              <th>{t('flowAdmin.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ write, change }) => (
              <ChangeRows key={`${write.id}/${change.propertyCode ?? change.name}`} write={write} change={change} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

/** Who did what at which node, and when. */
function Step({ entry }: { entry: Opinion }) {
  const words = useFlowWords()
  const operation = useOperation()
  return (
    <>
      <p className={styles.facts}>
        {[
          entry.person?.name ?? words.t('flow.system'),
          operation(entry.operation),
          words.activity(entry),
          words.time(entry.time),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {entry.opinion && <p className={styles.opinion}>{entry.opinion}</p>}
    </>
  )
}

function ChangeRows({ write, change }: { write: Write; change: Change }) {
  const words = useFlowWords()
  const { t, locale } = words
  const nameOf = useRowName()
  const name = localName({ name: change.name, name_i18n: change.name_i18n ?? {} }, locale)
  if (!change.rows?.length)
    return (
      <tr>
        <th scope="row">{name}</th>
        <Value text={change.beforeValue} there={write.kind !== 'create'} />
        <Value text={change.afterValue} there />
      </tr>
    )
  return (
    <>
      <tr className={styles.sheet}>
        <th scope="rowgroup" colSpan={3}>
          {name}
        </th>
      </tr>
      {change.rows.map((row) => (
        <RowChange key={row.id} title={`${nameOf(row)} ${t(`life.rowKinds.${row.kind}`)}`} row={row} />
      ))}
    </>
  )
}

function RowChange({ title, row }: { title: string; row: NonNullable<Change['rows']>[number] }) {
  const { locale } = useFlowWords()
  return (
    <>
      <tr className={styles.row} data-kind={row.kind}>
        <th scope="rowgroup" colSpan={3}>
          {title}
        </th>
      </tr>
      {row.changes.map((cell) => (
        <tr key={cell.propertyCode} className={styles.cell}>
          <th scope="row">{localName({ name: cell.name, name_i18n: cell.name_i18n ?? {} }, locale)}</th>
          <Value text={cell.beforeValue} there={row.kind !== 'create'} />
          <Value text={cell.afterValue} there={row.kind !== 'delete'} />
        </tr>
      ))}
    </>
  )
}

/** A value in words; one that was not there at all is left out. */
function Value({ text, there }: { text: string | null; there: boolean }) {
  const { t } = useFlowWords()
  return <td>{there && (text ?? <span className={styles.none}>{t('form.emptyValue')}</span>)}</td>
}
