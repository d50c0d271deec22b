import { useSearchParams } from 'react-router'

/** What a list is asked for, kept in its address; each change goes back to the first page. */
export function useListSearch() {
  const [search, setSearch] = useSearchParams()
  const set = (changes: Record<string, string | undefined>) =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old)
        for (const [name, value] of Object.entries({ page: undefined, ...changes }))
          if (value) next.set(name, value)
          else next.delete(name)
        return next
      },
      { replace: true },
    )
  const text = (name: string) => search.get(name) || undefined
  const page = Math.max(0, Number(search.get('page') ?? 1) - 1 || 0)
  const toPage = (next: number) => set({ page: next > 1 ? String(next) : undefined })
  return { text, set, page, toPage }
}

export type ListSearch = ReturnType<typeof useListSearch>
