import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useHasCards } from '@/lib/use-media'
import { useErrorText } from '@/sdk/error-text'
import { trackPath } from '@/sdk/work-items'
import { Glance } from '../center/glance'
import { useFlowWords } from '../task/words'
import frame from '../workflow.module.css'
import { audit, type Finding, findingsQuery, type Way } from './admin-api'
import { AdminDialog, DeleteDialog } from './admin-dialog'
import { HandOverDialog } from './hand-over-dialog'
import styles from './versions.module.css'

/** What audits of running workflows found, with what administrators can do about it: here, or where a step has to be chosen on the page of the instance. */
export function Findings() {
  const { t } = useFlowWords()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { data, error } = useQuery(findingsQuery)
  const check = useMutation({
    mutationFn: audit,
    onSuccess: () => void client.invalidateQueries({ queryKey: findingsQuery.queryKey }),
  })
  const [doing, setDoing] = useState<{ one: Finding; way: Way } | null>(null)
  const cards = useHasCards()
  const failed = error ?? check.error
  return (
    <section className={styles.version} aria-label={t('flowVersions.findings')}>
      <h2>
        {t('flowVersions.findings')}
        <Button size="small" loading={check.isPending} onClick={() => check.mutate()}>
          {t('flowVersions.check')}
        </Button>
      </h2>
      {failed && <p role="alert">{errorText(failed)}</p>}
      {check.isSuccess && <p role="status">{t('flowVersions.checking')}</p>}
      {data?.content.length === 0 && <p className={styles.note}>{t('flowVersions.noFindings')}</p>}
      {data && data.content.length > 0 && (
        <List of={data.content} cards={cards} onDo={(one, way) => setDoing({ one, way })} />
      )}
      {doing && <Doing {...doing} onClose={() => setDoing(null)} />}
    </section>
  )
}

interface ListProps {
  of: Finding[]
  /** There is no room for a table. */
  cards: boolean
  onDo: (one: Finding, way: Way) => void
}

function List({ of, cards, onDo }: ListProps) {
  const words = useFlowWords()
  const { t } = words
  const key = (one: Finding) => `${one.instance.workflowInstanceId}/${one.kind}/${one.workItemId ?? one.activityCode}`
  const problem = (one: Finding) => t(`flowVersions.kinds.${one.kind}`, { name: one.person?.name ?? '' })
  const ways = (one: Finding) => one.ways.map((way) => <WayOut key={way} one={one} way={way} onDo={onDo} />)
  if (cards)
    return (
      <ul className={frame.cards}>
        {of.map((one) => (
          <li key={key(one)}>
            <div className={frame.cardHead}>
              <Named one={one} />
            </div>
            <Glance of={one.instance} words={words} />
            <p>{[problem(one), words.activity(one)].filter(Boolean).join(' · ')}</p>
            <div className={styles.ways}>{ways(one)}</div>
            <p className="tabular">{words.time(one.foundTime)}</p>
          </li>
        ))}
      </ul>
    )
  return (
    <table className={frame.table}>
      <thead>
        <tr>
          <th>{t('flow.workflow')}</th>
          <th>{t('flowVersions.finding')}</th>
          <th>{t('flow.node')}</th>
          <th>{t('flowVersions.ways')}</th>
          <th>{t('flow.time')}</th>
        </tr>
      </thead>
      <tbody>
        {of.map((one) => (
          <tr key={key(one)}>
            <td className={styles.wide}>
              <Named one={one} />
              <Glance of={one.instance} words={words} />
            </td>
            <td>{problem(one)}</td>
            <td>{words.activity(one)}</td>
            <td>
              <div className={styles.ways}>{ways(one)}</div>
            </td>
            <td className="tabular">{words.time(one.foundTime)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The name of a workflow, which leads to its course unless that cannot be read. */
function Named({ one: { kind, instance } }: { one: Finding }) {
  if (kind === 'BROKEN') return <span className={frame.cardName}>{instance.instanceName}</span>
  return (
    <Link className={frame.link} to={trackPath(instance.workflowInstanceId)}>
      {instance.instanceName}
    </Link>
  )
}

/** A way out of a problem: a button, or where a step has to be chosen a link to the steps. */
function WayOut({ one, way, onDo }: { one: Finding; way: Way; onDo: ListProps['onDo'] }) {
  const { t } = useFlowWords()
  const text = t(`flowVersions.wayOf.${way}`)
  const about = t('flowVersions.wayFor', { way: text, name: one.instance.instanceName })
  if (way === 'jump')
    return (
      <Link to={trackPath(one.instance.workflowInstanceId)} aria-label={about}>
        {text}
      </Link>
    )
  return (
    <Button size="small" aria-label={about} onClick={() => onDo(one, way)}>
      {text}
    </Button>
  )
}

/** The dialog of a way out. What belongs to somebody who has left is handed over as a whole. */
function Doing({ one, way, onClose }: { one: Finding; way: Way; onClose: () => void }) {
  const words = useFlowWords()
  const { instance, person, activityCode } = one
  if (way === 'delete') return <DeleteDialog instance={instance} stays onClose={onClose} />
  if (way === 'handOver') return person && <HandOverDialog from={person} onClose={onClose} />
  if (way === 'adjust')
    return (
      <AdminDialog act={way} node={{ activityCode }} name={words.activity(one)} instance={instance} onClose={onClose} />
    )
  if (way !== 'void') return null
  return <AdminDialog act={way} node={null} name={instance.instanceName} instance={instance} onClose={onClose} />
}
