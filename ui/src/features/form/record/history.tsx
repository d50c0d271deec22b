import { useQuery } from '@tanstack/react-query'
import { Drawer, Empty, Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import type { HistoryPage } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useRowName } from '@/sdk/history-rows'
import { useOpenRecord } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { historyQuery } from '../api'
import styles from '../form.module.css'
import life from '../life/life.module.css'
import { Sources, sourcesQuery } from './sources'

const PickMoment = lazy(() => import('../fields/pick-moment').then((m) => ({ default: m.PickMoment })))

interface HistoryProps {
  schemaCode: string
  sheetCode: string
  id: string
  /** As it is now. */
  version: number | null
  open: boolean
  onClose: () => void
}

/** The name under which the server writes what no person did. */
const SYSTEM = 'system'

type Entry = HistoryPage['content'][number]
type Change = Entry['changes'][number]

/** Who changed what and when, newest first; each entry leads to the record as it was then. */
export function History({ schemaCode, sheetCode, id, version, open, onClose }: HistoryProps) {
  const t = useText()
  const locale = useLocale()
  const { zone } = useTextContext()
  const openRecord = useOpenRecord()
  const history = useQuery({ ...historyQuery(schemaCode, id), enabled: open })
  const sources = useQuery({ ...sourcesQuery(schemaCode, id), enabled: open })
  // Nothing may move under a finger: what is above the entries has its place before they can be pressed.
  const pending = history.isPending || sources.isPending
  const time = new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  const show = (moment: { version: number } | { at: string }) => {
    onClose()
    openRecord({ schemaCode, sheetCode, id, ...moment })
  }
  const entries = pending ? [] : (history.data?.content ?? [])
  return (
    <Drawer open={open} onClose={onClose} title={t('form.history')} size={440}>
      <Sources sources={sources.data ?? []} />
      {pending && <Skeleton active title={false} />}
      {!pending && history.isSuccess && entries.length === 0 && <Empty description={t('form.historyEmpty')} />}
      {entries.length > 0 && (
        <div className={life.moment}>
          <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 1 }} />}>
            <PickMoment onPick={(at) => show({ at })} />
          </Suspense>
        </div>
      )}
      <div className={styles.history}>
        {entries.map((entry) => (
          <article key={entry.id} className={styles.entry}>
            <header>
              {entry.creatorName !== null &&
                `${entry.creatorName === SYSTEM ? t('form.bySystem') : entry.creatorName} · `}
              {what(entry, t)}
              <br />
              {entry.modifiedTime && (
                <time dateTime={entry.modifiedTime}>{time.format(new Date(entry.modifiedTime))}</time>
              )}
            </header>
            {entry.remark && <p>{entry.remark}</p>}
            {(entry.kind === 'update' || entry.kind === 'derive') && <Changes changes={entry.changes} />}
            {entry.kind !== 'delete' && entry.version !== version && (
              <div>
                <button type="button" className={styles.link} onClick={() => show({ version: entry.version })}>
                  {t('life.view')}
                </button>
              </div>
            )}
          </article>
        ))}
      </div>
    </Drawer>
  )
}

function what(entry: Entry, t: ReturnType<typeof useText>): string {
  switch (entry.kind) {
    case 'create':
      return t('form.historyCreate')
    case 'delete':
      return t('form.historyDelete')
    case 'derive':
      return t('form.historyDerive')
    case 'restore':
      return t('life.historyRestore')
  }
  return t('form.historyUpdate', { count: entry.changes.length })
}

function Changes({ changes }: { changes: Change[] }) {
  const locale = useLocale()
  return (
    <dl>
      {changes.map((change) =>
        change.rows?.length ? (
          <Rows key={change.propertyCode} change={change} />
        ) : (
          <FieldChange
            key={change.propertyCode ?? change.name}
            name={localName(change, locale)}
            before={change.beforeValue === null && change.after === null ? undefined : change.beforeValue}
            after={change.afterValue}
          />
        ),
      )}
    </dl>
  )
}

function Rows({ change }: { change: Change }) {
  const t = useText()
  const locale = useLocale()
  const nameOf = useRowName()
  return (
    <>
      <dt>{localName(change, locale)}</dt>
      <dd>{change.afterValue}</dd>
      <dd className={life.rows}>
        {change.rows?.map((row) => (
          <section key={row.id} className={life.row}>
            <strong>
              {nameOf(row)}
              <span className={life.kind} data-kind={row.kind}>
                {t(`life.rowKinds.${row.kind}`)}
              </span>
            </strong>
            {row.changes.length > 0 && (
              <dl>
                {row.changes.map((cell) => (
                  <FieldChange
                    key={cell.propertyCode}
                    name={localName(cell, locale)}
                    before={row.kind === 'create' ? undefined : cell.beforeValue}
                    after={row.kind === 'delete' ? undefined : cell.afterValue}
                  />
                ))}
              </dl>
            )}
          </section>
        ))}
      </dd>
    </>
  )
}

interface FieldChangeProps {
  name: string
  /** Missing: there was nothing to have a value. */
  before: string | null | undefined
  after: string | null | undefined
}

function FieldChange({ name, before, after }: FieldChangeProps) {
  const t = useText()
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {before !== undefined && <del>{before ?? t('form.emptyValue')}</del>}
        {before !== undefined && after !== undefined && ' → '}
        {after !== undefined && <ins style={{ textDecoration: 'none' }}>{after ?? t('form.emptyValue')}</ins>}
      </dd>
    </>
  )
}
