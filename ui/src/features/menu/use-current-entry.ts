import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import type { MenuNode } from '@/api/types'
import { findEntry } from './menu-tree'
import { menuQuery } from './queries'

/** The entry that the address stands for: by its code, else by the model of the list. */
export function useCurrentEntry(appCode: string): MenuNode | null {
  const { data } = useQuery(menuQuery(appCode))
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const schemaCode = /\/application-list\/([^/]+)/.exec(pathname)?.[1]
  const code = search.get('code')
  const onList = (node: MenuNode) => node.type === 'BizModel' && node.schemaCode === schemaCode
  return findEntry(data ?? [], (node) => onList(node) && node.code === code) ?? findEntry(data ?? [], onList)
}
