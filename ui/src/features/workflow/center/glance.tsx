import type { WorkItem } from '@/sdk/work-items'
import { type FlowWords, votesText } from '../task/words'
import styles from '../workflow.module.css'

/** What a row tells of its record, and of the votes so far. */
export function Glance({ item, words }: { item: WorkItem; words: FlowWords }) {
  const votes = votesText(item.votes, words.t)
  if (item.summary.length === 0 && !votes) return null
  return (
    <p className={styles.glance}>
      {item.summary.map((line) => (
        <span key={line.propertyCode}>
          <span className={styles.glanceName}>{words.name(line)}</span> {line.text}
        </span>
      ))}
      {votes && <span>{votes}</span>}
    </p>
  )
}
