import { Button, Radio } from 'antd'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Entry } from '@/api/types'
import { EntryPicker } from '@/sdk/entry-picker'
import { useFeedback } from '@/sdk/feedback'
import type { FormChange } from '@/sdk/form-sender'
import { Sheet } from '@/sdk/sheet'
import { type Action, type Command, findPeople, type WorkItemDetail } from '../api'
import { NextStep } from './next-step'
import { OpinionBox } from './opinion-box'
import { needsSignature, type Said } from './said'
import styles from './task.module.css'
import { useFlowWords } from './words'
import { overBy } from './words-box'

/** What is asked about before it is done. */
export const ASKED = [
  'disagree',
  'reject',
  'transfer',
  'add_sign',
  'assist',
  'circulate',
  'withdraw',
  'release',
] as const
export type AskedAction = (typeof ASKED)[number]
export type Choice = Pick<Command, 'people' | 'activityCode' | 'placing' | 'resubmit' | 'choices'>

/** Whether the node asks for an opinion with an action. */
export function needsOpinion(rule: WorkItemDetail['opinionRule']['required'], action: Action): boolean {
  if (rule === 'always') return ['agree', 'submit', 'disagree', 'reject'].includes(action)
  if (rule === 'onReject') return action === 'reject' || action === 'disagree'
  return rule === 'onDisagree' && action === 'disagree'
}

const PEOPLE: readonly Action[] = ['transfer', 'add_sign', 'assist', 'circulate']
/** Where it goes is told before it is done. */
const PREDICTED: readonly Action[] = ['disagree', 'reject', 'transfer', 'add_sign', 'withdraw', 'release']
const PLACINGS = ['before', 'after', 'parallel'] as const
const WAYS = ['rerun', 'toRejector'] as const

interface Props {
  action: AskedAction
  detail: WorkItemDetail
  said: Said
  onSaid: (said: Said) => void
  /** What was typed into the record. */
  change: FormChange
  sending: boolean
  /** Why it was refused. */
  error: string
  onClose: () => void
  onRun: (choice: Choice) => void
}

