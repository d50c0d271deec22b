import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Tabs } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { Avatar } from '@/components/avatar'
import { Icon, type IconName } from '@/components/icon'
import { OptionDot, OptionTag } from '@/components/option-dot'
import { useIsPhone } from '@/lib/use-media'
import { Failure } from '@/sdk/failure'
import { useOpenRecord } from '@/sdk/record-link'
import type { WorkItem } from '@/sdk/work-items'
import { comparePath } from '../admin/admin-api'
import { InstanceActs, NodeMenu } from '../admin/admin-menu'
import { type Opinion, type Round, type Track, type TrackNode, trackQuery } from '../api'
import { useActor } from '../task/acted'
import { useOperation } from '../task/operation'
import { OpinionText, RemarkView } from '../task/remark'
import { type FlowWords, RESULT_COLOURS, useFlowWords } from '../task/words'
import { StuckNote } from './stuck-note'
import styles from './track.module.css'
import { type Line, trackLines } from './track-order'

const ICONS: Record<TrackNode['state'], IconName> = {
  done: 'check',
  active: 'clock',
  waiting: 'clock',
  skipped: 'right',
  future: 'more',
  never: 'minus',
}

/** The course of an instance: its nodes with their rounds and people, and its log. */
export function TrackView({ workflowInstanceId, page = false }: { workflowInstanceId: string; page?: boolean }) {
  const words = useFlowWords()
  const { t } = words
  const openRecord = useOpenRecord()
  const { data, error, refetch } = useQuery(trackQuery(workflowInstanceId))
  if (error && !data) return <Failure page={page} error={error} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  const { instance } = data
  const Title = page ? 'h1' : 'p'
  return (
    <div className={styles.track}>
      <div className={styles.head}>
        <Title className={styles.title}>{instance.instanceName}</Title>
        <OptionDot label={words.state(instance)} color={words.stateColour(instance)} />
        <p className={styles.facts}>
          {[words.workflow(instance), instance.originator.name, words.time(instance.startTime)].join(' · ')}
          {' · '}
          {t(instance.finishTime ? 'flow.took' : 'flow.running', {
            time: words.span(instance.startTime, instance.finishTime),
          })}
        </p>
        <div className={styles.acts}>
          <Button onClick={() => openRecord({ schemaCode: instance.schemaCode, id: instance.bizObjectId })}>
            {t('flow.record')}
          </Button>
          <InstanceActs instance={instance} />
        </div>
      </div>
      <StuckNote track={data} words={words} />
      <Tabs
        items={[
          { key: 'nodes', label: t('flow.nodes'), children: <Course track={data} words={words} /> },
          { key: 'log', label: t('flow.log'), children: <Log track={data} words={words} /> },
        ]}
      />
    </div>
  )
}

interface CourseProps {
  track: Track
  words: FlowWords
  /** What is told of a node besides. */
  why?: (node: TrackNode) => ReactNode
}

/** The nodes of a workflow in their order, with what happened there. */
export function Course({ track, words, why }: CourseProps) {
  const lines = useMemo(() => trackLines(track.nodes), [track.nodes])
  return (
    <ol className={styles.course}>
      {lines.map((line) => (
        <CourseLine key={line.key} line={line} track={track} words={words} why={why} />
      ))}
    </ol>
  )
}

