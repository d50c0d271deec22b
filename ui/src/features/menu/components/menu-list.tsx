import { Input, Skeleton } from 'antd'
import { type MouseEvent, useEffect, useMemo, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { MenuNode } from '@/api/types'
import { Highlight } from '@/components/highlight'
import { Icon, isIcon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useMatcher } from '@/lib/use-matcher'
import { carriedOf, entryLink } from '@/sdk/menu-link'
import { useText } from '@/sdk/use-text'
import { useMenuStore } from '../menu-store'
import { firstEntry, pathTo, visibleEntries, withoutEmptyFolders } from '../menu-tree'
import { useOpenEntry } from '../use-open-entry'
import styles from './menu-list.module.css'

interface Props {
  nodes: MenuNode[] | undefined
  current: string | null
  onOpened?: () => void
  /** A folder that is opened leads to its first entry: the page is beside the menu. */
  leads?: boolean
}

/** Whether a click opens another tab or window. */
const beside = (event: MouseEvent) => event.ctrlKey || event.metaKey || event.shiftKey || event.altKey

/** The entries of an application, searchable by name and pinyin. */
export function MenuList({ nodes, current, onOpened, leads = false }: Props) {
  const t = useText()
  const locale = useLocale()
  const [query, setQuery] = useState('')
  const match = useMatcher(query !== '')
  const closedList = useMenuStore((s) => s.closed)
  const toggleFolder = useMenuStore((s) => s.toggleFolder)
  const open = useOpenEntry()
  const { search } = useLocation()
  const carried = useMemo(() => carriedOf(search), [search])
  const openFolders = useMenuStore((s) => s.openFolders)
  const tree = useMemo(() => withoutEmptyFolders(nodes ?? []), [nodes])
  const closed = useMemo(() => new Set(closedList), [closedList])
  // The entry that is shown is seen in the menu, also when its folder was closed at the last visit.
  useEffect(() => {
    if (current) openFolders((pathTo(tree, current) ?? []).map(({ id }) => id))
  }, [tree, current, openFolders])
  const entries = visibleEntries(tree, { closed, query: query.trim(), locale, match })
  const enter = (node: MenuNode) => {
    toggleFolder(node.id)
    const within = current !== null && pathTo(node.children, current) !== null
    const first = leads && closed.has(node.id) && !within ? firstEntry(node) : null
    if (first) open(first)
  }
  const choose = (node: MenuNode) => {
    if (node.type === 'Folder') return enter(node)
    if (node.id !== current || !entryLink(node)) open(node)
    onOpened?.()
  }
  const firstMatch = entries.find((entry) => entry.node.type !== 'Folder')
  return (
    <div className={styles.menu}>
      <Input
        className={styles.search ?? ''}
        variant="filled"
        size="small"
        allowClear
        aria-label={t('shell.searchMenu')}
        placeholder={t('shell.searchMenu')}
        prefix={<Icon name="search" size={14} />}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onPressEnter={() => query && firstMatch && choose(firstMatch.node)}
      />
      {!nodes && (
        <Skeleton active title={false} paragraph={{ rows: 6, width: ['60%', '80%', '70%', '80%', '50%', '70%'] }} />
      )}
      <ul className={styles.list}>
        {entries.map(({ node, depth, hits }) => {
          const folder = node.type === 'Folder'
          const expanded = folder && (query !== '' || !closed.has(node.id))
          const link = folder ? null : entryLink(node, carried)
          const look = {
            className: styles.entry ?? '',
            style: { paddingInlineStart: 12 + depth * 24 },
            'aria-current': node.id === current ? ('page' as const) : undefined,
          }
          const face = (
            <>
              {depth === 0 && (
                <Icon
                  name={
                    isIcon(node.icon)
                      ? node.icon
                      : folder
                        ? 'folder'
                        : node.type === 'Page'
                          ? node.page
                            ? 'panel'
                            : 'external'
                          : 'table'
                  }
                />
              )}
              <span className={styles.name} title={localName(node, locale)}>
                <Highlight text={localName(node, locale)} positions={hits} />
              </span>
              {folder && (
                <span className={styles.caret} data-caret>
                  <Icon name={expanded ? 'down' : 'right'} size={12} />
                </span>
              )}
            </>
          )
          return (
            <li key={node.id}>
              {link ? (
                <Link
                  {...look}
                  to={link.to}
                  {...(link.external ? { target: '_blank', rel: 'noopener' } : {})}
                  onClick={(event) => {
                    if (node.id === current && !beside(event)) event.preventDefault()
                    onOpened?.()
                  }}
                >
                  {face}
                </Link>
              ) : (
                <button
                  {...look}
                  type="button"
                  aria-expanded={folder ? expanded : undefined}
                  onClick={(event) => {
                    const caret = event.target instanceof Element && event.target.closest('[data-caret]')
                    if (folder && caret) toggleFolder(node.id)
                    else choose(node)
                  }}
                  onKeyDown={(event) => {
                    const to = { ArrowRight: true, ArrowLeft: false }[event.key]
                    if (folder && query === '' && to !== undefined && to !== expanded) toggleFolder(node.id)
                  }}
                >
                  {face}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {query && entries.length === 0 && <p className={styles.nothing}>{t('shell.noMenuMatch', { query })}</p>}
    </div>
  )
}
