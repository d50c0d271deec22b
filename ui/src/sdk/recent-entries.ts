import { useQuery } from '@tanstack/react-query'
import { post } from '@/api/client'
import type { Entry } from '@/api/types'
import { useMe } from './me'

type Kind = 'user' | 'department'

/** So many of those whom a person chose last are offered first. */
const KEPT = 8

const placeOf = (me: string) => `recent:${me}`
const kindOf = (entry: Entry): Kind => (entry.type === 1 ? 'department' : 'user')

/** Ids alone are kept: who they are today, and whether they may be chosen, the server says. */
function read(place: string): Record<Kind, string[]> {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Record<Kind, unknown>>
    const ids = (of: unknown) => (Array.isArray(of) ? of.filter((id) => typeof id === 'string').slice(0, KEPT) : [])
    return { user: ids(kept.user), department: ids(kept.department) }
  } catch {
    return { user: [], department: [] }
  }
}

interface Wanted {
  schemaCode: string
  propertyCode: string
  kinds: Kind[]
  enabled: boolean
}

/** The people and departments that the person at this browser chose last, in all forms. */
export function useRecentEntries({ schemaCode, propertyCode, kinds, enabled }: Wanted) {
  const me = useMe()
  const place = me ? placeOf(me.id) : null
  const kept = place && enabled ? read(place) : null
  const asked = kinds.flatMap((kind) => (kept && kept[kind].length > 0 ? [{ kind, ids: kept[kind] }] : []))
  const { data } = useQuery({
    queryKey: ['options', 'recent', schemaCode, propertyCode, asked],
    enabled: enabled && asked.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        asked.map(({ kind, ids }) =>
          post('/api/runtime/form/options', { schemaCode, propertyCode, kind, ids, size: KEPT }, { signal }),
        ),
      )
      return pages.flatMap((page) => page.content)
    },
  })
  const keep = (entries: Entry[]) => {
    if (!place || entries.length === 0) return
    const before = read(place)
    for (const entry of entries) {
      const kind = kindOf(entry)
      before[kind] = [entry.id, ...before[kind].filter((id) => id !== entry.id)].slice(0, KEPT)
    }
    try {
      localStorage.setItem(place, JSON.stringify(before))
    } catch {
      // a full store forgets whom it would have offered first
    }
  }
  return { recent: data ?? [], keep }
}
