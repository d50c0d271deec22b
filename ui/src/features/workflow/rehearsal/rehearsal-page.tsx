import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Radio, Skeleton, Tabs } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useParams } from 'react-router'
import type { Entry, FormLoad } from '@/api/types'
import { OptionDot } from '@/components/option-dot'
import { usePageTitle } from '@/lib/page-title'
import { useSearch } from '@/lib/use-search'
import { EntryPicker } from '@/sdk/entry-picker'
import { Failure } from '@/sdk/failure'
import type { FormSender } from '@/sdk/form-sender'
import {
  findPeople,
  findRehearsalRecords,
  type RehearsalBasis,
  type RehearsalDecision,
  type RehearsalReport,
  type RehearsalRun,
  type RehearsedRun,
  rehearsalQuery,
  rehearse,
} from '../api'
import { type FlowWords, useFlowWords } from '../task/words'
import { Course } from '../track/track-view'
import styles from './rehearsal.module.css'
import { RehearsalCoverage } from './rehearsal-coverage'
import { RehearsalForm } from './rehearsal-form'
import { withMove } from './rehearsal-script'
import { RehearsalSteps, Why } from './rehearsal-steps'

type Form = (load: FormLoad, sender: FormSender, onClose: () => void) => ReactNode

/** Authors try a workflow here, with real people and without writing anything. */
export function RehearsalPage({ form }: { form: Form }) {
  const words = useFlowWords()
  const { t } = words
  const { workflowCode = '' } = useParams()
  const { data, error, refetch } = useQuery(rehearsalQuery(workflowCode))
  usePageTitle(data ? t('rehearsal.title', { name: words.name(data) }) : t('rehearsal.open'))
  if (error && !data) return <Failure page error={error} title={t('rehearsal.gone')} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />
  return <Rehearsal key={data.workflowCode} basis={data} form={form} words={words} />
}

function Rehearsal({ basis, form, words }: { basis: RehearsalBasis; form: Form; words: FlowWords }) {
  const { t } = words
  const id = useId()
  const [address] = useSearch()
  const [initiator, setInitiator] = useState<Entry[]>([])
  const given = address.get('objectId')
  const [source, setSource] = useState<'madeUp' | 'existing'>(given ? 'existing' : 'madeUp')
  const [record, setRecord] = useState<Entry[]>(
    given
      ? [{ id: given, name: address.get('name') ?? given, imgUrl: null, type: null, detail: null, leaf: true }]
      : [],
  )
  const [values, setValues] = useState<Record<string, unknown>>({})
  const [filling, setFilling] = useState(false)
  const [script, setScript] = useState<RehearsalDecision[]>([])
  const [kept, setKept] = useState<RehearsalRun[]>([])
  const [last, setLast] = useState<RehearsalRun | null>(null)
  const [tried, setTried] = useState(false)
  const play = useMutation<RehearsalReport, unknown, RehearsalRun[]>({
    mutationFn: (runs) => rehearse({ workflowCode: basis.workflowCode, runs }),
  })
  const lacks = source === 'existing' && record.length === 0
  const run = (decisions: RehearsalDecision[], others = kept) => {
    setTried(true)
    if (lacks) return
    setScript(decisions)
    const next: RehearsalRun = {
      ...(initiator[0] ? { initiator: initiator[0].id } : {}),
      ...(source === 'existing' && record[0] ? { objectId: record[0].id } : { values }),
      decisions,
    }
    setLast(next)
    play.mutate([...others, next])
  }
  const report = play.data
  const shown = report?.runs.at(-1)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{t('rehearsal.title', { name: words.name(basis) })}</h1>
        <p className={styles.note}>{t('rehearsal.text')}</p>
      </header>
      <section className={styles.setup}>
        <div className={styles.field}>
          <label htmlFor={`${id}-initiator`}>{t('rehearsal.initiator')}</label>
          <EntryPicker
            id={`${id}-initiator`}
            schemaCode=""
            propertyCode="workItemPeople"
            find={findPeople}
            value={initiator}
            onChange={setInitiator}
            describedBy={`${id}-hint`}
          />
          <small id={`${id}-hint`}>{t('rehearsal.initiatorHint')}</small>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of radios has its role from the library */}
        <div className={styles.field} role="group" aria-labelledby={`${id}-record`}>
          <span id={`${id}-record`} className={styles.label}>
            {t('rehearsal.record')}
          </span>
          <Radio.Group
            value={source}
            onChange={(event) => setSource(event.target.value as 'madeUp' | 'existing')}
            options={[
              { value: 'madeUp', label: t('rehearsal.madeUp') },
              { value: 'existing', label: t('rehearsal.existing') },
            ]}
          />
          {source === 'madeUp' ? (
            <div className={styles.line}>
              <Button onClick={() => setFilling(true)}>{t('rehearsal.fill')}</Button>
              <span className={styles.note}>
                {Object.keys(values).length > 0
                  ? t('rehearsal.filled', { count: Object.keys(values).length })
                  : t('rehearsal.notFilled')}
              </span>
            </div>
          ) : (
            <>
              <label className={styles.note} htmlFor={`${id}-choose`}>
                {t('rehearsal.chooseRecord')}
              </label>
              <EntryPicker
                id={`${id}-choose`}
                schemaCode={basis.schemaCode}
                propertyCode={`rehearsal ${basis.workflowCode}`}
                find={findRehearsalRecords(basis.workflowCode)}
                value={record}
                onChange={setRecord}
                invalid={tried && lacks}
                describedBy={`${id}-lacks`}
              />
              <span id={`${id}-lacks`} className={styles.wrong} role="alert">
                {tried && lacks && t('rehearsal.recordNeeded')}
              </span>
            </>
          )}
        </div>
        <div className={styles.buttons}>
          <Button type="primary" loading={play.isPending} onClick={() => run(script)}>
            {t(report ? 'rehearsal.again' : 'rehearsal.run')}
          </Button>
          {script.length > 0 && <Button onClick={() => run([])}>{t('rehearsal.clear')}</Button>}
          {last && shown && kept.length < 19 && (
            <Button onClick={() => setKept([...kept, last])}>{t('rehearsal.keep')}</Button>
          )}
        </div>
        {kept.length > 0 && (
          <p className={styles.note}>
            {t('rehearsal.kept')}
            {kept.map((one, index) => (
              <Button
                key={JSON.stringify([index, one])}
                aria-label={t('rehearsal.drop', { n: index + 1 })}
                onClick={() => setKept(kept.filter((_, place) => place !== index))}
              >
                {t('rehearsal.keptRun', { n: index + 1 })} ×
              </Button>
            ))}
          </p>
        )}
      </section>
      <div aria-live="polite">{play.isError && <Failure error={play.error} />}</div>
      {report && shown && (
        <Result
          report={report}
          run={shown}
          basis={basis}
          words={words}
          busy={play.isPending}
          onMove={(at, move) => run(withMove(script, at, move))}
        />
      )}
      {filling && (
        <RehearsalForm
          basis={basis}
          form={form}
          onClose={() => setFilling(false)}
          onTake={(taken) => {
            setValues(taken)
            setFilling(false)
          }}
        />
      )}
    </div>
  )
}

