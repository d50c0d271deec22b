import type { ListKind } from '../api'

/** The address of a list of tasks or copies, of one application where it is named. */
export function listPath(kind: ListKind, appCode?: string | null, more: Record<string, string> = {}) {
  const search = new URLSearchParams({ ...(appCode ? { appCode } : {}), ...more }).toString()
  return `/workflow-center/my-${kind}-workitem${search && `?${search}`}`
}
