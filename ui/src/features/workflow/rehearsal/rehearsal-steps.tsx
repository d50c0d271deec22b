import { useState } from 'react'
import { Choice } from '@/components/choice'
import { OptionDot, OptionTag } from '@/components/option-dot'
import type { Place, RehearsedRun, RehearsedStep } from '../api'
import type { FlowWords } from '../task/words'
import styles from './rehearsal.module.css'
import { decides, type Move, turnOf } from './rehearsal-script'
import { RehearsalTransfer } from './rehearsal-transfer'

type Both = { zh: string; en: string }

interface Props {
  run: RehearsedRun
  nodes: Place[]
  words: FlowWords
  busy: boolean
  onMove: (at: { node: string; person: string; turn: number }, move: Move) => void
}

/** What happens in a run, step by step, with the reasons. */
export function RehearsalSteps({ run, nodes, words, busy, onMove }: Props) {
  const { steps } = run
  const [passing, setPassing] = useState<RehearsedStep | null>(null)
  const move = (step: RehearsedStep, to: Move) =>
    onMove({ node: step.activityCode, person: step.person?.id ?? '', turn: turnOf(steps, steps.indexOf(step)) }, to)
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={index} className={styles.step} data-kind={step.kind}>
          <StepHead step={step} words={words}>
            {decides(step) && step.person && (
              <Choice<Move>
                className={styles.move ?? ''}
                disabled={busy}
                aria-label={words.t('rehearsal.decide', { name: step.person.name, node: words.activity(step) })}
                value={moveOf(step)}
                options={movesAt(step, nodes, words)}
                onChange={(to) => (to === PASS ? setPassing(step) : move(step, to ?? 'agree'))}
              />
            )}
          </StepHead>
          <Why step={step} words={words} />
        </li>
      ))}
      {passing && (
        <RehearsalTransfer
          step={passing}
          words={words}
          onClose={() => setPassing(null)}
          onTake={(person) => {
            setPassing(null)
            move(passing, `transfer:${person}`)
          }}
        />
      )}
    </ol>
  )
}

const both = (text: Both, { locale }: FlowWords) => text[locale]

function StepHead({ step, words, children }: { step: RehearsedStep; words: FlowWords; children: React.ReactNode }) {
  const { t } = words
  return (
    <div className={styles.line}>
      {step.person ? <strong>{step.person.name}</strong> : <strong>{nameOf(step, words)}</strong>}
      {step.person && <span className={styles.note}>{nameOf(step, words)}</span>}
      {step.round > 1 && <OptionTag label={t('flow.round', { n: step.round })} />}
      {children}
      {both(step.text, words) && <span className={styles.text}>{both(step.text, words)}</span>}
    </div>
  )
}

/** What a node is called; one without a name of its own by what it is. */
function nameOf(step: RehearsedStep, words: FlowWords): string {
  const name = words.activity(step)
  if (name && name !== step.activityCode) return name
  const type = TYPES.find((one) => one.toLowerCase() === step.kind)
  return type ? words.t(`flow.types.${type}`) : name
}

const TYPES = ['START', 'FILL', 'APPROVE', 'CIRCULATE', 'SPLIT', 'JOIN', 'SERVICE', 'SUB', 'WAIT', 'END'] as const

