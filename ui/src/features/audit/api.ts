import { infiniteQueryOptions } from '@tanstack/react-query'
import { get } from '@/api/client'
import type { components } from '@/api/schema.gen'

export type Entry = components['schemas']['AuditEntry']
export type Kind = Entry['kind']

export interface AuditFilter {
  kind?: string
  person?: string
  /** An instant. */
  from?: string
}

const PAGE = 50

/** The log, the newest entry first, a page after the other. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) =>
      get('/api/system/audit', { ...filter, size: PAGE, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  })
