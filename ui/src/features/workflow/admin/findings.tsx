import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useErrorText } from '@/sdk/error-text'
import { trackPath } from '@/sdk/work-items'
import { useFlowWords } from '../task/words'
import frame from '../workflow.module.css'
import { audit, findingsQuery } from './admin-api'
import styles from './versions.module.css'

/** What audits of running workflows found, with what administrators can do about it on the page of the instance. */
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
                  <Link className={frame.link} to={trackPath(one.instance.workflowInstanceId)}>
                    {one.instance.instanceName}
                  </Link>
                </td>
                <td>{t(`flowVersions.kinds.${one.kind}`, { name: one.person?.name ?? '' })}</td>
                <td>{words.activity(one)}</td>
                <td>
                  {one.ways.map((way) => t(`flowVersions.wayOf.${way}`)).join(words.locale === 'zh' ? '、' : ', ')}
                </td>
                <td className="tabular">{words.time(one.foundTime)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
