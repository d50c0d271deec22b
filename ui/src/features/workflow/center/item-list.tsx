import { Button, Checkbox } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { OptionDot, OptionTag } from '@/components/option-dot'
import { useFormState } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { type ListKind, taskPath, type WorkItem } from '@/sdk/work-items'
import { type FlowWords, RESULT_COLOURS, useFlowWords } from '../task/words'
import styles from '../workflow.module.css'
import { Glance } from './glance'
import { useOpenRow } from './use-open-row'
import { useRange, withShift } from './use-range'
import { useRowKeys } from './use-row-keys'

interface Props {
  kind: ListKind
  items: WorkItem[]
  ticked: ReadonlySet<string>
  onTick: (ids: string[], on: boolean) => void
  onRead: (item: WorkItem) => void
  onTrack: (item: WorkItem) => void
  /** Agrees to one task of those that can be agreed to from the list. */
  onAgree: (item: WorkItem) => void
}

/** What can be ticked: tasks that can be agreed to with others, and unread copies. */
export const ticks = (kind: ListKind, item: WorkItem) => item.batch || kind === 'unread'

/** What is unusual about a task: overdue, reminded of, of another kind, in place of somebody else. */
function Marks({ item, words }: { item: WorkItem; words: FlowWords }) {
  const { t } = words
  return (
    <>
      {item.overdue && <OptionTag label={t('flow.overdue')} color="red" />}
      {item.urgeCount > 0 && <OptionTag label={t('flow.urged', { count: item.urgeCount })} color="orange" />}
      {item.workItemType !== 'NORMAL' && item.workItemType !== 'CIRCULATE' && (
        <OptionTag label={t(`flow.itemTypes.${item.workItemType}`)} />
      )}
      {item.delegatedBy && <OptionTag label={t('flow.delegated', { name: item.delegatedBy.name })} />}
      {item.canWithdraw && <OptionTag label={t('flow.takeable')} color="blue" />}
    </>
  )
}

function TaskLink({ item }: { item: WorkItem }) {
  const state = useFormState()
  return (
    <Link
      className={styles.link}
      data-task={item.workItemId}
      to={taskPath(item)}
      state={state}
      title={item.instanceName}
    >
      {item.instanceName}
    </Link>
  )
}

function Result({ item, words }: { item: WorkItem; words: FlowWords }) {
  const { result, state } = item
  const label = result ? words.t(`flow.results.${result}`) : words.t(`flow.itemStates.${state}`)
  return <OptionDot label={label} color={RESULT_COLOURS[result]} />
}

function Acts({
  kind,
  item,
  words,
  onRead,
  onTrack,
}: Omit<Props, 'items' | 'ticked' | 'onTick' | 'onAgree'> & { item: WorkItem; words: FlowWords }) {
  const { t } = words
  return (
    <>
      {kind === 'unread' && (
        <Button aria-label={t('flow.markReadOne', { name: item.instanceName })} onClick={() => onRead(item)}>
          {t('flow.markRead')}
        </Button>
      )}
      <Button type="text" aria-label={t('flow.trackOf', { name: item.instanceName })} onClick={() => onTrack(item)}>
        {t('flow.track')}
      </Button>
    </>
  )
}

/** A row of the table that opens its task. */
function Row({ item, children }: { item: WorkItem; children: ReactNode }) {
  return <tr {...useOpenRow(taskPath(item))}>{children}</tr>
}

/** The same as a card. */
function Card({ item, children }: { item: WorkItem; children: ReactNode }) {
  return <li {...useOpenRow(taskPath(item))}>{children}</li>
}

const timeOf = (kind: ListKind, item: WorkItem) => (kind === 'finished' ? item.finishTime : item.receiveTime)

/** The box that ticks a row; with Shift, all from the one that was ticked last. */
function Tick({ item, on, onTick }: { item: WorkItem; on: boolean; onTick: ReturnType<typeof useRange> }) {
  const t = useText()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it keeps Shift from selecting text
    <span onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
      <Checkbox
        aria-label={t('flow.tick', { name: item.instanceName })}
        checked={on}
        onChange={(event) => onTick(item.workItemId, event.target.checked, withShift(event))}
      />
    </span>
  )
}

