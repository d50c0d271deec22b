import { Choice, NodeTree, type TreeItem } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import type { MenuProps } from 'antd'
import { type ReactNode, useCallback, useState } from 'react'
import { texts } from '../texts'
import { type Ask, childrenOf, itemOf, nodesAbove, nodesOfType, QUALITY, searchNodes } from './api'
import type { ProjectPlace } from './use-place'

interface Props {
  project: ProjectPlace
  selected: string | null
  onSelect: (item: TreeItem) => void
  checked?: ReadonlySet<string>
  onCheck?: (item: TreeItem, checked: boolean) => void
  menu?: (item: TreeItem) => MenuProps['items']
  onMenu?: (item: TreeItem) => void
  onRename?: (item: TreeItem) => void
  empty?: ReactNode
  /** Offers to see one unit alone. */
  units?: boolean
  tools?: ReactNode
  openTo?: number
}

/** The breakdown of a project: states, search by name and code, one unit or all. */
export function QbsTree({ project, units = false, empty, tools, ...rest }: Props) {
  const t = texts.useText()
  const [unit, setUnit] = useState<string | null>(null)
  const found = useQuery({ ...nodesOfType(project.key, 'UNIT'), enabled: units })
  const load = useCallback(
    async (parentId: string, ask: Ask) => {
      if (parentId === '' && unit) {
        const all = await nodesOfType(project.key, 'UNIT').queryFn(ask)
        return all.filter((one) => one.id === unit).map((one) => ({ ...itemOf(one), leaf: false }))
      }
      return (await childrenOf(project.key, parentId, ask)).map(itemOf)
    },
    [project.key, unit],
  )
  const search = useCallback((keyword: string, ask: Ask) => searchNodes(project.id, keyword, ask), [project.id])
  return (
    <NodeTree
      key={unit ?? ''}
      label={t('breakdown')}
      queryKey={[QUALITY, 'tree', project.key, unit ?? '']}
      load={load}
      search={search}
      searchLabel={t('searchNode')}
      above={nodesAbove}
      empty={empty ?? <p style={{ padding: 16 }}>{t('noNodes')}</p>}
      noMatch={t('noMatch')}
      hold={units && found.isPending && found.fetchStatus !== 'paused'}
      tools={
        <>
          {units && (found.data?.length ?? 0) > 1 && (
            <Choice
              allowClear
              aria-label={t('unitFilter')}
              placeholder={t('allUnits')}
              value={unit}
              onChange={(next) => setUnit(next ?? null)}
              options={(found.data ?? []).map((one) => ({ value: one.id, label: one.title }))}
            />
          )}
          {tools}
        </>
      }
      {...rest}
    />
  )
}
