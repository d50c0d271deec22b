import { type Entry, EntryName, get, useText } from '@sluice/sdk'
import { ConfigProvider, Empty, Spin, Tree } from 'antd'
import { useEffect, useState } from 'react'
import type { Kind } from './party-kinds'

interface Node {
  key: string
  title: string
  entry: Entry
  isLeaf: boolean
  checkable: boolean
  children?: Node[]
}

interface Props {
  at: { schemaCode: string; propertyCode: string }
  kinds: Kind[]
  chosen: string[]
  onToggle: (entry: Entry) => void
}

const MOST = 500

/** The organisation: departments open when they are asked for, their people stand below them. */
export function PartyTree({ at, kinds, chosen, onToggle }: Props) {
  const t = useText()
  const [roots, setRoots] = useState<Node[] | null>(null)
  const { schemaCode, propertyCode } = at
  const kindKey = kinds.join()
  const below = async (parentId: string): Promise<Node[]> => {
    const people = kindKey.includes('user')
    const ask = (kind: Kind) =>
      get('/api/runtime/form/options', { schemaCode, propertyCode, kind, parentId, page: 0, size: MOST })
    const [departments, members] = await Promise.all([
      ask('department'),
      people && parentId ? ask('user') : { content: [] as Entry[] },
    ])
    return [
      ...departments.content.map((entry) => ({
        key: entry.id,
        title: entry.name,
        entry,
        isLeaf: !people && (entry.leaf ?? false),
        checkable: kindKey.includes('department'),
      })),
      ...members.content.map((entry) => ({
        key: `${parentId}/${entry.id}`,
        title: entry.name,
        entry,
        isLeaf: true,
        checkable: true,
      })),
    ]
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the roots depend on what is asked for, which the keys say
  useEffect(() => {
    let gone = false
    setRoots(null)
    void below('').then(
      (nodes) => !gone && setRoots(nodes),
      () => !gone && setRoots([]),
    )
    return () => {
      gone = true
    }
  }, [schemaCode, propertyCode, kindKey])
  if (!roots) return <Spin style={{ width: '100%', padding: 16 }} />
  if (roots.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('list.nothingToChoose')} />
  return (
    <ConfigProvider theme={{ components: { Tree: { colorBgContainer: 'transparent' } } }}>
      <Tree<Node>
        blockNode
        checkable
        checkStrictly
        height={280}
        treeData={roots}
        checkedKeys={checkedKeys(roots, chosen)}
        loadData={async (node) => {
          if (node.children || node.isLeaf) return
          const children = await below(node.entry.id)
          setRoots((before) => before && withChildren(before, node.key, children))
        }}
        titleRender={(node) => <EntryName entry={node.entry} />}
        onCheck={(_, { node }) => onToggle(node.entry)}
        onSelect={(_, { node }) => node.checkable && onToggle(node.entry)}
      />
    </ConfigProvider>
  )
}

const walk = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...walk(node.children ?? [])])

const checkedKeys = (nodes: Node[], chosen: string[]) =>
  walk(nodes)
    .filter((node) => node.checkable && chosen.includes(node.entry.id))
    .map((node) => node.key)

const withChildren = (nodes: Node[], key: string, children: Node[]): Node[] =>
  nodes.map((node) => {
    if (node.key === key) return { ...node, children }
    return node.children ? { ...node, children: withChildren(node.children, key, children) } : node
  })
