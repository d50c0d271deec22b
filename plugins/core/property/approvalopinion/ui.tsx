import { Avatar, type CellProps, defineProperty, formatInstant, type TextContext, useTextContext } from '@sluice/sdk'
import { TextFilter } from '../shared/lazy-filters'
import styles from './approvalopinion.module.css'

interface Opinion {
  nodeName: string
  /** A name: the person who said it then is meant, whatever became of the person. */
  user: string
  result: string
  opinion: string
  time: string
}

/** Where, who, with what result, and the words; in exports the same. */
const line = ({ nodeName, user, result, opinion }: Opinion) =>
  [nodeName, user, result, opinion].filter(Boolean).join(' ')

const lines = (value: Opinion[], context: TextContext) =>
  value.map((opinion) => `${line(opinion)} ${formatInstant(opinion.time, 'yyyy-MM-dd HH:mm', context)}`).join('\n')

/** The newest one; the record shows them all. */
function Cell({ value }: CellProps<Opinion[]>) {
  const context = useTextContext()
  const last = value.at(-1)
  return last ? (
    <span className={styles.line} title={lines(value, context)}>
      {line(last)}
    </span>
  ) : null
}

function ReadValue({ value }: { value: Opinion[] }) {
  const context = useTextContext()
  return (
    <ol className={styles.list}>
      {value.map((opinion) => (
        <li key={`${opinion.time}${opinion.nodeName}${opinion.user}`}>
          <div className={styles.head}>
            {opinion.user && (
              <strong className={styles.who}>
                <Avatar name={opinion.user} src={null} size={20} />
                {opinion.user}
              </strong>
            )}
            <span>{[opinion.nodeName, opinion.result].filter(Boolean).join(' · ')}</span>
            <time dateTime={opinion.time}>{formatInstant(opinion.time, 'yyyy-MM-dd HH:mm', context)}</time>
          </div>
          {opinion.opinion && <p className={styles.words}>{opinion.opinion}</p>}
        </li>
      ))}
    </ol>
  )
}

export const property = defineProperty<Opinion[]>({
  name: 'ApprovalOpinion',
  wire: 7,
  wide: true,
  text: (value, _, context) => lines(value, context),
  Cell,
  ReadValue,
  Filter: TextFilter,
})
