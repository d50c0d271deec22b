import type { Instance, WorkItem } from '@/sdk/work-items'
import { type FlowWords, votesText } from '../task/words'
import styles from '../workflow.module.css'

type Told = Pick<Instance, 'summary'> & Partial<Pick<WorkItem, 'votes'>>

/** What a row tells of its record, and of the votes so far. */
export function Glance({ of, words }: { of: Told; words: FlowWords }) {
  const votes = votesText(of.votes ?? null, words.t)
  if (of.summary.length === 0 && !votes) return null
  return (
    <p className={styles.glance}>
      {of.summary.map((line) => (
        <span key={line.propertyCode}>
          <span className={styles.glanceName}>{words.name(line)}</span> {line.text}
        </span>
      ))}
      {votes && <span>{votes}</span>}
    </p>
  )
}