const tickable = ({ kind, items }: Props) => items.filter((item) => ticks(kind, item)).map((item) => item.workItemId)

export function ItemTable(props: Props) {
  const { kind, items, ticked, onTick } = props
  const batch = tickable(props)
  const tick = useRange(batch, onTick)
  const rows = useRowKeys<HTMLTableElement>({ ...props, onTick: tick })
  const words = useFlowWords()
  const { t } = words
  const chosen = batch.filter((id) => ticked.has(id))
  const head = (text: ReactNode, className = '') => <th className={className}>{text}</th>
  return (
    <table ref={rows} className={styles.table}>
      <thead>
        <tr>
          {batch.length > 0 && (
            <th className={styles.tick}>
              <Checkbox
                aria-label={t(kind === 'unread' ? 'flow.tickAllCopies' : 'flow.tickAll')}
                checked={chosen.length === batch.length}
                indeterminate={chosen.length > 0 && chosen.length < batch.length}
                onChange={(event) => onTick(batch, event.target.checked)}
              />
            </th>
          )}
          {head(t('flow.instance'))}
          {head(t('flow.node'))}
          {head(t('flow.originator'))}
          {kind === 'finished' && head(t('flow.result'))}
          {kind === 'finished' && head(t('flow.state'))}
          {head(t(kind === 'finished' ? 'flow.handled' : 'flow.received'))}
          {kind === 'unfinished' && head(t('flow.due'))}
          {head(<span className="visually-hidden">{t('flow.actions')}</span>)}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={item.workItemId} item={item}>
            {batch.length > 0 && (
              <td className={styles.tick}>
                {ticks(kind, item) && <Tick item={item} on={ticked.has(item.workItemId)} onTick={tick} />}
              </td>
            )}
            <td className={styles.name}>
              <div className={styles.nameLine}>
                <TaskLink item={item} />
                <Marks item={item} words={words} />
              </div>
              <p>{words.workflow(item)}</p>
              <Glance of={item} words={words} />
            </td>
            <td>{words.activity(item)}</td>
            <td>{item.originator.name}</td>
            {kind === 'finished' && (
              <td>
                <Result item={item} words={words} />
              </td>
            )}
            {kind === 'finished' && <td>{t(`flow.states.${item.instanceState}`)}</td>}
            <td className={`${styles.time} tabular`}>{words.time(timeOf(kind, item))}</td>
            {kind === 'unfinished' && (
              <td className={`${styles.time} tabular`} data-late={item.overdue || undefined}>
                {words.time(item.dueTime)}
              </td>
            )}
            <td className={styles.act}>
              <Acts {...props} item={item} words={words} />
            </td>
          </Row>
        ))}
      </tbody>
    </table>
  )
}

/** The same where there is no room for columns. */
export function ItemCards(props: Props) {
  const { kind, items, ticked, onTick } = props
  const tick = useRange(tickable(props), onTick)
  const rows = useRowKeys<HTMLUListElement>({ ...props, onTick: tick })
  const words = useFlowWords()
  const { t } = words
  return (
    <ul ref={rows} className={styles.cards}>
      {items.map((item) => (
        <Card key={item.workItemId} item={item}>
          <div className={styles.cardHead}>
            {ticks(kind, item) && <Tick item={item} on={ticked.has(item.workItemId)} onTick={tick} />}
            <TaskLink item={item} />
            {kind === 'finished' && <Result item={item} words={words} />}
          </div>
          <p className={styles.cardText}>
            {[
              words.workflow(item),
              words.activity(item),
              item.originator.name,
              kind === 'finished' && t(`flow.states.${item.instanceState}`),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <Glance of={item} words={words} />
          <div className={styles.cardFoot}>
            <p className="tabular">{words.time(timeOf(kind, item))}</p>
            {kind === 'unfinished' && item.dueTime && (
              <p className="tabular" data-late={item.overdue || undefined}>
                {t('flow.dueAt', { time: words.time(item.dueTime) })}
              </p>
            )}
            <Marks item={item} words={words} />
            <span className={styles.acts}>
              <Acts {...props} item={item} words={words} />
            </span>
          </div>
        </Card>
      ))}
    </ul>
  )
}
