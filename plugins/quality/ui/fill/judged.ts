import { ApiError, type useFeedback, type useOpenRecord } from '@sluice/sdk'
import { codes } from '../codes'
import { cell, rowsQuery } from '../shared/api'
import { texts } from '../texts'

/** What the evaluation said of a record that was saved, and the corrective action that it opened. */
export async function judgedQuery(id: string) {
  const ask = { signal: new AbortController().signal }
  const read = (schemaCode: string, search: Parameters<typeof rowsQuery>[1]) =>
    rowsQuery(schemaCode, search)
      .queryFn(ask)
      .catch(() => [])
  const [[record], [action]] = await Promise.all([
    read(codes.record, { ids: [id] }),
    read(codes.ncr, { filters: [{ propertyCode: codes.recordId, propertyValue: id }], size: 1 }),
  ])
  return {
    conclusion: cell(record, codes.conclusion),
    ok: Number(cell(record, codes.okPoints) || 0),
    n: Number(cell(record, codes.points) || 0),
    action: action ? { id: action.id, number: cell(action, 'sequenceNo') } : null,
  }
}

type Judged = Awaited<ReturnType<typeof judgedQuery>>

/** Says it: a failed lot is a warning, with a link to what has to be done. */
export function sayJudged(
  { conclusion, ok, n, action }: Judged,
  say: Pick<ReturnType<typeof useFeedback>, 'success' | 'warning'>,
  openRecord: ReturnType<typeof useOpenRecord>,
) {
  const t = texts.text
  if (conclusion === 'OK') return say.success(t('savedOk', { ok, n }))
  if (conclusion === 'INCOMPLETE') return say.warning(t('savedIncomplete', { ok, n }))
  if (conclusion !== 'NOT_OK') return say.success(t('saved'))
  if (!action) return say.warning(t('savedBad', { ok, n }), 8)
  say.warning(t('savedBadAction', { ok, n, number: action.number }), 8, {
    label: t('openAction'),
    run: () => openRecord({ schemaCode: codes.ncr, id: action.id }),
  })
}

interface FieldFault {
  propertyCode: string
  row?: string
  errmsg?: string
}

const faultsOf = (error: unknown) =>
  error instanceof ApiError ? ((error.data as { errors?: FieldFault[] } | null)?.errors ?? []) : []

/** What the server says of the rows of a file, by row and column. */
export const refusedRows = (error: unknown) =>
  faultsOf(error).flatMap(({ propertyCode, row, errmsg }) =>
    row && errmsg ? [{ row, col: propertyCode, errmsg }] : [],
  )

/** What the server says of each field; of a check item by "item" and its id, whose places the record has in this order. */
export function refusedFields(error: unknown, items: readonly string[]): Record<string, string> {
  const out: Record<string, string> = {}
  for (const { propertyCode, row, errmsg } of faultsOf(error)) {
    const item = row?.startsWith('#') ? items[Number(row.slice(1)) - 1] : undefined
    const at = item ? itemKey(item) : propertyCode
    if (errmsg) out[at] = [out[at], errmsg].filter(Boolean).join(' ')
  }
  return out
}

export const itemKey = (id: string) => `item ${id}`

/** The sentences of a refusal in place of their number: which fields, and what is wrong with them. A session that ended has none: its dialog says so. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 401) return ''
  return (
    [
      ...new Set(
        faultsOf(error)
          .map(({ errmsg }) => errmsg)
          .filter(Boolean),
      ),
    ].join(' ') || undefined
  )
}
