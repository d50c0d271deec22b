import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { get } from '@/api/client'
import { OptionDot } from '@/components/option-dot'
import { useFormState } from '@/sdk/record-link'
import { taskPath, trackPath } from '@/sdk/work-items'
import { useFlowWords } from '../task/words'
import styles from './record-flow.module.css'

export const recordFlowQuery = (schemaCode: string, objectId: string) => ({
  queryKey: ['workflow', 'of-record', schemaCode, objectId] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get('/api/runtime/workflow/base_info', { schemaCode, objectId }, { signal }),
  retry: false,
})

/** In which state the workflow of a record is, who handles it now, and the reader's own task. */
export function RecordFlow({ schemaCode, objectId }: { schemaCode: string; objectId: string }) {
  const words = useFlowWords()
  const { t } = words
  const state = useFormState()
  const { data, isPending } = useQuery(recordFlowQuery(schemaCode, objectId))
  if (isPending) return <div className={styles.bar} />
  if (!data) return null
  const { instance, workItemId } = data
  const { workflowInstanceId } = instance
  return (
    <section className={styles.bar} aria-label={t('recordFlow.title')}>
      <span className={styles.name}>
        <b>{words.workflow(instance)}</b>
        <OptionDot label={words.state(instance)} color={words.stateColour(instance)} />
      </span>
      <ul className={styles.steps}>
        {instance.current.map((place) => (
          <li key={place.activityCode}>
            <span>{words.name(place)}</span>
            {place.people.length > 0 && <small>{t('flow.of', { names: words.names(place.people) })}</small>}
          </li>
        ))}
        {instance.finishTime && (
          <li>
            <small>{t('recordFlow.finished', { time: words.time(instance.finishTime) })}</small>
          </li>
        )}
      </ul>
      <span className={styles.links}>
        {workItemId && (
          <Link to={taskPath({ workItemId, workflowInstanceId })} state={state}>
            {t('recordFlow.task')}
          </Link>
        )}
        <Link to={trackPath(workflowInstanceId, workItemId ?? undefined)}>{t('flow.track')}</Link>
      </span>
    </section>
  )
}
