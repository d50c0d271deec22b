import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Button, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { Choice } from '@/components/choice'
import { Notice } from '@/components/notice'
import { OptionDot } from '@/components/option-dot'
import { formatInstant } from '@/lib/dates'
import { usePageTitle } from '@/lib/page-title'
import { useIsPhone } from '@/lib/use-media'
import { useSearch, withParams } from '@/lib/use-search'
import { Failure, Forbidden } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { audits, useMe } from '@/sdk/me'
import { PageHead } from '@/sdk/page-head'
import { Rows } from '@/sdk/rows'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { type AuditFilter, auditQuery, type Entry, exportAudit } from './api'
import styles from './audit.module.css'
import { KINDS, useAuditWords } from './audit-words'

const DAY = 86_400_000

/** The periods that can be chosen, in days. */
const PERIODS = ['1', '7', '30', '90']

/** Who did what to the installation's security, for its administrators. */
export function AuditPage() {
  const t = useText()
  usePageTitle(t('audit.title'))
  const me = useMe()
  if (!me) return null
  if (!audits(me)) return <Forbidden page who={t('audit.forbidden')} />
  return (
    <div className={styles.page}>
      <PageHead icon="eye" title={t('audit.title')} hint={t('audit.hint')} />
      <Log />
    </div>
  )
}

function Log() {
  const t = useText()
  const phone = useIsPhone()
  const [search, setSearch] = useSearch()
  const [opened] = useState(Date.now) // so that a period does not move while its pages are read
  const [kind, days, person] = ['kind', 'days', 'person'].map((name) => search.get(name) ?? undefined)
  const filter: AuditFilter = {
    ...(kind && { kind }),
    ...(person && { person }),
    ...(days && PERIODS.includes(days) && { from: new Date(opened - Number(days) * DAY).toISOString() }),
  }
  const set = (changes: Record<string, string | undefined>) =>
    setSearch((now) => withParams(now, changes), { replace: true })
  const say = useFeedback()
  const exporting = useMutation({ mutationFn: exportAudit })
  const log = useInfiniteQuery(auditQuery(filter))
  const entries = log.data?.pages.flatMap((page) => page.content) ?? []
  const named = entries.flatMap((one) => [one.actor, one.subject]).find((one) => one?.id === person)
  const shown = { entries, onPerson: (id: string) => set({ person: id }) }
  return (
    <>
      <search className={styles.filters}>
        <Kinds value={kind} onChange={(value) => set({ kind: value })} />
        <Choice
          className={styles.filter ?? ''}
          aria-label={t('audit.period')}
          allowClear
          placeholder={t('audit.anyTime')}
          value={days ?? null}
          options={PERIODS.map((value) => ({ value, label: t('audit.lastDays', { count: Number(value) }) }))}
          onChange={(value) => set({ days: value ?? undefined })}
        />
        {person && (
          <Tag closable onClose={() => set({ person: undefined })}>
            {t('audit.of', { name: named?.name || person })}
          </Tag>
        )}
        {entries.length > 0 && (
          <Button
            className={styles.export ?? ''}
            loading={exporting.isPending}
            onClick={() => exporting.mutate(filter, { onError: say.error })}
          >
            {t('audit.export')}
          </Button>
        )}
      </search>
      {log.error && !log.data && <Failure error={log.error} onRetry={log.refetch} />}
      {!log.data && !log.error && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {log.data && entries.length === 0 && (
        <Notice
          icon="clock"
          title={t('audit.empty')}
          actions={
            <Button onClick={() => set({ kind: undefined, days: undefined, person: undefined })}>
              {t('audit.clear')}
            </Button>
          }
        />
      )}
      {entries.length > 0 && (phone ? <Cards {...shown} /> : <Table {...shown} />)}
      {log.hasNextPage && (
        <div className={styles.more}>
          <Button loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('audit.more')}
          </Button>
        </div>
      )}
    </>
  )
}

function Kinds({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const t = useText()
  const words = useAuditWords()
  const options = Object.entries(KINDS).map(([group, kinds]) => ({
    label: t(`audit.groups.${group as keyof typeof KINDS}`),
    options: kinds.map((kind) => ({ value: kind as string, label: words.kind(kind) })),
  }))
  return (
    <Choice
      className={styles.filter ?? ''}
      aria-label={t('audit.kind')}
      allowClear
      placeholder={t('audit.anyKind')}
      value={value ?? null}
      options={options}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}

interface Shown {
  entries: Entry[]
  onPerson: (id: string) => void
}

function Actor({ entry, onPerson }: { entry: Entry; onPerson: (id: string) => void }) {
  const t = useText()
  const words = useAuditWords()
  const of = entry.actor
  if (!of) return <>{words.nobody(entry)}</>
  const name = of.name || of.id
  if (!of.id) return <>{name}</>
  return (
    <button type="button" className={styles.link} title={t('audit.only', { name })} onClick={() => onPerson(of.id)}>
      {name}
    </button>
  )
}

function Outcome({ entry }: { entry: Entry }) {
  const t = useText()
  return <OptionDot label={t(entry.failed ? 'audit.failed' : 'audit.done')} color={entry.failed ? 'red' : 'green'} />
}

function Table({ entries, onPerson }: Shown) {
  const t = useText()
  const words = useAuditWords()
  const context = useTextContext()
  return (
    <Rows
      label={t('audit.title')}
      rows={entries}
      id={(entry) => String(entry.id)}
      bad={(entry) => entry.failed}
      columns={[
        {
          title: t('audit.time'),
          of: (entry) => (
            <time dateTime={entry.time} className="tabular">
              {formatInstant(entry.time, 'yyyy-MM-dd HH:mm:ss', context)}
            </time>
          ),
        },
        { title: t('audit.who'), of: (entry) => <Actor entry={entry} onPerson={onPerson} /> },
        { title: t('audit.kind'), main: true, of: (entry) => words.kind(entry.kind) },
        { title: t('audit.subject'), wide: true, of: (entry) => words.about(entry) },
        { title: t('audit.address'), of: (entry) => <span className="tabular">{words.address(entry)}</span> },
        { title: t('audit.outcome'), of: (entry) => <Outcome entry={entry} /> },
      ]}
    />
  )
}

/** The same on a phone. */
function Cards({ entries, onPerson }: Shown) {
  const words = useAuditWords()
  const context = useTextContext()
  return (
    <ul className={styles.cards}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <div>
            <strong>{words.kind(entry.kind)}</strong>
            <Outcome entry={entry} />
          </div>
          <p>
            <Actor entry={entry} onPerson={onPerson} />
          </p>
          {words.about(entry) && <p>{words.about(entry)}</p>}
          <p>
            {[formatInstant(entry.time, 'yyyy-MM-dd HH:mm:ss', context), words.address(entry)]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  )
}
