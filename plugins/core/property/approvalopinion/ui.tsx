import {
  Avatar,
  type CellProps,
  defineProperty,
  formatInstant,
  localName,
  type TextContext,
  useTextContext,
} from '@sluice/sdk'
import { TextFilter } from '../shared/lazy-filters'
import styles from './approvalopinion.module.css'
import { done } from './words'

interface Opinion {
  nodeName: string
  nodeName_i18n: Record<string, string>
  /** A name: the person who said it then is meant, whatever became of the person. Empty where a rule alone decided. */
  user: string
  /** What was done: "agree", "reject". */
  result: string
  /** That decided in the person's place; empty = they did it themselves. */
  rule: string
  opinion: string
  time: string
}

const place = (of: Opinion, { locale }: TextContext) =>
  localName({ name: of.nodeName, name_i18n: of.nodeName_i18n }, locale)

/** Where, who, with what result, and the words, in one line; in exports the same. */
const line = (of: Opinion, context: TextContext) =>
  [place(of, context), of.user, done(of, context.locale), of.opinion.trim().replace(/\s+/g, ' ')]
    .filter(Boolean)
    .join(' ')

const when = ({ time }: Opinion, context: TextContext) => formatInstant(time, 'yyyy-MM-dd HH:mm', context)

const lines = (value: Opinion[], context: TextContext) =>
  value.map((opinion) => `${line(opinion, context)} ${when(opinion, context)}`).join('\n')

/** The newest one, and how many came before it; the tip shows them all, one in a line. */
function Cell({ value }: CellProps<Opinion[]>) {
  const context = useTextContext()
  const last = value.at(-1)
  return last ? (
    <span className={styles.cell} title={lines(value, context)}>
      <span className={styles.line}>{line(last, context)}</span>
      {value.length > 1 && <span className={styles.more}>+{value.length - 1}</span>}
    </span>
  ) : null
}

function ReadValue({ value }: { value: Opinion[] }) {
  const context = useTextContext()
  return (
    <ol className={styles.list}>
      {value.map((opinion) => (
        <li key={`${opinion.time}${opinion.nodeName}${opinion.user}${opinion.result}`}>
          <div className={styles.head}>
            {opinion.user && (
              <strong className={styles.who}>
                <Avatar name={opinion.user} src={null} size={20} />
                {opinion.user}
              </strong>
            )}
            <span>{[place(opinion, context), done(opinion, context.locale)].filter(Boolean).join(' · ')}</span>
            <time dateTime={opinion.time}>{when(opinion, context)}</time>
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
