import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import type { MenuNode } from '@/api/types'
import { useSearch } from '@/lib/use-search'
import { findEntry } from './menu-tree'
import { menuQuery } from './queries'

/** The entry that the address represents: by its code and what it shows, else by the model of the list, the report or the page. */
export function useCurrentEntry(appCode: string): MenuNode | null {
  const { data } = useQuery(menuQuery(appCode))
  const [search] = useSearch()
  const { pathname } = useLocation()
  const schemaCode = /\/application-list\/([^/]+)/.exec(pathname)?.[1]
  const code = search.get('code')
  const reportCode = /\/application-report\/([^/]+)/.exec(pathname)?.[1]
  const page = /\/application-page\/([^/]+\/[^/]+)/.exec(pathname)?.[1]
  const define = /\/application-define\//.test(pathname)
  const home = /\/app-portal-runtime$/.test(pathname)
  const shown = (node: MenuNode) =>
    define
      ? node.type === 'Page' && node.code === code
      : home
        ? node.type === 'HomePage'
        : page
          ? node.type === 'Page' && node.page === page
          : reportCode
            ? node.type === 'Report' && node.reportCode === reportCode
            : node.type === 'BizModel' && node.schemaCode === schemaCode
  const parent = search.get('parentId')
  const coded = (node: MenuNode) => shown(node) && node.code === code
  const named = (node: MenuNode) =>
    node.type === 'Page' && node.code === code && node.pcUrl?.split(/[?#]/, 1)[0] === pathname
  const nodes = data ?? []
  return (
    findEntry(nodes, (node) => named(node) && node.parentId === parent) ??
    findEntry(nodes, named) ??
    findEntry(nodes, (node) => coded(node) && node.parentId === parent) ??
    findEntry(nodes, coded) ??
    findEntry(nodes, shown)
  )
}
