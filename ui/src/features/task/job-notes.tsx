import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { followEvents } from '@/api/events'
import { useFeedback } from '@/sdk/feedback'
import { importPath, isLive, isShown, type JobProgress, jobQuery } from '@/sdk/jobs'
import { useText } from '@/sdk/use-text'

/** Tells the end of tasks that were under way while this page was open and that no part of it shows. */
export function JobNotes() {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const navigate = useNavigate()
  const tell = useRef((_: string) => {})
  tell.current = async (id: string) => {
    const job = await client.fetchQuery({ ...jobQuery(id), staleTime: 0 }).catch(() => undefined)
    if (!job || isLive(job)) return
    const imported = importPath(job)
    const link = {
      label: t(imported ? 'task.openImport' : 'task.view'),
      run: () => void navigate(imported ?? '/tasks'),
    }
    const { title } = job
    if (job.state === 'done') say.success(t('task.over.done', { title }), link)
    else if (job.state === 'cancelled' && !job.error) say.warning(t('task.over.cancelled', { title }), undefined, link)
    else say.warning(t('task.over.failed', { title, message: job.error?.message ?? '' }), undefined, link)
  }
  useEffect(() => {
    const live = new Set<string>()
    const onJob = (event: MessageEvent<string>) => {
      const job = JSON.parse(event.data) as JobProgress
      if (isLive(job)) live.add(job.id)
      else if (live.delete(job.id) && !isShown(job.id) && !window.location.pathname.startsWith('/tasks'))
        tell.current(job.id)
    }
    return followEvents({ job: onJob }, () => {})
  }, [])
  return null
}
