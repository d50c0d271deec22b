import { useState } from 'react'
import { useSearch, withParams } from '@/lib/use-search'
import { useMe } from '@/sdk/me'
import { rememberedSize, rememberSize } from '@/sdk/page-size'

/** How many rows a page of the center may have; the first is what it has unless its reader wanted another number. */
export const SIZES = [20, 50, 100] as const

/** How many rows a page of a list has, kept for its reader. */
export function usePageSize(list: string) {
  const me = useMe()?.id
  const key = `workflow-center/${list}`
  const [chosen, setChosen] = useState<number | null>(null)
  const size = chosen ?? rememberedSize(key, me, SIZES) ?? SIZES[0]
  const resize = (next: number) => {
    rememberSize(key, me, next)
    setChosen(next)
  }
  return { size, resize }
}

/** What a list is asked for, kept in its address; each change goes back to the first page. The number of rows is kept for the reader. */
export function useListSearch(list: string) {
  const [search, setSearch] = useSearch()
  const { size, resize } = usePageSize(list)
  const set = (changes: Record<string, string | undefined>) =>
    setSearch((now) => withParams(now, { page: undefined, ...changes }), { replace: true })
  const text = (name: string) => search.get(name) || undefined
  const page = Math.max(0, Number(search.get('page') ?? 1) - 1 || 0)
  const toPage = (next: number, rows: number) => {
    if (rows !== size) resize(rows)
    set({ page: next > 1 && rows === size ? String(next) : undefined })
  }
  return { text, set, page, size, toPage }
}

export type ListSearch = ReturnType<typeof useListSearch>
