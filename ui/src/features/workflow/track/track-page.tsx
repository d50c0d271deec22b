import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { usePageTitle } from '@/lib/page-title'
import { useText } from '@/sdk/use-text'
import { trackQuery } from '../api'
import styles from './track.module.css'
import { TrackView } from './track-view'

/** The course of an instance, on a page of its own. */
export function TrackPage() {
  const t = useText()
  const { workflowInstanceId = '' } = useParams()
  const { data } = useQuery(trackQuery(workflowInstanceId))
  usePageTitle(data ? t('flow.trackOf', { name: data.instance.instanceName }) : t('flow.track'))
  return (
    <div className={styles.page}>
      <TrackView workflowInstanceId={workflowInstanceId} page />
    </div>
  )
}
