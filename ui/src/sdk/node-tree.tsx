import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Dropdown, Input, type MenuProps, Skeleton } from 'antd'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { optionColor } from '@/components/option-dot'
import { useIsPhone } from '@/lib/use-media'
import { useErrorText } from './error-text'
import { useDebounced } from './field-options'
import styles from './node-tree.module.css'
import { branchesOf, cutTitle, keyTarget, type TreeItem, type TreeRow, visibleRows } from './tree-rows'
import { useText } from './use-text'

type Ask = { signal: AbortSignal }

export interface NodeTreeProps {
  label: string
  /** What is read lies in the query cache below it. */
  queryKey: readonly unknown[]
  /** The children of a node; of '' the roots. */
  load: (parentId: string, ask: Ask) => Promise<TreeItem[]>
  /** The nodes that a text finds, with those above them. Without it there is no search. */
  search?: (keyword: string, ask: Ask) => Promise<TreeItem[]>
  searchLabel?: string
  /** The nodes above one, for a node that is chosen from outside. */
  above?: (id: string, ask: Ask) => Promise<TreeItem[]>
  selected: string | null
  onSelect: (item: TreeItem) => void
  /** Nodes can be ticked. */
  checked?: ReadonlySet<string>
  onCheck?: (item: TreeItem, checked: boolean) => void
  /** What can be done with a node, in its menu. */
  menu?: (item: TreeItem) => MenuProps['items']
  /** A node's menu is opened: what may be done with this one can be asked for now. */
  onMenu?: (item: TreeItem) => void
  /** F2 on a node. */
  onRename?: (item: TreeItem) => void
  /** Beside the search. */
  tools?: ReactNode
  /** In place of a tree without nodes. */
  empty: ReactNode
  noMatch: string
  /** Branches down to this level are open at first. */
  openTo?: number
  /** What is above the tree is not known yet: nothing is drawn that it would push away. */
  hold?: boolean
}

const BEYOND = 8

/** As many branches open at first; a level of more is opened by hand. */
const MOST_AT_ONCE = 30
const NONE: TreeItem[] = []

/** How wide a word is, in em: characters of Chinese are as wide as high, others about half. */
const widthOf = (word: string) => [...word].reduce((sum, one) => sum + (one > '\u2e80' ? 1 : 0.65), 0)

/** As wide a column is at most, in em: longer words take what they need, and those beside them nothing more. */
const WIDEST = 4

/** The columns of states and of figures beside them, so that they stand below one another. */
function columnsOf(rows: readonly TreeRow[]): Columns {
  const known = rows.map(({ item }) => item).filter(({ state }) => state)
  const widest = (words: string[]) => Math.min(WIDEST, Math.max(0, ...words.map(widthOf)))
  return {
    state: widest(known.map(({ state }) => state?.label ?? '')),
    figure: widest(known.map(({ figure }) => figure ?? '')),
  }
}

interface Columns {
  state: number
  figure: number
}

/**
 * A tree of records: a branch is read when it is opened, and only what is seen is drawn, so twenty thousand nodes are as quick as twenty. Arrow
 * keys walk it, Enter chooses, Space ticks, the menu's key opens the menu.
 */
