import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { OptionDot, OptionTag } from '@/components/option-dot'
import { usePageTitle } from '@/lib/page-title'
import { useHasCards } from '@/lib/use-media'
import { Failure } from '@/sdk/failure'
import { lostOf } from '@/sdk/lost'
import { administersWorkflows, useMe } from '@/sdk/me'
import { Rows } from '@/sdk/rows'
import { trackPath } from '@/sdk/work-items'
import { rehearsalPath } from '../api'
import { useListSearch } from '../center/use-search'
import { type FlowWords, useFlowWords } from '../task/words'
import frame from '../workflow.module.css'
import {
  type Fitting,
  type RunningVersion,
  type VersionCount,
  versionCountsQuery,
  versionsPath,
  versionsQuery,
} from './admin-api'
import { Findings } from './findings'
import { MigrateDialog } from './migrate-dialog'
import { Misfits } from './misfits'
import styles from './versions.module.css'

/** Which versions of workflows run, for those who administer workflows; the others are sent to their tasks. */
export function VersionsPage() {
  const me = useMe()
  if (!me) return null
  if (!administersWorkflows(me)) return <Navigate to="/workflow-center/my-unfinished-workitem" replace />
  return <Workflows />
}

function Workflows() {
  const words = useFlowWords()
  const { t } = words
  const search = useListSearch('versions')
  const code = search.text('workflowCode')
  const { data, error, refetch } = useQuery(versionCountsQuery)
  const one = data?.find(({ workflowCode }) => workflowCode === code)
  const title = code && one ? t('flowVersions.titleOf', { name: words.name(one) }) : t('workflow.versions')
  usePageTitle(title)
  const options = (data ?? []).map((of) => ({ value: of.workflowCode, label: words.name(of) }))
  if (code && !one) options.unshift({ value: code, label: code })
  return (
    <Versions
      key={code ?? ''}
      code={code}
      head={
        <>
          <header className={frame.head}>
            <h1>{title}</h1>
            {code && <Link to={rehearsalPath(code)}>{t('rehearsal.open')}</Link>}
          </header>
          <p className={styles.note}>{t('flowVersions.text')}</p>
          <search className={frame.filters}>
            <Choice
              className={frame.filter ?? ''}
              aria-label={t('flow.workflow')}
              placeholder={t('flow.anyWorkflow')}
              allowClear
              value={code ?? null}
              options={options}
              onChange={(value) => search.set({ workflowCode: (value as string | null) ?? undefined })}
            />
          </search>
        </>
      }
      all={
        data ? (
          <>
            <Findings />
            <Counts all={data} words={words} />
          </>
        ) : lostOf({ data, error }) ? (
          <Failure error={error} onRetry={refetch} />
        ) : (
          <Waiting />
        )
      }
      words={words}
    />
  )
}

const Waiting = () => <Skeleton active title={false} paragraph={{ rows: 6 }} />

/** The workflows of which instances run. */
function Counts({ all, words }: { all: VersionCount[]; words: FlowWords }) {
  const { t } = words
  const running = all.filter(({ count }) => count > 0)
  if (running.length === 0)
    return <Notice icon="tree" title={t('flowVersions.none')} text={t('flowVersions.noneText')} />
  return (
    <Rows
      label={t('workflow.versions')}
      rows={running}
      id={(one) => one.workflowCode}
      to={(one) => versionsPath(one.workflowCode)}
      bad={(one) => one.old > 0}
      columns={[
        { title: t('flow.workflow'), of: (one) => words.name(one), main: true, wide: true },
        { title: t('flowVersions.running'), of: (one) => one.count, figure: true },
        { title: t('flowVersions.old'), of: (one) => one.old, figure: true },
      ]}
    />
  )
}

interface VersionsProps {
  code: string | undefined
  head: React.ReactNode
  /** What is shown while no workflow is chosen. */
  all: React.ReactNode
  words: FlowWords
}

function Versions({ code, head, all, words }: VersionsProps) {
  const { t } = words
  const result = useQuery({ ...versionsQuery(code ?? ''), enabled: code !== undefined })
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState(false)
  const versions = result.data ?? []
  // One that has ended or moved since is not ticked any more.
  const chosen = versions
    .flatMap(({ instances }) => instances)
    .filter((of) => fits(of) && ticked.has(of.workflowInstanceId))
  const tick = (ids: string[], on: boolean) =>
    setTicked((before) => {
      const next = new Set(before)
      for (const id of ids)
        if (on) next.add(id)
        else next.delete(id)
      return next
    })
  const content = () => {
    if (!code) return all
    if (result.error && !result.data) return <Failure error={result.error} onRetry={result.refetch} />
    if (!result.data) return <Waiting />
    if (versions.length === 0)
      return <Notice icon="tree" title={t('flowVersions.none')} text={t('flowVersions.noneText')} />
    return (
      <>
        {!versions.some(({ current }) => current) && <p className={styles.note}>{t('flowVersions.noCurrent')}</p>}
        {versions.map((one) => (
          <Version key={one.version} of={one} ticked={ticked} onTick={tick} words={words} />
        ))}
        {versions.every(({ current }) => current) && <Notice icon="check" title={t('flowVersions.allCurrent')} />}
      </>
    )
  }
  return (
    <div className={frame.frame}>
      <div className={frame.scroll}>
        <div className={frame.page}>
          {head}
          {content()}
        </div>
      </div>
      {chosen.length > 0 && (
        <div className={frame.bar} role="toolbar" aria-label={t('flow.actions')}>
          <span className={frame.count} aria-live="polite">
            {t('flowVersions.ticked', { count: chosen.length })}
          </span>
          <Button type="primary" onClick={() => setAsking(true)}>
            {t('flowVersions.preview')}
          </Button>
          <span className={frame.gap} />
          <Button
            type="text"
            aria-label={t('list.clearSelection')}
            icon={<Icon name="close" />}
            onClick={() => setTicked(new Set())}
          />
        </div>
      )}
      {asking && code && (
        <MigrateDialog
          workflowCode={code}
          instances={chosen}
          onClose={() => setAsking(false)}
          onDone={() => setTicked(new Set())}
        />
      )}
    </div>
  )
}

