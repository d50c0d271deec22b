import { useSearch, withParams } from '@/lib/use-search'

/** What a list is asked for, kept in its address; each change goes back to the first page. */
export function useListSearch() {
  const [search, setSearch] = useSearch()
  const set = (changes: Record<string, string | undefined>) =>
    setSearch((now) => withParams(now, { page: undefined, ...changes }), { replace: true })
  const text = (name: string) => search.get(name) || undefined
  const page = Math.max(0, Number(search.get('page') ?? 1) - 1 || 0)
  const toPage = (next: number) => set({ page: next > 1 ? String(next) : undefined })
  return { text, set, page, toPage }
}

export type ListSearch = ReturnType<typeof useListSearch>