export function NodeTree(props: NodeTreeProps) {
  const { label, queryKey, load, search, above, selected, onSelect, checked, onCheck, openTo = 2, hold = false } = props
  const t = useText()
  const errorText = useErrorText()
  const id = useId()
  const phone = useIsPhone()
  const ROW = phone ? 44 : 32
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed.trim(), 200)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set())
  const [cursor, setCursor] = useState<string | null>(null)
  const [menuOf, setMenuOf] = useState<string | null>(null)
  const touched = useRef(false)

  const parents = useMemo(() => ['', ...open], [open])
  const { byParent, root, reading } = useQueries({
    queries: parents.map((parent) => ({
      queryKey: [...queryKey, 'children', parent],
      queryFn: ({ signal }: Ask) => load(parent, { signal }),
    })),
    combine: useCallback(
      (branches: UseQueryResult<TreeItem[]>[]) => {
        const byParent = new Map<string, TreeItem[]>()
        for (const [i, parent] of parents.entries()) {
          const items = branches[i]?.data
          if (items) byParent.set(parent, items)
        }
        const reading = branches.some(
          (branch) => branch.isPending && branch.fetchStatus === 'fetching' && !branch.failureReason,
        )
        return { byParent, root: branches[0], reading }
      },
      [parents],
    ),
  })
  const found = useQuery({
    queryKey: [...queryKey, 'search', keyword],
    queryFn: ({ signal }) => search?.(keyword, { signal }) ?? NONE,
    enabled: keyword !== '' && search !== undefined,
    placeholderData: keepPreviousData,
  })
  const searching = keyword !== '' && search !== undefined
  const hits = useMemo(() => (searching && found.data ? branchesOf(found.data) : null), [searching, found.data])
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set())
  const rows = useMemo(() => {
    if (!hits) return visibleRows((parent) => byParent.get(parent), open)
    const opened = new Set([...hits.keys()].filter((one) => !closed.has(one)))
    return visibleRows((parent) => hits.get(parent)?.map((one) => ({ ...one, leaf: !hits.has(one.id) })), opened)
  }, [hits, byParent, open, closed])

  // At first the upper levels are open, and so is what is above the chosen node. Until they are there nothing is drawn that they would move.
  const [steady, setSteady] = useState(false)
  const closedAbove = useMemo(
    () => rows.filter(({ item, level, open: is }) => level < openTo && !item.leaf && !is),
    [rows, openTo],
  )
  useEffect(() => {
    if (touched.current || searching) return
    if (closedAbove.length > MOST_AT_ONCE) touched.current = true
    else if (closedAbove.length > 0) setOpen((now) => new Set([...now, ...closedAbove.map(({ item }) => item.id)]))
    else if (rows.some(({ level }) => level >= openTo)) touched.current = true
  }, [rows, closedAbove, openTo, searching])

  // What is chosen from outside is looked for once.
  const looked = useRef<string | null>(null)
  const [looking, setLooking] = useState(false)
  const shown = selected !== null && rows.some(({ item }) => item.id === selected)
  const ready = root?.data !== undefined
  useEffect(() => {
    if (!selected || shown || !above || !ready || searching || looked.current === selected) return
    looked.current = selected
    const asking = new AbortController()
    setLooking(true)
    above(selected, { signal: asking.signal })
      .then(
        (items) => {
          touched.current = true
          setOpen((now) => new Set([...now, ...items.map((one) => one.id)]))
        },
        () => {},
      )
      .finally(() => setLooking(false))
    return () => asking.abort()
  }, [selected, shown, above, ready, searching])
  const seeks = looking || (selected !== null && !shown && above !== undefined && looked.current !== selected)
  const opens = !touched.current && closedAbove.length > 0 && closedAbove.length <= MOST_AT_ONCE
  useEffect(() => {
    if (ready && !hold && !reading && !seeks && !opens) setSteady(true)
  }, [ready, hold, reading, seeks, opens])

  const toggle = useCallback(
    (item: TreeItem, to: boolean) => {
      touched.current = true
      const change = (now: ReadonlySet<string>) => {
        const next = new Set(now)
        if (to !== searching) next.add(item.id)
        else next.delete(item.id)
        return next
      }
      if (searching) setClosed(change)
      else setOpen(change)
    },
    [searching],
  )

  const columns = useMemo(() => columnsOf(rows), [rows])
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 640 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const read = () => setView({ top: element.scrollTop, height: element.clientHeight || 640 })
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const at = Math.max(
    0,
    rows.findIndex(({ item }) => item.id === (cursor ?? selected)),
  )
  const reach = (index: number) => {
    const element = box.current
    if (!element) return
    const top = index * ROW
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW - element.clientHeight
  }
  const went = useRef<string | null>(null)
  const place = shown ? rows.findIndex(({ item }) => item.id === selected) : -1
  useEffect(() => {
    if (place < 0 || went.current === selected) return
    went.current = selected
    reach(place)
  })

  const openMenu = (item: TreeItem | null) => {
    if (item) props.onMenu?.(item)
    else box.current?.focus()
    setMenuOf(item?.id ?? null)
  }
  const onKey = (event: KeyboardEvent) => {
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    if (event.key === 'Enter') onSelect(row.item)
    else if (event.key === 'F2' && props.onRename) props.onRename(row.item)
    else if (props.menu && (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) openMenu(row.item)
    else if (event.key === ' ' && checked) onCheck?.(row.item, !checked.has(row.item.id))
    else if (event.key === ' ') onSelect(row.item)
    else if (event.key === 'ArrowRight' && !row.item.leaf && !row.open) toggle(row.item, true)
    else if (event.key === 'ArrowLeft' && row.open) toggle(row.item, false)
    else {
      const key = event.key === 'ArrowRight' && row.open ? 'ArrowDown' : event.key
      const next = keyTarget(key, at, rows, Math.floor(view.height / ROW))
      const item = next === null ? undefined : rows[next]?.item
      if (next === null || !item) return
      setCursor(item.id)
      reach(next)
    }
    event.preventDefault()
  }

  const first = Math.max(0, Math.floor(view.top / ROW) - BEYOND)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW) + BEYOND)
  const asked = searching ? found : root
  const error = asked?.error ?? (asked?.data ? null : asked?.failureReason) // what is tried again by itself says so at once
  const waiting = searching ? !found.data : !ready || !steady
  // A tree has nodes: without them the box is a group, which may hold a placeholder or a message.
  const drawn = !error && !waiting && rows.length > 0
  const ofTree = {
    'aria-multiselectable': checked ? true : undefined,
    'aria-activedescendant': rows[at] ? `${id}-${rows[at].item.id}` : undefined,
  }
  return (
    <div className={styles.tree}>
      {(search || props.tools) && (
        <div className={styles.tools}>
          {search && (
            <Input
              allowClear
              value={typed}
              prefix={<Icon name="search" size={14} />}
              placeholder={props.searchLabel ?? t('common.search')}
              aria-label={props.searchLabel ?? t('common.search')}
              onChange={(event) => {
                setTyped(event.target.value)
                setClosed(new Set())
              }}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowDown') return
                event.preventDefault()
                box.current?.focus()
              }}
            />
          )}
          {props.tools}
        </div>
      )}
      <div
        ref={box}
        className={styles.rows}
        role="tree"
        aria-label={label}
        aria-busy={waiting}
        tabIndex={0}
        {...(drawn ? ofTree : { role: 'group' })}
        onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
        onKeyDown={onKey}
      >
        {error ? (
          <Notice
            icon="alert"
            role="alert"
            title={errorText(error)}
            actions={
              <Button onClick={() => void (searching ? found.refetch() : root?.refetch())}>{t('common.retry')}</Button>
            }
          />
        ) : waiting ? (
          <Skeleton className={styles.waiting ?? ''} active title={false} paragraph={{ rows: 8 }} />
        ) : rows.length === 0 ? (
          searching ? (
            <p className={styles.none}>{props.noMatch}</p>
          ) : (
            props.empty
          )
        ) : (
          <div style={{ height: rows.length * ROW, position: 'relative' }} role="presentation">
            {rows.slice(first, last).map((row, i) => (
              <Line
                key={row.item.id}
                id={`${id}-${row.item.id}`}
                row={row}
                columns={columns}
                top={(first + i) * ROW}
                height={ROW}
                selected={row.item.id === selected}
                active={first + i === at}
                faint={searching && row.item.match === false}
                checked={checked ? checked.has(row.item.id) : null}
                onToggle={() => toggle(row.item, !row.open)}
                onSelect={() => {
                  setCursor(row.item.id)
                  onSelect(row.item)
                }}
                onCheck={(to) => onCheck?.(row.item, to)}
                menu={props.menu?.(row.item)}
                menuOpen={menuOf === row.item.id}
                onMenu={(to) => openMenu(to ? row.item : null)}
                moreLabel={t('common.more')}
              />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

interface LineProps {
  id: string
  row: TreeRow
  columns: Columns
  top: number
  height: number
  selected: boolean
  active: boolean
  faint: boolean
  checked: boolean | null
  onToggle: () => void
  onSelect: () => void
  onCheck: (to: boolean) => void
  menu: MenuProps['items'] | undefined
  menuOpen: boolean
  onMenu: (to: boolean) => void
  moreLabel: string
}

function Line({ id, row, columns, top, height, selected, active, faint, checked, ...does }: LineProps) {
  const { item, level } = row
  const [start, end] = cutTitle(item.title)
  // It begins with what is seen, as the hands of those who speak to the page need it.
  const name = [item.title, item.state?.label, item.figure, item.code].filter(Boolean).join(' ')
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the row that it is on
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree's keys do the same
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={selected}
      aria-checked={checked ?? undefined}
      aria-expanded={item.leaf ? undefined : row.open}
      aria-label={name}
      className={styles.line}
      data-selected={selected || undefined}
      data-active={active || undefined}
      data-faint={faint || undefined}
      style={{ top, height, paddingInlineStart: 8 + (level - 1) * 16 }}
      onClick={does.onSelect}
      title={[item.title, item.code, item.state?.label, item.figure].filter(Boolean).join(' ')}
    >
      {item.leaf ? (
        <span className={styles.twist} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: left and right arrows do the same
        // biome-ignore lint/a11y/useKeyWithClickEvents: left and right arrows do the same
        <span
          className={styles.twist}
          onClick={(event) => {
            event.stopPropagation()
            does.onToggle()
          }}
        >
          <Icon name={row.open ? 'down' : 'right'} size={14} />
        </span>
      )}
      {checked !== null && (
        <Checkbox
          tabIndex={-1}
          aria-label={item.title}
          checked={checked}
          onClick={(event) => event.stopPropagation()}
          onChange={(event) => does.onCheck(event.target.checked)}
        />
      )}
      <span className={styles.title} style={{ minWidth: `min(96px, ${widthOf(item.title) + 0.5}em)` }}>
        <span className={styles.start}>{start}</span>
        {end && <span className={styles.end}>{end}</span>}
      </span>
      {(item.state || item.figure) && (
        <span className={styles.known}>
          {item.state && (
            <>
              <i style={{ background: optionColor(item.state.color) }} />
              <span style={{ minWidth: `${columns.state}em` }}>{item.state.label}</span>
            </>
          )}
          {(item.figure || (item.state && widthOf(item.state.label) <= columns.state && columns.figure > 0)) && (
            <span className={styles.figure} style={item.state ? { minWidth: `${columns.figure}em` } : {}}>
              {item.figure}
            </span>
          )}
        </span>
      )}
      {does.menu && does.menu.length > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the click from choosing the row
        // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps the click from choosing the row
        <span className={styles.menu} onClick={(event) => event.stopPropagation()}>
          <Dropdown
            trigger={['click']}
            placement="bottomRight"
            menu={{ items: does.menu }}
            autoFocus
            open={does.menuOpen}
            onOpenChange={does.onMenu}
          >
            <Button
              type="text"
              size="small"
              tabIndex={active ? 0 : -1}
              aria-label={`${does.moreLabel}: ${item.title}`}
              icon={<Icon name="more" />}
            />
          </Dropdown>
        </span>
      )}
    </div>
  )
}
