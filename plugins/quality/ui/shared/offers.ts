import { get } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { codes } from '../codes'
import { type Ask, authorityQuery, QUALITY, recordQuery, rowsQuery, sheetsQuery } from './api'

/** What can be done with a node, by what leads somewhere and by what the caller may write of it. */
export type Offers = ReturnType<typeof useOffers>

type Loaded = Awaited<ReturnType<ReturnType<typeof recordQuery>['queryFn']>>

/** Whether a field of a record may be written: some may edit a node, and of its fields only those of a concession. */
export const writes = (record: Pick<Loaded, 'form'> | undefined, code: string) =>
  record?.form.fields.some((field) => field.propertyCode === code && !field.readOnly) ?? false

export function useOffers(id: string) {
  const enabled = id !== ''
  const may = useQuery({ ...authorityQuery(id), enabled }).data
  const record = useQuery({ ...recordQuery(codes.node, id), enabled: enabled && may?.canEdit === true }).data
  const row = useQuery({ ...rowsQuery(codes.node, { ids: [id] }), enabled }).data?.[0]
  const sheets = useQuery({ ...sheetsQuery(id), enabled }).data
  const print = useQuery({
    queryKey: [QUALITY, 'prints', codes.node],
    queryFn: ({ signal }: Ask) => get('/api/runtime/print/confirm', { schemaCode: codes.node }, { signal }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  return {
    may,
    canRename: writes(record, codes.name),
    canMove: writes(record, codes.parentId),
    canPrint: print?.isPrint === true,
    instance: row?.workflowInstanceId ?? null,
    /** Of nodes above the lowest level, those that have sheets of their own. */
    hasSheets: (sheets ?? []).some(({ jbsId }) => !jbsId),
  }
}
