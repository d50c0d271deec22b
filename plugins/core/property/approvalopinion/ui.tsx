import { type CellProps, defineProperty, type Entry, EntryName, formatInstant, useTextContext } from '@sluice/sdk'
import { TextFilter } from '../shared/lazy-filters'
import styles from './approvalopinion.module.css'

interface Opinion {
  nodeName: string
  user: Entry | null
  result: string | null
  opinion: string | null
  time: string
}

const line = (opinion: Opinion) => [opinion.user?.name, opinion.result, opinion.opinion].filter(Boolean).join(' ')

/** The newest one; the record shows them all. */
function Cell({ value }: CellProps<Opinion[]>) {
  const last = value.at(-1)
  return last ? (
    <span className={styles.line} title={value.map(line).join('\n')}>
      {line(last)}
    </span>
  ) : null
}

function ReadValue({ value }: { value: Opinion[] }) {
  const context = useTextContext()
  return (
    <ol className={styles.list}>
      {value.map((opinion) => (
        <li key={`${opinion.time}${opinion.nodeName}`}>
          <div className={styles.head}>
            {opinion.user && <EntryName entry={opinion.user} />}
            <span>{[opinion.nodeName, opinion.result].filter(Boolean).join(' · ')}</span>
            <time dateTime={opinion.time}>{formatInstant(opinion.time, 'yyyy-MM-dd HH:mm', context)}</time>
          </div>
          <p>{opinion.opinion}</p>
        </li>
      ))}
    </ol>
  )
}

export const property = defineProperty<Opinion[]>({
  name: 'ApprovalOpinion',
  wire: 7,
  wide: true,
  text: (value) => value.map(line).join('\n'),
  Cell,
  ReadValue,
  Filter: TextFilter,
})