function CourseLine({
  line,
  track: { instance, stuck },
  words,
  why,
}: {
  line: Line
  track: Track
  words: FlowWords
  why: CourseProps['why']
}) {
  const { t } = words
  const indent = { '--depth': Math.min(line.depth, 4) } as React.CSSProperties
  if (line.kind === 'branch') {
    const name = line.route ? words.name(line.route) || (line.route.default ? t('flow.otherwise') : '') : ''
    const straight = line.empty && line.to ? t('flow.straight', { name: nameOf(line.to, words) }) : ''
    const said = [name && t('flow.branch', { name }), straight].filter(Boolean).join(' · ')
    return (
      <li className={styles.branch} style={indent}>
        {said || t('flow.types.SPLIT')}
      </li>
    )
  }
  const { node } = line
  const halted = stuck.some(({ activityCode }) => activityCode === node.activityCode)
  const later = !halted && (node.state === 'future' || node.state === 'never' || node.state === 'skipped')
  const mode = node.type === 'APPROVE' || node.type === 'FILL' ? modeOf(node, words) : ''
  return (
    <li
      className={styles.node}
      style={indent}
      data-state={halted ? 'stuck' : node.state}
      data-later={later || undefined}
    >
      <span className={styles.mark}>
        <Icon name={halted ? 'alert' : ICONS[node.state]} size={12} />
      </span>
      <div className={styles.what}>
        <div className={styles.line}>
          <strong>{nameOf(node, words)}</strong>
          <span className={styles.note}>
            {[nameOf(node, words) === typeOf(node, words) ? '' : typeOf(node, words), mode].filter(Boolean).join(' · ')}
          </span>
          <span className={styles.state}>{t(`flow.nodeStates.${halted ? 'stuck' : node.state}`)}</span>
          <NodeMenu node={node} name={nameOf(node, words)} instance={instance} />
        </div>
        {node.state === 'future' && node.predicted.length > 0 && (
          <p className={styles.note}>{t('flow.predicted', { names: words.names(node.predicted) })}</p>
        )}
        {node.rounds.map((round) => (
          <RoundLines key={round.round} round={round} many={node.rounds.length > 1} words={words} />
        ))}
        {why?.(node)}
      </div>
    </li>
  )
}

const TYPES = ['START', 'FILL', 'APPROVE', 'CIRCULATE', 'SPLIT', 'JOIN', 'SERVICE', 'SUB', 'WAIT', 'END'] as const
const MODES = ['ANY', 'ALL', 'SEQ', 'CLAIM', 'LEVELS'] as const

function typeOf({ type }: TrackNode, { t }: FlowWords): string {
  const known = TYPES.find((one) => one === type)
  return known ? t(`flow.types.${known}`) : type
}

/** What a node is called; one without a name of its own by what it is. */
function nameOf(node: TrackNode, words: FlowWords): string {
  const name = words.name(node)
  return name && name !== node.activityCode ? name : typeOf(node, words)
}

function modeOf({ mode }: TrackNode, { t }: FlowWords): string {
  const known = MODES.find((one) => one === mode)
  return known ? t(`flow.modes.${known}`) : ''
}

function RoundLines({ round, many, words }: { round: Round; many: boolean; words: FlowWords }) {
  const { t } = words
  // Somebody decided before the others had to.
  const decided = round.state === 'PASSED' || round.state === 'FAILED'
  const spared = round.items.filter((item) => decided && item.state === 'CANCELLED' && !item.result)
  const entry = round.entry === 'NORMAL' ? '' : t(`flow.entries.${round.entry}`)
  return (
    <section className={styles.round}>
      {(many || entry) && (
        <h2>
          {[many && t('flow.round', { n: round.round }), entry, t(`flow.roundStates.${round.state}`)]
            .filter(Boolean)
            .join(' · ')}
        </h2>
      )}
      <ul>
        {round.items
          .filter((item) => !spared.includes(item))
          .map((item) => (
            <ItemLine key={item.workItemId} item={item} words={words} />
          ))}
      </ul>
      {spared.length > 0 && (
        <p className={styles.spared}>
          {t('flow.notNeeded', { names: words.names(spared.map(({ participant }) => participant)) })}
        </p>
      )}
    </section>
  )
}

