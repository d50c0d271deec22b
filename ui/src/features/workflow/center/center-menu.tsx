import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { Hint } from '@/components/hint'
import { Icon, type IconName } from '@/components/icon'
import { administersWorkflows, delegates, overseesWorkflows, useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { useWorkCounts } from '@/sdk/work-counts'
import { LISTS, type ListKind, listPath } from '@/sdk/work-items'
import styles from '../workflow.module.css'

type Name =
  | 'unfinished'
  | 'finished'
  | 'unread'
  | 'read'
  | 'mine'
  | 'start'
  | 'delegation'
  | 'query'
  | 'tasks'
  | 'versions'

/** The pages of the center, in the order of its menu. */
const PAGES: { name: Name; path: string; icon: IconName }[] = [
  { name: 'unfinished', path: 'my-unfinished-workitem', icon: 'inbox' },
  { name: 'finished', path: 'my-finished-workitem', icon: 'check' },
  { name: 'unread', path: 'my-unread-workitem', icon: 'bell' },
  { name: 'read', path: 'my-read-workitem', icon: 'eye' },
  { name: 'mine', path: 'my-workflow', icon: 'user' },
  { name: 'start', path: 'start-workflow', icon: 'plus' },
  { name: 'delegation', path: 'delegation-workflow', icon: 'refresh' },
  { name: 'query', path: 'query-instance', icon: 'search' },
  { name: 'tasks', path: 'query-participant-workItem', icon: 'sliders' },
  { name: 'versions', path: 'workflow-versions', icon: 'history' },
]

/** Who sees a page that is not for everybody. */
const FOR: Partial<Record<Name, (me: ReturnType<typeof useMe>) => boolean>> = {
  delegation: delegates,
  query: overseesWorkflows,
  tasks: overseesWorkflows,
  versions: administersWorkflows,
}

const isList = (name: Name): name is ListKind => LISTS.some((one) => one === name)

interface MenuProps {
  look: 'side' | 'icons' | 'row'
  /** Of the menu beside the pages, or of its icons, in pixels. */
  width: number
  /** What that one is made wider with. */
  edge: ReactNode
}

/** The menu of the center, whose lists and counts stay with the application of the address: beside its pages, as icons when it is collapsed, above them where there is no room. */
export function CenterMenu({ look, width, edge }: MenuProps) {
  const t = useText()
  const me = useMe()
  const { pathname, search } = useLocation()
  const appCode = new URLSearchParams(search).get('appCode')
  const counts = useWorkCounts(appCode)
  const small = look === 'icons'
  const row = useRef<HTMLUListElement>(null)
  // Above the pages the menu is wider than the screen: the open page comes into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is open, or figures have moved it
  useEffect(() => {
    const menu = row.current
    const open = menu?.querySelector('[aria-current]')
    if (look !== 'row' || !menu || !open) return
    const [all, one] = [menu.getBoundingClientRect(), open.getBoundingClientRect()]
    menu.scrollLeft += one.left + one.width / 2 - (all.left + all.width / 2)
  }, [look, pathname, counts.unfinished, counts.unread])
  const figure = (name: Name) => (name === 'unfinished' || name === 'unread' ? counts[name] : 0)
  return (
    <nav
      className={look === 'row' ? undefined : styles.side}
      style={look === 'row' ? undefined : { width }}
      aria-label={t('workflow.menu')}
    >
      <ul ref={row} className={look === 'row' ? styles.row : styles.menu} data-small={small || undefined}>
        {PAGES.filter(({ name }) => FOR[name]?.(me) ?? true).map(({ name, path, icon }) => {
          const count = figure(name)
          const counted = name === 'unfinished' || name === 'unread'
          const label = count > 0 && counted ? t(`workflow.${name}Count`, { count }) : t(`workflow.${name}`)
          return (
            <li key={name}>
              <Hint title={small ? t(`workflow.${name}`) : null}>
                <Link
                  className={styles.entry}
                  to={isList(name) ? listPath(name, appCode) : `/workflow-center/${path}`}
                  aria-label={label}
                  aria-current={pathname.endsWith(`/${path}`) ? 'page' : undefined}
                >
                  <Icon name={icon} />
                  {!small && <span className={styles.entryName}>{t(`workflow.${name}`)}</span>}
                  {count > 0 && ' '}
                  {(count > 0 || (counted && look === 'row')) && ( // in a row it keeps its place: those after it must not move
                    <span
                      className={styles.figure}
                      data-late={(name === 'unfinished' && counts.timeout > 0) || undefined}
                      aria-hidden="true"
                    >
                      {count > 99 ? '99+' : count || ''}
                    </span>
                  )}
                </Link>
              </Hint>
            </li>
          )
        })}
      </ul>
      {look === 'side' && edge}
    </nav>
  )
}
