import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import { type KeyboardEvent, useRef, useState } from 'react'
import { get } from '@/api/client'
import { meant } from '@/lib/meant'
import { chooseProject, useProject } from '@/sdk/project'
import { useText } from '@/sdk/use-text'
import styles from './header.module.css'
import { CODE, type ProjectConfig, type Signal } from './project'

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

const flat = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children)])

const keysOf = (node: Node): string[] => [node.key, ...node.children.flatMap(keysOf)]

/** The choice among several projects: by Enter the one that is typed whole, or that the arrows lead to. */
export function ProjectTree({ config }: { config: ProjectConfig }) {
  const t = useText()
  const { data: tree = [], isPending } = useQuery(treeQuery)
  const project = useProject((state) => state.project)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  /** The arrows were used since the list opened or something was typed. */
  const moved = useRef(false)
  const choose = (key: string | null) => {
    const node = key ? find(tree, key) : null
    chooseProject(
      node && { projectKey: node.key, projectName: node.title, model: config.treeModel, keys: keysOf(node) },
    )
  }
  /** The tree would take what it highlights: the first that has the text. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.startsWith('Arrow')) moved.current = open
    if (event.key !== 'Enter' || !open || moved.current || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    const [one, another] = meant(typed, flat(tree), ({ title }) => [title])
    if (typed && (!one || another)) return
    if (one) choose(one.key)
    show(false)
  }
  const show = (next: boolean) => {
    moved.current = false
    setTyped('')
    setOpen(next)
  }
  return (
    <span className={styles.projectKeys} onKeyDownCapture={onKeyDown}>
      <TreeSelect
        className={styles.project ?? ''}
        variant="filled"
        aria-label={t('shell.project')}
        placeholder={config.title || t('shell.allProjects')}
        value={project?.projectKey ?? null}
        treeData={tree}
        loading={isPending}
        open={open}
        onOpenChange={show}
        showSearch
        searchValue={typed}
        onSearch={(text) => {
          moved.current = false
          setTyped(text)
        }}
        allowClear
        treeDefaultExpandAll={tree.length < 20}
        treeNodeFilterProp="title"
        notFoundContent={t('shell.noProject')}
        popupMatchSelectWidth={280}
        onChange={choose}
      />
    </span>
  )
}
