import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { Link } from 'react-router'
import { OptionDot } from '@/components/option-dot'
import { useLocale } from '@/i18n/locale'
import { usePageTitle } from '@/lib/page-title'
import { Forbidden } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { audits, maintains, useMe } from '@/sdk/me'
import { PageHead } from '@/sdk/page-head'
import { Rows } from '@/sdk/rows'
import { useText } from '@/sdk/use-text'
import {
  channelsQuery,
  type Delivery,
  type Document,
  documentsQuery,
  failuresQuery,
  type Node,
  nodesQuery,
  queuesQuery,
  retryDelivery,
  storageQuery,
} from './api'
import { ChannelTypes } from './channel-types'
import styles from './operation.module.css'
import { bytes, Moment, Section } from './parts'

/** How the installation is: its nodes, what waits, what goes wrong and how much room it takes. It keeps itself true. */
export function OperationPage() {
  const t = useText()
  usePageTitle(t('operation.title'))
  const me = useMe()
  if (!me) return null
  if (!audits(me)) return <Forbidden page who={t('operation.forbidden')} />
  return (
    <div className={styles.page}>
      <PageHead icon="chart" title={t('operation.title')} hint={t('operation.hint')} />
      <ul className={styles.links}>
        {maintains(me) && (
          <li>
            <Link to="/tasks/all">{t('operation.tasks')}</Link>
          </li>
        )}
        <li>
          <Link to="/audit">{t('operation.audit')}</Link>
        </li>
        <li>
          <Link to="/system/errors">{t('codes.title')}</Link>
        </li>
      </ul>
      <Parts publishes={me.permissions.includes('ADMIN')} />
    </div>
  )
}

/** The parts are shown from above to below: each has its place when it can be pressed. */
function Parts({ publishes }: { publishes: boolean }) {
  const nodes = useQuery(nodesQuery)
  const queues = useQuery(queuesQuery)
  const channels = useQuery(channelsQuery)
  const failures = useQuery(failuresQuery)
  const documents = useQuery({ ...documentsQuery, enabled: publishes })
  const first = nodes.isPending || documents.isLoading
  const wait = first || queues.isPending
  return (
    <>
      <Nodes />
      {documents.data && <Documents documents={documents.data} waits={nodes.isPending} />}
      <Queues waits={first} />
      <ChannelParts waits={wait || failures.isPending} />
      <StoragePart waits={wait || failures.isPending || channels.isPending} />
    </>
  )
}

const stateOf = (node: Node) => (node.silent ? 'silent' : node.filesAway ? 'filesAway' : 'live')

function Nodes() {
  const t = useText()
  const query = useQuery(nodesQuery)
  return (
    <Section title={t('operation.nodes')} query={query}>
      {(nodes) => (
        <>
          <Rows
            label={t('operation.nodes')}
            rows={nodes}
            id={(node) => node.id}
            bad={(node) => stateOf(node) !== 'live'}
            columns={[
              {
                title: t('operation.node'),
                main: true,
                of: (node) => (
                  <span>
                    {node.name}
                    {node.here && <span className={styles.mark}>{t('operation.here')}</span>}
                  </span>
                ),
              },
              {
                title: t('operation.state'),
                of: (node) => (
                  <OptionDot
                    label={t(`operation.${stateOf(node)}`)}
                    color={stateOf(node) === 'live' ? 'green' : 'red'}
                  />
                ),
              },
              { title: t('operation.version'), of: (node) => node.version },
              { title: t('operation.workers'), figure: true, of: (node) => node.workers },
              { title: t('operation.started'), of: (node) => <Moment at={node.startedTime} /> },
              { title: t('operation.seen'), of: (node) => <Moment at={node.seenTime} /> },
            ]}
          />
          <Work nodes={nodes} />
          <Errors nodes={nodes} />
        </>
      )}
    </Section>
  )
}

const KINDS = ['index', 'statistics', 'formulas', 'names'] as const

const kindOf = (kind: string) => KINDS.find((one) => one === kind) ?? 'other'