/** Asks for what an action needs: people, the node to go back to, an opinion. */
export function ActionDialog({ action, detail, said, onSaid, change, sending, error, onClose, onRun }: Props) {
  const words = useFlowWords()
  const { t } = words
  const id = useId()
  const [people, setPeople] = useState<Entry[]>([])
  const { rejectNodes, resubmit: rule, opinionRule, item } = detail
  const [node, setNode] = useState(rejectNodes.length === 1 ? rejectNodes[0]?.activityCode : undefined)
  const [placing, setPlacing] = useState<(typeof PLACINGS)[number]>('before')
  const [way, setWay] = useState<(typeof WAYS)[number]>('rerun')
  const [tried, setTried] = useState(false)
  const asksPeople = PEOPLE.includes(action)
  const target = rejectNodes.find((place) => place.activityCode === node)
  const direct = target?.direct !== false
  const say = useFeedback()
  const [held, setHeld] = useState(false)
  const box = useRef<{ focus: () => void }>(null)
  const says = action !== 'withdraw' && action !== 'release'
  const required = needsOpinion(opinionRule.required, action)
  const signs = needsSignature(opinionRule.signature, action)
  const lacks = {
    people: asksPeople && people.length === 0,
    node: action === 'reject' && !node,
    opinion: required && said.text.trim() === '',
    signature: signs && said.signature === '',
  }
  const run = () => {
    setTried(true)
    if (lacks.people || lacks.node || lacks.opinion || lacks.signature) return
    if (says && overBy(said.text, opinionRule.maxLength) > 0) return box.current?.focus()
    if (held) return say.warning(t('opinion.uploading'))
    onRun(choice)
  }
  const choice: Choice = {
    ...(asksPeople ? { people: people.map((one) => one.id) } : {}),
    ...(action === 'reject' && node ? { activityCode: node } : {}),
    ...(action === 'reject' && rule === 'choose' ? { resubmit: direct ? way : 'rerun' } : {}),
    ...(action === 'add_sign' ? { placing } : {}),
  }
  const group = (label: string, name: string, wrong: string | false, children: ReactNode) => (
    // biome-ignore lint/a11y/useSemanticElements: a group of radios has its role from the library
    <div className={styles.field} role="group" aria-labelledby={`${id}-${name}`}>
      <span id={`${id}-${name}`} className={styles.label}>
        {label}
      </span>
      {children}
      {wrong && (
        <span className={styles.wrong} role="alert">
          {wrong}
        </span>
      )}
    </div>
  )
  return (
    <Sheet
      title={t(`flow.titles.${action}`)}
      width={520}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" danger={action === 'disagree' || action === 'reject'} loading={sending} onClick={run}>
            {t(`flow.${action}`)}
          </Button>
        </div>
      }
    >
      {action === 'withdraw' && <p className={styles.ask}>{t('flow.withdrawText')}</p>}
      {action === 'reject' &&
        group(
          t('flow.target'),
          'node',
          tried && lacks.node && t('flow.targetNeeded'),
          <Radio.Group
            className={styles.radios ?? ''}
            value={node ?? null}
            onChange={(event) => setNode(event.target.value as string)}
            options={rejectNodes.map((place) => ({
              value: place.activityCode,
              label: (
                <>
                  {words.name(place)}
                  {place.people.length > 0 && <span className={styles.note}> {words.names(place.people)}</span>}
                </>
              ),
            }))}
          />,
        )}
      {action === 'reject' &&
        rule === 'choose' &&
        direct &&
        group(
          t('flow.resubmit'),
          'way',
          false,
          <Radio.Group
            className={styles.radios ?? ''}
            value={way}
            onChange={(event) => setWay(event.target.value as typeof way)}
            options={WAYS.map((value) => ({ value, label: t(`flow.resubmits.${value}`) }))}
          />,
        )}
      {action === 'reject' && rule !== 'rerun' && target && !direct && (
        <p className={styles.note} role="status">
          {t('flow.notDirect', { name: words.name(target) })}
        </p>
      )}
      {asksPeople && (
        <div className={styles.field}>
          <label htmlFor={`${id}-people`} className={styles.label}>
            {t(action === 'transfer' ? 'flow.person' : 'flow.people')}
            <span className={styles.star} aria-hidden="true">
              *
            </span>
          </label>
          <EntryPicker
            id={`${id}-people`}
            schemaCode=""
            propertyCode="workItemPeople"
            find={findPeople}
            multiple={action !== 'transfer'}
            value={people}
            onChange={setPeople}
            invalid={tried && lacks.people}
            describedBy={`${id}-people-note`}
            autoFocus
          />
          <span id={`${id}-people-note`} className={styles.wrong} role="alert">
            {tried && lacks.people && t('flow.peopleNeeded')}
          </span>
        </div>
      )}
      {action === 'add_sign' &&
        group(
          t('flow.placing'),
          'placing',
          false,
          <Radio.Group
            className={styles.radios ?? ''}
            value={placing}
            onChange={(event) => setPlacing(event.target.value as typeof placing)}
            options={PLACINGS.map((value) => ({ value, label: t(`flow.placings.${value}`) }))}
          />,
        )}
      {action === 'release' && <p className={styles.ask}>{t('flow.releaseText')}</p>}
      {says && (
        <OpinionBox
          workItemId={item.workItemId}
          value={said}
          onChange={onSaid}
          onHeld={setHeld}
          signs={signs}
          unsigned={tried && lacks.signature}
          maxLength={opinionRule.maxLength}
          required={required}
          missing={tried && lacks.opinion}
          quick={action === 'reject' || action === 'disagree' ? 'refuse' : 'all'}
          labelled
          focus={box}
        />
      )}
      {!lacks.people && !lacks.node && PREDICTED.includes(action) && (
        <NextStep strict command={{ workItemId: item.workItemId, action, ...choice }} change={change} />
      )}
      {error && (
        <p className={styles.wrong} role="alert">
          {error}
        </p>
      )}
    </Sheet>
  )
}
