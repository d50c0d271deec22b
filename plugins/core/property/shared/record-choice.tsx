import {
  type Entry,
  type FormField,
  get,
  Icon,
  localName,
  post,
  resolveProperty,
  useDebounced,
  useErrorText,
  useLocale,
  useText,
  useTextContext,
  valueText,
} from '@sluice/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Input, Modal, Table } from 'antd'
import { useState } from 'react'
import { shownColumns } from './record-columns'

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

const SIZE = 10

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
      const asked = { schemaCode: relativeCode, queryCode: queryCode ?? '', objectIds: ids, size: SIZE }
      const { content } = await post('/api/runtime/query/list', asked, { signal })
      return new Map(content.map((row) => [row.id, row.data as Record<string, unknown>]))
    },
  })
  return { columns: config.data?.queryColumns ?? [], rows: rows.data }
}

/** The records that may be chosen, in a table with search and pages; what is chosen stays so from page to page. */
export function RecordChoice({
  field,
  relativeCode,
  queryKey,
  page: ask,
  multiple,
  chosen,
  onChoose,
  onCancel,
}: Props) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const errorText = useErrorText()
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(0)
  const [picked, setPicked] = useState(chosen)
  const word = useDebounced(keyword.trim())
  const offered = useQuery({
    queryKey: [...queryKey, word, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => ask({ keyword: word, page, size: SIZE }, signal),
  })
  const entries = offered.data?.content ?? []
  const { columns, rows } = useDetails(
    relativeCode,
    entries.map((entry) => entry.id),
  )
  const others = shownColumns(columns, field.relativePropertyCode).filter(
    (column) => column.propertyCode !== field.relativePropertyCode,
  )
  const pick = (entry: Entry) => {
    const rest = picked.filter((one) => one.id !== entry.id)
    if (rest.length < picked.length) setPicked(rest)
    else setPicked([...(multiple ? picked : []), entry])
  }
  return (
    <Modal
      open
      width={880}
      title={t('filter.chooseRecordTitle', { name: localName(field, locale) })}
      okText={t('filter.confirm')}
      cancelText={t('filter.cancel')}
      onOk={() => onChoose(picked)}
      onCancel={onCancel}
    >
      {offered.error && <Alert type="warning" role="alert" title={errorText(offered.error)} />}
      <Input
        autoFocus
        allowClear
        maxLength={100}
        prefix={<Icon name="search" size={14} />}
        aria-label={t('common.search')}
        placeholder={t('common.search')}
        value={keyword}
        onChange={(event) => {
          setKeyword(event.target.value)
          setPage(0)
        }}
        style={{ marginBlockEnd: 12 }}
      />
      <Table<Entry>
        rowKey="id"
        size="small"
        loading={offered.isFetching}
        scroll={{ x: 'max-content', y: 'min(396px, 50vh)' }}
        dataSource={entries}
        locale={{ emptyText: t('picker.nothing') }}
        columns={[
          { key: 'name', title: localName(field, locale), ellipsis: true, render: (_, entry) => entry.name },
          ...others.map((column) => ({
            key: column.propertyCode,
            title: localName(column, locale),
            align: resolveProperty(column.propertyType).align ?? ('left' as const),
            ellipsis: true,
            render: (_: unknown, entry: Entry) =>
              valueText(rows?.get(entry.id)?.[column.propertyCode], column, context),
          })),
        ]}
        rowSelection={{
          type: multiple ? 'checkbox' : 'radio',
          hideSelectAll: true,
          preserveSelectedRowKeys: true,
          selectedRowKeys: picked.map((one) => one.id),
          onSelect: pick,
        }}
        onRow={(entry) => ({ onClick: () => pick(entry) })}
        pagination={{
          current: page + 1,
          pageSize: SIZE,
          total: offered.data?.totalElements ?? 0,
          showSizeChanger: false,
          showTotal: (count) => t('list.records', { count: String(count) }),
          onChange: (next) => setPage(next - 1),
        }}
      />
    </Modal>
  )
}
