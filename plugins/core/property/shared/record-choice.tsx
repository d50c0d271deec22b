import { type Entry, type FormField, get, localName, post, useErrorText, useLocale, useTextContext } from '@sluice/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { shownColumns, tableColumns } from './record-columns'
import { PAGE_SIZE, RecordDialog, useRecordSearch } from './record-dialog'

interface Props {
  field: FormField
  relativeCode: string
  queryKey: readonly unknown[]
  /** A page of what may be chosen. */
  page: (
    asked: { keyword: string; page: number; size: number },
    signal?: AbortSignal,
  ) => Promise<{ content: Entry[]; totalElements: number }>
  multiple: boolean
  chosen: Entry[]
  onChoose: (entries: Entry[]) => void
  onCancel: () => void
}

/** What the related model's list says of records, by their ids; nothing where the reader has no such list. */
function useDetails(relativeCode: string, ids: string[]) {
  const config = useQuery({
    queryKey: ['list', relativeCode, 'config', null],
    queryFn: ({ signal }) => get('/api/runtime/query/config', { schemaCode: relativeCode }, { signal }),
    retry: false,
  })
  const queryCode = config.data?.queryCode
  const rows = useQuery({
    queryKey: ['list', relativeCode, 'choice', queryCode, ids],
    enabled: queryCode !== undefined && ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const asked = { schemaCode: relativeCode, queryCode: queryCode ?? '', objectIds: ids, size: PAGE_SIZE }
      const { content } = await post('/api/runtime/query/list', asked, { signal })
      return new Map(content.map((row) => [row.id, row.data as Record<string, unknown>]))
    },
  })
  return { columns: config.data?.queryColumns ?? [], rows: rows.data }
}

/** The records that may be chosen, with what the related model's list says of them. */
export function RecordChoice({ field, relativeCode, queryKey, page: ask, ...dialog }: Props) {
  const locale = useLocale()
  const context = useTextContext()
  const errorText = useErrorText()
  const search = useRecordSearch()
  const offered = useQuery({
    queryKey: [...queryKey, search.word, search.page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => ask({ keyword: search.word, page: search.page, size: PAGE_SIZE }, signal),
  })
  const entries = offered.data?.content ?? []
  const { columns, rows } = useDetails(
    relativeCode,
    entries.map((entry) => entry.id),
  )
  const others = shownColumns(columns, field.relativePropertyCode).filter(
    (column) => column.propertyCode !== field.relativePropertyCode,
  )
  return (
    <RecordDialog<Entry, Entry>
      {...dialog}
      field={field}
      search={search}
      notice={offered.error && <Alert type="warning" role="alert" title={errorText(offered.error)} />}
      loading={offered.isFetching}
      rows={entries}
      total={offered.data?.totalElements ?? 0}
      columns={[
        { key: 'name', title: localName(field, locale), ellipsis: true, render: (_, entry) => entry.name },
        ...tableColumns<Entry>(others, locale, context, (entry) => rows?.get(entry.id)),
      ]}
      entryOf={(entry) => entry}
    />
  )
}
