import type { components } from '@/api/schema.gen'

export type Changes = components['schemas']['Changes']
/** `by`: the names of those who changed it, null as soon as one of them may not be known; the name of who deleted it. */
export type RemoteChange = { kind: 'changed'; by: string[] | null } | { kind: 'deleted'; by: string | null } | null

/** What the events of a model say of one record: the last word counts, and nothing changes what is gone. */
export function remoteChangeOf(before: RemoteChange, changes: Changes['changes'], id: string): RemoteChange {
  const last = changes.findLast((change) => change.id === id)
  if (!last) return before
  if (last.kind === 'delete') return { kind: 'deleted', by: last.by ?? null }
  if (last.kind === 'create') return null
  const known = before?.kind === 'changed' ? before.by : []
  return { kind: 'changed', by: last.by && known ? [...new Set([...known, last.by])] : null }
}
