import { infiniteQueryOptions } from '@tanstack/react-query'
import { address, get } from '@/api/client'
import { downloadFile } from '@/api/files'
import type { components } from '@/api/schema.gen'

export type Entry = components['schemas']['AuditEntry']
export type Kind = Entry['kind']

export interface AuditFilter {
  kind?: string
  person?: string
  /** An instant. */
  from?: string
}

/** Saves the entries as CSV. */
export const exportAudit = (filter: AuditFilter) => downloadFile(address('/api/system/audit/export', { ...filter }))

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
