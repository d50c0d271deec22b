import { useQuery } from '@tanstack/react-query'
import { Empty, Modal } from 'antd'
import { Fragment, useState } from 'react'
import type { FieldPlan, HistoryPage } from '@/api/types'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { useReturnFocus } from '@/lib/return-focus'
import { propertyUI } from '@/registry/properties'
import type { ActionDialogProps } from '@/sdk/action'
import { useErrorText } from '@/sdk/error-text'
import { useRowName } from '@/sdk/history-rows'
import { Pages } from '@/sdk/pages'
import { isEmptyValue } from '@/sdk/property'
import { useOpenRecord } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { SkeletonRows } from '../components/list-skeleton'
import { trackQuery } from '../data/queries'
import type { ListController } from '../use-list-controller'
import styles from './track-dialog.module.css'

const SIZE = 10

type Change = HistoryPage['content'][number]['changes'][number]

/** What was changed, when and by whom: in one record, or in all that are ticked, each with a link to it. */
export function TrackDialog({ context: pressed, onClose: close }: ActionDialogProps<ListController>) {
  useReturnFocus()
  const t = useText()
  const context = useTextContext()
  const errorText = useErrorText()
  const openRecord = useOpenRecord()
  const [page, setPage] = useState(0)
  const { schemaCode, sheetCode, queryCode, rows } = pressed
  const single = rows.length === 1
  const ids = rows.map((row) => row.id)
  const { data, error } = useQuery(trackQuery(schemaCode, ids, page, SIZE))
  const open = (id: string) => {
    close()
    openRecord({ schemaCode, sheetCode: sheetCode ?? null, queryCode, id })
  }
  return (
    <Modal
      open
      width={`min(${single ? 640 : 800}px, 94vw)`}
      footer={null}
      onCancel={close}
      title={single ? t('table.track') : t('table.trackOf', { count: rows.length })}
    >
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <SkeletonRows rows={6} />}
      {data?.totalElements === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('table.noTrack')} />}
      <div className={styles.entries}>
        {data?.content.map((entry) => (
          <article key={entry.id} className={styles.entry}>
            <header>
              {!single && (
                <button type="button" className={styles.title} onClick={() => open(entry.bizObjectId)}>
                  {entry.title ?? t('list.unnamed')}
                </button>
              )}
              <strong>{t(`table.kinds.${entry.kind ?? 'update'}`)}</strong>
              <span>
                {[
                  entry.creatorName,
                  entry.departmentName,
                  entry.modifiedTime && formatInstant(entry.modifiedTime, 'yyyy-MM-dd HH:mm:ss', context),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </header>
            {entry.changes.length > 0 && <Changes changes={entry.changes} fields={data.fields} />}
          </article>
        ))}
      </div>
      {data && data.totalElements > SIZE && (
        <div className={styles.foot}>
          <Pages
            size="small"
            current={page + 1}
            pageSize={SIZE}
            total={data.totalElements}
            showSizeChanger={false}
            showTotal={(count) => t('list.total', { count })}
            onChange={(next) => setPage(next - 1)}
          />
        </div>
      )}
    </Modal>
  )
}

function Changes({ changes, fields }: { changes: Change[]; fields: HistoryPage['fields'] }) {
  const t = useText()
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th>{t('table.field')}</th>
          <th>{t('table.before')}</th>
          <th>{t('table.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) =>
          change.rows?.length ? (
            <RowChanges key={change.propertyCode} change={change} fields={fields} />
          ) : (
            <Line key={change.propertyCode ?? change.name} change={change} fields={fields} />
          ),
        )}
      </tbody>
    </table>
  )
}

function Line({ change, fields }: { change: Change; fields: HistoryPage['fields'] }) {
  const t = useText()
  const locale = useLocale()
  const field = fields[change.propertyCode ?? '']
  return (
    <tr>
      <th scope="row">{localName(change, locale)}</th>
      <td>
        <Side value={change.before} words={change.beforeValue} field={field} />
      </td>
      <td>
        <Side value={change.after} words={change.afterValue} field={field} />
        {change.trend && (
          <span
            className={styles.trend}
            data-trend={change.trend}
            role="img"
            aria-label={t(`table.trends.${change.trend}`)}
            title={t(`table.trends.${change.trend}`)}
          >
            <Icon name={change.trend === 'up' ? 'arrowUp' : 'arrowDown'} size={14} />
          </span>
        )}
      </td>
    </tr>
  )
}

/** The rows of a sub-table that were added, changed or removed, with their cells. */
function RowChanges({ change, fields }: { change: Change; fields: HistoryPage['fields'] }) {
  const t = useText()
  const locale = useLocale()
  const nameOf = useRowName()
  return (
    <>
      {change.rows?.map((row) => (
        <Fragment key={row.id}>
          <tr>
            <th scope="rowgroup" colSpan={3} className={styles.row}>
              {localName(change, locale)} · {nameOf(row)}
              <span data-kind={row.kind}>{t(`life.rowKinds.${row.kind}`)}</span>
            </th>
          </tr>
          {row.changes.map((cell) => (
            <Line key={cell.propertyCode} change={cell} fields={fields} />
          ))}
        </Fragment>
      ))}
    </>
  )
}

/** One side of a change, drawn by its property where that says more than words: files, tags, people. */
function Side({ value, words, field }: { value: unknown; words: string | null; field: FieldPlan | undefined }) {
  const t = useText()
  const Read = field && propertyUI(field.propertyType).ReadValue
  if (Read && !isEmptyValue(value)) return <Read value={value} field={field} />
  return words ? <span>{words}</span> : <span className={styles.nothing}>{t('table.nothing')}</span>
}
