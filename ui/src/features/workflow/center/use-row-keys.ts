import { useRef } from 'react'
import { useHotkey } from '@/lib/hotkeys'
import type { ListKind, WorkItem } from '@/sdk/work-items'

interface Rows {
  kind: ListKind
  items: WorkItem[]
  ticked: ReadonlySet<string>
  onTick: (id: string, on: boolean, range: boolean) => void
  onAgree: (item: WorkItem) => void
}

/** Keys of a list of tasks: J and K go to the next and the one before, Enter opens, X ticks and Shift+X ticks up to here, A agrees after asking. */
export function useRowKeys<T extends HTMLElement>({ kind, items, ticked, onTick, onAgree }: Rows) {
  const rows = useRef<T>(null)
  const links = (): Element[] => [...(rows.current?.querySelectorAll('[data-task]') ?? [])]
  const go = (by: 1 | -1) => {
    const all = links()
    const at = document.activeElement ? all.indexOf(document.activeElement) : -1
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by
    const link = all[next]
    if (link instanceof HTMLElement) link.focus()
    link?.scrollIntoView({ block: 'nearest' })
  }
  const current = () => {
    const id = (document.activeElement as HTMLElement | null)?.dataset.task
    return items.find((item) => item.workItemId === id)
  }
  useHotkey('j', () => go(1))
  useHotkey('k', () => go(-1))
  const tick = (range: boolean) => {
    const item = current()
    if (item && (item.batch || kind === 'unread')) onTick(item.workItemId, range || !ticked.has(item.workItemId), range)
  }
  useHotkey('x', () => tick(false))
  useHotkey('shift+x', () => tick(true))
  useHotkey('a', () => {
    const item = current()
    if (item?.batch) onAgree(item)
  })
  return rows
}
