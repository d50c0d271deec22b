import {
  defaultFilter,
  type FieldPlan,
  get,
  post,
  type QueryCondition,
  requestFilters,
  useErrorText,
  useLocale,
  useText,
  useTextContext,
  valueText,
} from '@sluice/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { shownColumns, tableColumns } from './record-columns'
import { PAGE_SIZE, RecordDialog, useRecordSearch } from './record-dialog'
import type { Related } from './relation'

interface Props {
  field: FieldPlan
  relativeCode: string
  /** The list to open; null = the model's first. */
  queryCode: string | null
  multiple: boolean
  chosen: Related[]
  onChoose: (records: Related[]) => void
  onCancel: () => void
}

interface Row {
  id: string
  data: Record<string, unknown>
}

/** The list of the related model. */
export function RecordPicker({ field, relativeCode, queryCode, ...dialog }: Props) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const errorText = useErrorText()
  const search = useRecordSearch()
  const config = useQuery({
    queryKey: ['list', relativeCode, 'config', queryCode],
    queryFn: ({ signal }) =>
      get('/api/runtime/query/config', { schemaCode: relativeCode, ...(queryCode ? { queryCode } : {}) }, { signal }),
    retry: false,
  })
  const asked = {
    schemaCode: relativeCode,
    queryCode: config.data?.queryCode ?? '',
    page: search.page,
    size: PAGE_SIZE,
    filters: hiddenFilters(config.data?.queryConditions ?? []),
    ...(search.word ? { keyword: search.word } : {}),
  }
  const rows = useQuery({
    queryKey: ['list', relativeCode, 'picker', asked],
    enabled: config.data !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => post('/api/runtime/query/list', asked, { signal }),
  })
  const columns = shownColumns(config.data?.queryColumns ?? [], field.relativePropertyCode)
  const nameOf = (row: Row) => {
    const shown = columns[0]
    return (shown && valueText(row.data[shown.propertyCode], shown, context)) || row.id
  }
  const error = config.error ?? rows.error
  return (
    <RecordDialog<Row, Related>
      {...dialog}
      field={field}
      search={search}
      notice={
        error && <Alert type="warning" role="alert" title={errorText(error)} description={t('filter.noRecordList')} />
      }
      blocked={error !== null}
      searchable={config.data?.searchable !== false}
      loading={config.isPending || rows.isFetching}
      rows={rows.data?.content ?? []}
      total={rows.data?.totalElements ?? 0}
      columns={tableColumns<Row>(columns, locale, context, (row) => row.data)}
      entryOf={(row) => ({ id: row.id, name: nameOf(row) })}
    />
  )
}

/** What the list always restricts itself to. */
function hiddenFilters(conditions: QueryCondition[]) {
  const hidden = conditions.filter((condition) => !condition.visible)
  const starts = hidden.flatMap((condition) => {
    const start = defaultFilter(condition)
    return start ? [[condition.propertyCode, start] as const] : []
  })
  return requestFilters(hidden, Object.fromEntries(starts))
}
