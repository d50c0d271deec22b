import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { getAt } from '@/api/client'
import { useFeedback } from '@/sdk/feedback'
import styles from './header.module.css'

const ProjectTree = lazy(() => import('./project-tree').then((m) => ({ default: m.ProjectTree })))

export const CODE = 'default'

export type Signal = { signal: AbortSignal }
const configQuery = {
  queryKey: ['project', 'config'] as const,
  queryFn: ({ signal }: Signal) => getAt('/api/sysConfig/projectConfig/{code}', { code: CODE }, { signal }),
  staleTime: 300_000,
  retry: false,
}
export type ProjectConfig = Awaited<ReturnType<typeof configQuery.queryFn>>

/** The name of the project, or the choice among several. An installation without projects shows nothing. */
export function ProjectName() {
  const feedback = useFeedback()
  const { data: config, error } = useQuery(configQuery)
  useEffect(() => {
    if (error) feedback.error(error)
  }, [error, feedback])
  if (config?.multiProjectFlag)
    return (
      <Suspense fallback={<span className={styles.project} />}>
        <ProjectTree config={config} />
      </Suspense>
    )
  if (!config?.title) return null
  return (
    <span className={styles.placeName} title={config.title}>
      {config.title}
    </span>
  )
}