function ItemLine({ item, words }: { item: WorkItem; words: FlowWords }) {
  const { t } = words
  const copy = item.workItemType === 'CIRCULATE' // nobody waits for it
  const open = !copy && (item.state === 'WAIT' || item.state === 'TODO' || item.state === 'DOING')
  const state = copy && item.state === 'TODO' ? t('workflow.unread') : t(`flow.itemStates.${item.state}`)
  const label = item.result ? t(`flow.results.${item.result}`) : state
  return (
    <li className={styles.item}>
      <Avatar name={item.participant.name} src={item.participant.imgUrl} size={24} />
      <div>
        <div className={styles.line}>
          <span>{item.participant.name}</span>
          <OptionDot label={label} color={item.result ? RESULT_COLOURS[item.result] : open ? 'blue' : 'gray'} />
          {item.workItemType !== 'NORMAL' && <OptionTag label={t(`flow.itemTypes.${item.workItemType}`)} />}
          {item.delegatedBy && <OptionTag label={t('flow.delegated', { name: item.delegatedBy.name })} />}
          {item.overdue && <OptionTag label={t('flow.overdue')} color="red" />}
        </div>
        {item.opinion && (
          <p className={styles.opinion}>
            <OpinionText text={item.opinion} remark={item.remark} />
          </p>
        )}
        <RemarkView remark={item.remark} name={item.participant.name} />
        {item.receiveTime && (
          <p className={`${styles.note} tabular`}>
            {[
              words.time(item.finishTime ?? item.receiveTime),
              item.result && item.finishTime && t('flow.took', { time: words.span(item.receiveTime, item.finishTime) }),
              open && t('flow.waiting', { time: words.span(item.receiveTime, null) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
      </div>
    </li>
  )
}

function Log({ track, words }: { track: Track; words: FlowWords }) {
  const { t } = words
  const entries = track.log
  const phone = useIsPhone()
  const operation = useOperation()
  const { who, whose, rule } = useActor()
  const text = (entry: Opinion) =>
    [
      rule(entry),
      entry.people.length > 0 && t('flow.to', { names: words.names(entry.people) }),
      entry.removed.length > 0 && t('flow.removed', { names: words.names(entry.removed) }),
      entry.opinion,
    ]
      .filter(Boolean)
      .join(' · ')
  if (entries.length === 0) return <p className={styles.note}>{t('flow.emptyLog')}</p>
  const rows = entries.map((entry, index) => ({ entry, key: `${entry.time}/${index}` }))
  const changes = (entry: Opinion) =>
    entry.changed && (
      <Link
        className={styles.changes}
        to={comparePath(entry.logId, track.instance.workflowInstanceId)}
        aria-label={t('flowAdmin.compareOf', { name: who(entry) })}
      >
        {t('flowAdmin.compare')}
      </Link>
    )
  if (phone)
    return (
      <ul className={styles.log}>
        {rows.map(({ entry, key }) => (
          <li key={key}>
            <div className={styles.line}>
              <strong>{who(entry)}</strong>
              {whose(entry) && <span className={styles.note}>{whose(entry)}</span>}
              <span>{operation(entry.operation)}</span>
              <span className={styles.note}>{words.activity(entry)}</span>
            </div>
            {text(entry) && <p className={styles.opinion}>{text(entry)}</p>}
            <RemarkView remark={entry.remark} name={who(entry)} />
            <div className={styles.line}>
              <span className={`${styles.note} tabular`}>{words.time(entry.time)}</span>
              {changes(entry)}
            </div>
          </li>
        ))}
      </ul>
    )
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{t('flow.time')}</th>
          <th>{t('flow.node')}</th>
          <th>{t('flow.person')}</th>
          <th>{t('flow.operation')}</th>
          <th>{t('flow.opinion')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ entry, key }) => (
          <tr key={key}>
            <td className="tabular">{words.time(entry.time)}</td>
            <td>{words.activity(entry)}</td>
            <td>
              {who(entry)}
              {whose(entry) && <span className={styles.note}> {whose(entry)}</span>}
            </td>
            <td>
              {operation(entry.operation)}
              {changes(entry)}
            </td>
            <td className={styles.wide}>
              {text(entry)}
              <RemarkView remark={entry.remark} name={who(entry)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
