import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useErrorText } from '@/sdk/error-text'
import { trackPath } from '@/sdk/work-items'
import { useFlowWords } from '../task/words'
import frame from '../workflow.module.css'
import { audit, type Finding, findingsQuery, type Way } from './admin-api'
import { AdminDialog, DeleteDialog } from './admin-dialog'
import { HandOverDialog } from './hand-over-dialog'
import styles from './versions.module.css'

/** What audits of running workflows found, with what administrators can do about it: here, or where a step has to be chosen on the page of the instance. */
export function Findings() {
  const words = useFlowWords()
  const { t } = words
  const errorText = useErrorText()
  const client = useQueryClient()
  const { data, error } = useQuery(findingsQuery)
  const check = useMutation({
    mutationFn: audit,
    onSuccess: () => void client.invalidateQueries({ queryKey: findingsQuery.queryKey }),
  })
  const [doing, setDoing] = useState<{ one: Finding; way: Way } | null>(null)
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
            {data.content.map((one) => (
              <tr key={`${one.instance.workflowInstanceId}/${one.kind}/${one.workItemId ?? one.activityCode}`}>
                <td className={styles.wide}>
                  {one.kind === 'BROKEN' ? (
                    one.instance.instanceName
                  ) : (
                    <Link className={frame.link} to={trackPath(one.instance.workflowInstanceId)}>
                      {one.instance.instanceName}
                    </Link>
                  )}
                </td>
                <td>{t(`flowVersions.kinds.${one.kind}`, { name: one.person?.name ?? '' })}</td>
                <td>{words.activity(one)}</td>
                <td className={styles.ways}>
                  {one.ways.map((way) => (
                    <WayOut key={way} one={one} way={way} onDo={() => setDoing({ one, way })} />
                  ))}
                </td>
                <td className="tabular">{words.time(one.foundTime)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {doing && <Doing {...doing} onClose={() => setDoing(null)} />}
    </section>
  )
}

/** A way out of a problem: a button, or where a step has to be chosen a link to the steps. */
function WayOut({ one, way, onDo }: { one: Finding; way: Way; onDo: () => void }) {
  const { t } = useFlowWords()
  const text = t(`flowVersions.wayOf.${way}`)
  const about = t('flowVersions.wayFor', { way: text, name: one.instance.instanceName })
  if (way === 'jump')
    return (
      <Link className={frame.link} to={trackPath(one.instance.workflowInstanceId)} aria-label={about}>
        {text}
      </Link>
    )
  return (
    <Button size="small" danger={way === 'void' || way === 'delete'} aria-label={about} onClick={onDo}>
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