function Work({ nodes }: { nodes: Node[] }) {
  const t = useText()
  const rows = nodes.flatMap((node) => node.working.map((work) => ({ node: node.name, ...work })))
  return (
    <>
      <h3>{t('operation.background')}</h3>
      {rows.length === 0 ? (
        <p className={styles.none}>{t('operation.noBackground')}</p>
      ) : (
        <Rows
          label={t('operation.background')}
          rows={rows}
          id={(row) => `${row.node}/${row.kind}/${row.name}/${row.startedTime}`}
          columns={[
            { title: t('operation.work'), main: true, of: (row) => t(`operation.works.${kindOf(row.kind)}`) },
            { title: t('operation.name'), wide: true, of: (row) => row.name },
            {
              title: t('operation.done'),
              figure: true,
              of: (row) => (row.total ? `${row.done} / ${row.total}` : row.done),
            },
            { title: t('operation.node'), of: (row) => row.node },
            { title: t('operation.started'), of: (row) => <Moment at={row.startedTime} /> },
          ]}
        />
      )}
    </>
  )
}

/** Documents that are set aside or differ from what is served, and what can be done; nothing where all agree. */
function Documents({ documents, waits }: { documents: Document[]; waits: boolean }) {
  const t = useText()
  const locale = useLocale() === 'zh' ? 'zh' : 'en'
  const rows = documents.flatMap(({ pack, path, warnings }) =>
    warnings.map((one) => ({ ...one, document: `${pack}/${path}` })),
  )
  if (waits || rows.length === 0) return null
  return (
    <section className={styles.section} aria-label={t('operation.documents')}>
      <h2>{t('operation.documents')}</h2>
      <Rows
        label={t('operation.documents')}
        rows={rows}
        id={(row) => `${row.document}:${row.line}:${row.column} ${row.code} ${row.en}`}
        columns={[
          { title: t('operation.document'), main: true, of: (row) => row.document },
          {
            title: t('operation.says'),
            wide: true,
            of: (row) => (
              <span>
                {row[locale]}
                {row.repair[locale] && <span className={styles.more}>{row.repair[locale]}</span>}
              </span>
            ),
          },
          { title: t('operation.code'), of: (row) => row.code },
        ]}
      />
    </section>
  )
}

function Errors({ nodes }: { nodes: Node[] }) {
  const t = useText()
  const rows = nodes
    .flatMap((node) => node.errors.map((error, at) => ({ node: node.name, id: `${node.id}/${at}`, ...error })))
    .sort((a, b) => b.time.localeCompare(a.time))
  return (
    <>
      <h3>{t('operation.errors')}</h3>
      {rows.length === 0 ? (
        <p className={styles.none}>{t('operation.noErrors')}</p>
      ) : (
        <Rows
          label={t('operation.errors')}
          rows={rows.slice(0, 20)}
          id={(row) => row.id}
          columns={[
            { title: t('operation.time'), of: (row) => <Moment at={row.time} /> },
            {
              title: t('operation.error'),
              wide: true,
              main: true,
              of: (row) => (
                <span>
                  {row.text}
                  {row.detail && <span className={styles.more}>{row.detail}</span>}
                </span>
              ),
            },
            { title: t('operation.node'), of: (row) => row.node },
          ]}
        />
      )}
    </>
  )
}

function Queues({ waits }: { waits: boolean }) {
  const t = useText()
  const query = useQuery(queuesQuery)
  return (
    <Section title={t('operation.queues')} query={query} waits={waits}>
      {(queues) =>
        queues.length === 0 ? (
          <p className={styles.none}>{t('operation.noQueues')}</p>
        ) : (
          <Rows
            label={t('operation.queues')}
            rows={queues}
            id={(queue) => queue.kind}
            bad={(queue) => queue.failed > 0}
            columns={[
              {
                title: t('operation.kind'),
                wide: true,
                main: true,
                of: (queue) => (
                  <span>
                    {queue.title || queue.kind}
                    {queue.title && <span className={styles.mark}>{queue.kind}</span>}
                  </span>
                ),
              },
              { title: t('operation.waiting'), figure: true, of: (queue) => queue.queued },
              { title: t('operation.running'), figure: true, of: (queue) => queue.running },
              { title: t('operation.failed'), figure: true, of: (queue) => queue.failed },
              { title: t('operation.oldest'), of: (queue) => <Moment at={queue.oldestTime} /> },
            ]}
          />
        )
      }
    </Section>
  )
}

