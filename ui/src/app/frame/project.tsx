import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import { useEffect } from 'react'
import { get, getAt } from '@/api/client'
import { useFeedback } from '@/sdk/feedback'
import { chooseProject, useProject } from '@/sdk/project'
import { useText } from '@/sdk/use-text'
import styles from './header.module.css'

const CODE = 'default'

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

type Node = Awaited<ReturnType<typeof treeQuery.queryFn>>[number]

function find(nodes: Node[], key: string): Node | null {
  for (const node of nodes) {
    const found = node.key === key ? node : find(node.children, key)
    if (found) return found
  }
  return null
}

const keysOf = (node: Node): string[] => [node.key, ...node.children.flatMap(keysOf)]

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
      onChange={(key: string | null) => {
        const node = key ? find(tree, key) : null
        chooseProject(
          node && { projectKey: node.key, projectName: node.title, model: config.treeModel, keys: keysOf(node) },
        )
      }}
    />
  )
}