const fits = (of: Fitting) => of.misfits.length === 0

const AT_ONCE = 100

interface VersionProps {
  of: RunningVersion
  ticked: ReadonlySet<string>
  onTick: (ids: string[], on: boolean) => void
  words: FlowWords
}

function Version({ of, ticked, onTick, words }: VersionProps) {
  const { t } = words
  const cards = useHasCards()
  const [shown, setShown] = useState(AT_ONCE)
  const rows = of.instances.slice(0, shown)
  const fitting = of.instances.filter(fits).map(({ workflowInstanceId }) => workflowInstanceId)
  const chosen = fitting.filter((id) => ticked.has(id))
  const all = (label: string, text?: string) => (
    <Checkbox
      aria-label={label}
      checked={chosen.length === fitting.length}
      indeterminate={chosen.length > 0 && chosen.length < fitting.length}
      onChange={(event) => onTick(fitting, event.target.checked)}
    >
      {text}
    </Checkbox>
  )
  const tickAll = t('flowVersions.tickAll', { version: of.version })
  const one = (row: Fitting) => (
    <Checkbox
      aria-label={t('flowVersions.tick', { name: row.instanceName })}
      disabled={!fits(row)}
      checked={ticked.has(row.workflowInstanceId) && fits(row)}
      onChange={(event) => onTick([row.workflowInstanceId], event.target.checked)}
    />
  )
  const name = (row: Fitting) => (
    <Link className={frame.link} to={trackPath(row.workflowInstanceId)} title={row.instanceName}>
      {row.instanceName}
    </Link>
  )
  const state = (row: Fitting) => (
    <OptionDot label={t(`flow.states.${row.state}`)} color={words.stateColour({ state: row.state, result: '' })} />
  )
  return (
    <section className={styles.version} aria-label={t('flowVersions.version', { version: of.version })}>
      <h2>
        {t('flowVersions.version', { version: of.version })}
        {of.current && <OptionTag label={t('flowVersions.current')} color="green" />}
        <span className={styles.note}>
          {[
            t('flowVersions.count', { count: of.count }),
            of.createdTime && t('flowVersions.since', { time: words.time(of.createdTime) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </h2>
      {rows.length > 0 && cards && (
        <>
          {fitting.length > 0 && all(tickAll, t('flowVersions.tickAllShort', { count: fitting.length }))}
          <ul className={frame.cards}>
            {rows.map((row) => (
              <li key={row.workflowInstanceId}>
                <div className={frame.cardHead}>
                  {one(row)}
                  {name(row)}
                  {state(row)}
                </div>
                <p className={frame.cardText}>{stepsOf(row, words)}</p>
                <Outcome of={row} words={words} />
              </li>
            ))}
          </ul>
        </>
      )}
      {rows.length > 0 && !cards && (
        <table className={frame.table}>
          <thead>
            <tr>
              <th className={frame.tick}>{fitting.length > 0 && all(tickAll)}</th>
              <th>{t('flow.instance')}</th>
              <th>{t('flow.state')}</th>
              <th>{t('flowVersions.at')}</th>
              <th className={styles.outcome}>{t('flowVersions.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.workflowInstanceId}>
                <td className={frame.tick}>{one(row)}</td>
                <td className={frame.name}>
                  <div className={frame.nameLine}>{name(row)}</div>
                </td>
                <td>{state(row)}</td>
                <td className={styles.steps}>{stepsOf(row, words)}</td>
                <td className={styles.outcome}>
                  <Outcome of={row} words={words} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!of.current && of.instances.length < of.count && (
        <p className={styles.note}>{t('flowVersions.newest', { shown: of.instances.length, count: of.count })}</p>
      )}
      {of.instances.length > shown && (
        <Button className={styles.more ?? ''} onClick={() => setShown(shown + AT_ONCE)}>
          {t('flowVersions.more')}
        </Button>
      )}
      {!of.current && of.count > of.instances.length && of.instances.length <= shown && (
        <p className={styles.note}>{t('flowVersions.first', { count: of.instances.length })}</p>
      )}
    </section>
  )
}

const stepsOf = (of: Fitting, { name, locale }: FlowWords) => of.at.map(name).join(locale === 'zh' ? '、' : ', ')

/** What the current definition would do to an instance. */
function Outcome({ of, words }: { of: Fitting; words: FlowWords }) {
  const { t } = words
  return (
    <div>
      <OptionDot
        label={t(fits(of) ? 'flowVersions.fits' : 'flowVersions.unfit')}
        color={fits(of) ? 'green' : 'orange'}
      />
      <Misfits of={of} words={words} />
    </div>
  )
}