function ChannelParts({ waits }: { waits: boolean }) {
  const t = useText()
  const query = useQuery(channelsQuery)
  const failures = useQuery(failuresQuery)
  return (
    <Section title={t('operation.channels')} query={query} waits={waits}>
      {({ channels, types }) => (
        <>
          <Rows
            label={t('operation.channels')}
            rows={channels}
            id={(channel) => channel.name}
            bad={(channel) => channel.open && Boolean(channel.error)}
            columns={[
              { title: t('operation.channel'), main: true, of: (channel) => t(`operation.${channel.name}`) },
              {
                title: t('operation.state'),
                of: ({ open, error }) => (
                  <OptionDot
                    label={t(!open ? 'operation.off' : error ? 'operation.failing' : 'operation.on')}
                    color={!open ? 'gray' : error ? 'red' : 'green'}
                  />
                ),
              },
              { title: t('operation.to'), wide: true, of: (channel) => channel.to },
              { title: t('operation.waiting'), figure: true, of: (channel) => channel.waiting },
              { title: t('operation.dead'), figure: true, of: (channel) => channel.dead },
              { title: t('operation.oldest'), of: (channel) => <Moment at={channel.oldestTime} /> },
              { title: t('operation.error'), wide: true, of: (channel) => channel.error },
            ]}
          />
          {failures.data && failures.data.totalElements > 0 && (
            <Failures rows={failures.data.content} total={failures.data.totalElements} types={types} />
          )}
          <ChannelTypes data={{ channels, types }} />
        </>
      )}
    </Section>
  )
}

interface FailuresProps {
  rows: Delivery[]
  total: number
  types: { messageType: number; name: string; name_i18n: Record<string, string> }[]
}

/** Messages that could not be sent. What they say is their recipient's alone. */
function Failures({ rows, total, types }: FailuresProps) {
  const t = useText()
  const client = useQueryClient()
  const feedback = useFeedback()
  const again = useMutation({
    mutationFn: retryDelivery,
    onSettled: () => client.invalidateQueries({ queryKey: ['operation'] }),
    onError: feedback.error,
  })
  const locale = t('operation.locale')
  const name = (type: number) => {
    const of = types.find((one) => one.messageType === type)
    return (locale === 'en' && of?.name_i18n.en) || of?.name || String(type)
  }
  return (
    <>
      <h3>{t('operation.failures', { count: total })}</h3>
      <Rows
        label={t('operation.failures', { count: total })}
        rows={rows}
        id={(row) => row.id}
        columns={[
          { title: t('operation.time'), of: (row) => <Moment at={row.createdTime} /> },
          { title: t('operation.channel'), of: (row) => t(`operation.${row.channel}`) },
          { title: t('operation.type'), of: (row) => name(row.messageType) },
          { title: t('operation.recipient'), main: true, of: (row) => row.recipient.name || row.recipient.id },
          { title: t('operation.attempts'), figure: true, of: (row) => row.attempts },
          { title: t('operation.error'), wide: true, of: (row) => row.error },
          {
            title: t('operation.again'),
            of: (row) => (
              <Button
                size="small"
                loading={again.isPending && again.variables === row.id}
                onClick={() => again.mutate(row.id)}
              >
                {t('operation.send')}
              </Button>
            ),
          },
        ]}
      />
    </>
  )
}

function StoragePart({ waits }: { waits: boolean }) {
  const t = useText()
  const query = useQuery(storageQuery)
  return (
    <Section title={t('operation.storage')} query={query} waits={waits}>
      {({ database, bytes: size, freeBytes, tables, files, fileBytes, kept, measuredTime }) => (
        <>
          <p className={styles.none}>
            {t('operation.sizes', {
              database: database === 'postgres' ? 'PostgreSQL' : 'SQLite',
              size: bytes(size),
              free: bytes(freeBytes),
              files,
              fileSize: bytes(fileBytes),
            })}
          </p>
          {tables.length > 0 && (
            <Rows
              label={t('operation.tables')}
              rows={tables.slice(0, 20)}
              id={(table) => table.table}
              columns={[
                {
                  title: t('operation.table'),
                  wide: true,
                  main: true,
                  of: (table) => (
                    <span>
                      {table.name || table.table}
                      {table.name && <span className={styles.mark}>{table.table}</span>}
                    </span>
                  ),
                },
                { title: t('operation.size'), figure: true, of: (table) => bytes(table.bytes) },
                ...(tables.some((table) => table.rows !== null)
                  ? [{ title: t('operation.rows'), figure: true, of: (table: { rows: number | null }) => table.rows }]
                  : []),
              ]}
            />
          )}
          {kept.map(({ pack, tables, records }) => (
            <p key={pack} className={styles.hint}>
              {t('operation.kept', { pack, count: tables, records })}
            </p>
          ))}
          <p className={styles.note}>
            {t('operation.measured')} <Moment at={measuredTime} />
          </p>
        </>
      )}
    </Section>
  )
}
