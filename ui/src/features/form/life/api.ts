import { get, post } from '@/api/client'

/** Which earlier state of a record is looked at. */
export type Moment = { version: number } | { at: string } | { recycled: true }

/** A record as it was: in a version, at a time, or before it was deleted. */
export const earlierQuery = (schemaCode: string, sheetCode: string | undefined, objectId: string, moment: Moment) => ({
  queryKey: ['recycled' in moment ? 'recycle' : 'history', schemaCode, objectId, sheetCode ?? '', moment] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    'recycled' in moment
      ? post(
          '/api/runtime/recycle/detail',
          { schemaCode, id: objectId, ...(sheetCode ? { sheetCode } : {}) },
          { signal },
        )
      : get(
          '/api/runtime/form/load',
          { schemaCode, objectId, ...(sheetCode ? { sheetCode } : {}), ...moment },
          { signal },
        ),
  retry: false,
  staleTime: 0,
  gcTime: 60_000,
  refetchOnWindowFocus: false,
})
