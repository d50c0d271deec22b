import { useQuery } from '@tanstack/react-query'
import { useDebounced } from '@/sdk/field-options'
import type { FormChange } from '@/sdk/form-sender'
import { type Command, nextQuery } from './api'
import styles from './task.module.css'
import { useFlowWords } from './words'

const PAUSE = 600
/** Nodes without people, which nobody waits for. */
const GATES = ['SPLIT', 'JOIN', 'END']

interface Props {
  workItemId: string
  action: 'agree' | 'submit'
  change: FormChange
}

/** What agreeing leads to, with the fields as they are now. */
export function NextStep({ workItemId, action, change }: Props) {
  const words = useFlowWords()
  const { t } = words
  const { version, data } = change
  const changed = Object.keys(data).length > 0
  const now: Command = { workItemId, action, ...(changed && version !== null ? { version, data } : {}) }
  const settled = useDebounced(JSON.stringify(now), PAUSE)
  const { data: next } = useQuery(nextQuery(JSON.parse(settled) as Command))
  if (!next) return null
  if (next.fault)
    return (
      <p className={styles.next} data-bad role="alert">
        {t('flow.nextFault', { fault: next.fault })}
      </p>
    )
  const nodes = next.nodes.filter(({ type }) => !GATES.includes(type))
  const steps = nodes.map((node) =>
    node.people.length > 0
      ? t('flow.nextPeople', { name: words.name(node), count: node.people.length })
      : words.name(node),
  )
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
    <p className={styles.next} title={words.names(nodes.flatMap(({ people }) => people))}>
      {said}
    </p>
  )
}