const OUTCOME_COLOURS = { ENDED: 'green', WAITS: 'blue', STUCK: 'red', REFUSED: 'red', ENDLESS: 'red' } as const

interface ResultProps {
  report: RehearsalReport
  run: RehearsedRun
  basis: RehearsalBasis
  words: FlowWords
  busy: boolean
  onMove: (at: { node: string; person: string; turn: number }, move: string) => void
}

function Result({ report, run, basis, words, busy, onMove }: ResultProps) {
  const { t, locale } = words
  const never = run.never.map((node) => words.name(node)).join(locale === 'zh' ? '、' : ', ')
  return (
    <section className={styles.result}>
      <div className={styles.line} aria-live="polite">
        <OptionDot label={t(`rehearsal.outcomes.${run.outcome}`)} color={OUTCOME_COLOURS[run.outcome]} />
        {run.outcome === 'ENDED' && run.result && <strong>{t(`flow.endings.${run.result}`)}</strong>}
        <span className={styles.note}>{[run.initiator.name, run.instanceName].filter(Boolean).join(' · ')}</span>
      </div>
      {run.nobody.length > 0 && (
        <Facts
          title={t('rehearsal.nobody')}
          lines={run.nobody.map((one) => `${words.name(one)} · ${one.policy[locale]}`)}
        />
      )}
      {run.findings.length > 0 && (
        <Facts title={t('rehearsal.findings')} lines={run.findings.map(({ text }) => text[locale])} />
      )}
      {never && <p className={styles.note}>{t('rehearsal.never', { names: never })}</p>}
      <Tabs
        items={[
          {
            key: 'steps',
            label: t('rehearsal.steps'),
            children: <RehearsalSteps run={run} nodes={basis.nodes} words={words} busy={busy} onMove={onMove} />,
          },
          {
            key: 'course',
            label: t('rehearsal.course'),
            children: run.track && (
              <Course
                track={run.track}
                words={words}
                why={(node) =>
                  run.steps
                    .filter(({ activityCode, kind }) => activityCode === node.activityCode && kind !== 'decision')
                    .map((step) => <Why key={`${step.kind}/${step.round}/${step.time}`} step={step} words={words} />)
                }
              />
            ),
          },
          {
            key: 'messages',
            label: t('rehearsal.messages'),
            children: (
              <ul className={styles.people}>
                {run.messages.length === 0 && <li>{t('rehearsal.noMessages')}</li>}
                {run.messages.map((message, index) => (
                  <li key={index}>
                    <span>{message.name[locale]}</span>
                    <span className={styles.note}>{t('rehearsal.to', { names: words.names(message.to) })}</span>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            key: 'coverage',
            label: t('rehearsal.coverage'),
            children: <RehearsalCoverage report={report} words={words} />,
          },
        ]}
      />
    </section>
  )
}

function Facts({ title, lines }: { title: string; lines: string[] }) {
  return (
    <div className={styles.facts}>
      <h2>{title}</h2>
      <ul>
        {[...new Set(lines)].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
