import { useQuery } from '@tanstack/react-query'
import { useErrorText } from '@/sdk/error-text'
import { useDebounced } from '@/sdk/field-options'
import type { FormChange } from '@/sdk/form-sender'
import { type Command, type NextNodes, nextQuery } from '../api'
import styles from './task.module.css'
import { type FlowWords, useFlowWords } from './words'

const PAUSE = 600
/** Nodes without people, which nobody waits for. */
const GATES = ['SPLIT', 'JOIN', 'END']
/** So many names are said; of more their number. */
const NAMES = 3

interface Props {
  command: Pick<Command, 'workItemId' | 'action' | 'people' | 'activityCode' | 'placing' | 'resubmit'>
  change: FormChange
  /** In a dialog: says why it would be refused. */
  strict?: boolean
}

/** Where a node goes: its name, how many people, and the first of them. */
function step(node: NextNodes['nodes'][number], words: FlowWords): string {
  const { t } = words
  const [name, count] = [words.name(node), node.people.length]
  if (count === 0) return name
  const names = words.names(node.people.slice(0, NAMES))
  const told = count > NAMES ? t('opinion.nextMore', { names }) : names
  return t(node.mode === 'CLAIM' && count > 1 ? 'opinion.nextClaim' : 'opinion.nextNames', {
    step: t('flow.nextPeople', { name, count }),
    names: told,
  })
}

/** What an action leads to, with the fields as they are now. */
export function NextStep({ command, change, strict = false }: Props) {
  const words = useFlowWords()
  const errorText = useErrorText()
  const { t } = words
  const { version, data } = change
  const changed = Object.keys(data).length > 0
  const now: Command = { ...command, ...(changed && version !== null ? { version, data } : {}) }
  const settled = useDebounced(JSON.stringify(now), PAUSE)
  const { data: next, error } = useQuery(nextQuery(JSON.parse(settled) as Command))
  if (error && strict)
    return (
      <p className={styles.next} data-bad role="alert">
        {errorText(error)}
      </p>
    )
  if (!next || error) return null
  if (next.fault)
    return (
      <p className={styles.next} data-bad role="alert">
        {t('flow.nextFault', { fault: next.fault })}
      </p>
    )
  const nodes = next.nodes.filter(({ type }) => !GATES.includes(type))
  const steps = nodes.map((node) => step(node, words))
  const said =
    steps.length > 0
      ? t('flow.next', { steps: steps.join(t('flow.nextJoint')) })
      : next.ends
        ? t('flow.nextEnds')
        : next.waits
          ? t('flow.nextWaits')
          : ''
  if (!said) return null
  return (
    <p className={styles.next} aria-live="polite" title={words.names(nodes.flatMap(({ people }) => people))}>
      {said}
      {steps.length > 0 && next.ends && ` · ${t('opinion.thenEnds')}`}
    </p>
  )
}