/** Why a step is as it is: its people with the rules that gave them, its routes with their conditions, what it writes. */
export function Why({ step, words }: { step: RehearsedStep; words: FlowWords }) {
  const { t } = words
  const reasons = (of: Both[]) => of.map((one) => both(one, words)).join(words.locale === 'zh' ? '；' : '; ')
  return (
    <>
      {(step.people.length > 0 || step.dropped.length > 0) && (
        <ul className={styles.people}>
          {byReason(step.people, reasons).map(([why, names]) => (
            <li key={why}>
              <Names names={names} words={words} />
              <span className={styles.note}>{why}</span>
            </li>
          ))}
          {byReason(step.dropped, reasons).map(([why, names]) => (
            <li key={why}>
              <s>
                <Names names={names} words={words} />
              </s>
              <OptionTag label={t('rehearsal.dropped')} />
              <span className={styles.note}>{why}</span>
            </li>
          ))}
        </ul>
      )}
      {step.routes.length > 0 && (
        <ul className={styles.people}>
          {step.routes.map((route) => (
            <li key={`${route.to}/${route.condition}`}>
              <OptionDot
                label={t(route.taken ? 'rehearsal.taken' : 'rehearsal.notTaken')}
                color={route.taken ? 'green' : 'gray'}
              />
              <span>{words.name(route) || (route.default ? t('rehearsal.otherwise') : route.to)}</span>
              {route.condition && <code className={styles.code}>{route.condition}</code>}
              {route.values.map((value) => (
                <span key={value.expression} className={styles.note}>
                  {value.expression} = {value.hidden ? t('rehearsal.hidden') : value.text || '∅'}
                </span>
              ))}
              {route.fault && <span className={styles.wrong}>{both(route.fault, words)}</span>}
            </li>
          ))}
        </ul>
      )}
      {step.sets.map((set) => (
        <p key={set.propertyCode} className={styles.note}>
          {t('rehearsal.sets', { name: words.name(set), value: set.hidden ? t('rehearsal.hidden') : set.text })}
        </p>
      ))}
      {step.refused && (
        <p className={styles.wrong} role="alert">
          {both(step.refused, words)}
        </p>
      )}
    </>
  )
}

/** The names of people by why they are here: a reason that many share is read once. */
function byReason(people: RehearsedStep['people'], reasons: (of: Both[]) => string): [why: string, names: string[]][] {
  const found = new Map<string, string[]>()
  for (const { person, why } of people) {
    const reason = reasons(why)
    found.set(reason, [...(found.get(reason) ?? []), person.name])
  }
  return [...found]
}

/** So many names are read; the others are in the hint. */
const NAMED = 12

function Names({ names, words }: { names: string[]; words: FlowWords }) {
  const { t } = words
  const all = names.map((name) => ({ id: name, name: name || t('rehearsal.empty'), imgUrl: null }))
  const left = all.length - NAMED
  if (left <= 0) return <span>{words.names(all)}</span>
  return (
    <span title={words.names(all)}>
      {t('rehearsal.andMore', { names: words.names(all.slice(0, NAMED)), count: left })}
    </span>
  )
}

/** The choice that asks for a person first. */
const PASS: Move = 'transfer?'

const moveOf = (step: RehearsedStep): Move => (step.action === 'reject' ? 'reject:' : step.action)

function movesAt(step: RehearsedStep, nodes: Place[], { t, name }: FlowWords) {
  const here = nodes.findIndex(({ activityCode }) => activityCode === step.activityCode)
  const approves = nodes[here]?.type === 'APPROVE'
  const first = approves ? ('agree' as const) : ('submit' as const)
  const back = nodes.slice(0, here).filter(({ type }) => type === 'START' || type === 'FILL' || type === 'APPROVE')
  return [
    { value: first as Move, label: t(`rehearsal.actions.${first}`) },
    ...(approves ? [{ value: 'disagree', label: t('rehearsal.actions.disagree') }] : []),
    ...(step.action === 'reject' ? [{ value: 'reject:', label: t('flow.reject') }] : []),
    ...(approves
      ? back.map((node) => ({
          value: `reject:${node.activityCode}`,
          label: t('rehearsal.actions.reject', { name: name(node) }),
        }))
      : []),
    ...(step.action === 'transfer' ? [{ value: 'transfer', label: t('flow.transfer') }] : []),
    ...(approves || nodes[here]?.type === 'FILL' ? [{ value: PASS, label: t('rehearsal.actions.transfer') }] : []),
    { value: 'timeout', label: t('rehearsal.actions.timeout') },
  ]
}
