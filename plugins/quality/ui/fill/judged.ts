import { ApiError, type useFeedback, type useOpenRecord } from '@sluice/sdk'
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
    read('q_record', { ids: [id] }),
    read('q_ncr', { filters: [{ propertyCode: 'recordId', propertyValue: id }], size: 1 }),
  ])
  return {
    conclusion: cell(record, 'conclusion'),
    ok: Number(cell(record, 'okPoints') || 0),
    n: Number(cell(record, 'points') || 0),
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
    run: () => openRecord({ schemaCode: 'q_ncr', id: action.id }),
  })
}

/** The sentences of a refusal in place of their number: which fields, and what is wrong with them. A session that ended has none: its dialog says so. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 401) return ''
  const errors = (error.data as { errors?: { errmsg?: string }[] } | null)?.errors ?? []
  return [...new Set(errors.map(({ errmsg }) => errmsg).filter(Boolean))].join(' ') || undefined
}
