import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import { useEffect } from 'react'
import { create } from 'zustand'
import { get, getAt } from '@/api/client'
import { readStored, writeStored } from '@/lib/stored'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import styles from './header.module.css'

const KEY = 'project'
const CODE = 'default'

interface Project {
  projectKey: string
  projectName: string
}

const accept = (value: unknown): value is Project =>
  typeof value === 'object' && value !== null && 'projectKey' in value && 'projectName' in value

/** The project that is chosen in this browser; null = all. */
export const useProject = create<{ project: Project | null }>(() => ({ project: readStored(KEY, accept) }))

function choose(project: Project | null) {
  useProject.setState({ project })
  writeStored(KEY, project)
}

type Signal = { signal: AbortSignal }
const configQuery = {
  queryKey: ['project', 'config'] as const,
  queryFn: ({ signal }: Signal) => getAt('/api/sysConfig/projectConfig/{code}', { code: CODE }, { signal }),
  staleTime: 300_000,
  retry: false,
}
const treeQuery = {
  queryKey: ['project', 'tree'] as const,
  queryFn: ({ signal }: Signal) => get('/api/project/tree', { appCode: CODE }, { signal }),
  staleTime: 60_000,
}

/** The name of the project, or the choice among several. An installation without projects shows nothing. */
export function ProjectName() {
  const t = useText()
  const feedback = useFeedback()
  const { data: config, error } = useQuery(configQuery)
  const many = config?.multiProjectFlag ?? false
  const { data: tree = [], isPending } = useQuery({ ...treeQuery, enabled: many })
  const project = useProject((state) => state.project)
  useEffect(() => {
    if (error) feedback.error(error)
  }, [error, feedback])
  if (!config || (!many && !config.title)) return null
  if (!many)
    return (
      <span className={styles.placeName} title={config.title}>
        {config.title}
      </span>
    )
  return (
    <TreeSelect
      className={styles.project ?? ''}
      variant="filled"
      aria-label={t('shell.project')}
      placeholder={config.title || t('shell.allProjects')}
      value={project?.projectKey ?? null}
      treeData={tree}
      loading={isPending}
      showSearch
      allowClear
      treeDefaultExpandAll={tree.length < 20}
      treeNodeFilterProp="title"
      notFoundContent={t('shell.noProject')}
      popupMatchSelectWidth={280}
      onChange={(key: string | null, labels: unknown[]) =>
        choose(key ? { projectKey: key, projectName: String(labels[0] ?? '') } : null)
      }
    />
  )
}
