import {
  defaultFilter,
  type FieldPlan,
  get,
  Icon,
  localName,
  post,
  type QueryCondition,
  requestFilters,
  resolveProperty,
  useDebounced,
  useErrorText,
  useLocale,
  useText,
  useTextContext,
  valueText,
} from '@sluice/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, ConfigProvider, Input, Modal, Table } from 'antd'
import { useState } from 'react'
import { shownColumns } from './record-columns'
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

const SIZE = 10

/** The list of the related model in a dialog, with its search and pages; what is chosen stays chosen from page to page. */
export function RecordPicker({ field, relativeCode, queryCode, multiple, chosen, onChoose, onCancel }: Props) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const errorText = useErrorText()
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(0)
  const [picked, setPicked] = useState(chosen)
  const config = useQuery({
    queryKey: ['list', relativeCode, 'config', queryCode],
    queryFn: ({ signal }) =>
      get('/api/runtime/query/config', { schemaCode: relativeCode, ...(queryCode ? { queryCode } : {}) }, { signal }),
    retry: false,
  })
  const word = useDebounced(keyword.trim())
  const asked = {
    schemaCode: relativeCode,
    queryCode: config.data?.queryCode ?? '',
    page,
    size: SIZE,
    filters: hiddenFilters(config.data?.queryConditions ?? []),
    ...(word ? { keyword: word } : {}),
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
  const pick = (row: Row) => {
    const others = picked.filter((one) => one.id !== row.id)
    if (others.length < picked.length) setPicked(others)
    else setPicked([...(multiple ? picked : []), { id: row.id, name: nameOf(row) }])
  }
  const error = config.error ?? rows.error
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
      {error ? (
        <Alert type="warning" role="alert" title={errorText(error)} description={t('filter.noRecordList')} />
      ) : (
        <>
          {config.data?.searchable !== false && (
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
          )}
          <ConfigProvider theme={{ components: { Table: { colorBgContainer: 'transparent' } } }}>
            <Table<Row>
              rowKey="id"
              size="small"
              loading={config.isPending || rows.isFetching}
              scroll={{ x: 'max-content', y: 'min(396px, 50vh)' }}
              dataSource={rows.data?.content ?? []}
              columns={columns.map((column) => ({
                key: column.propertyCode,
                title: localName(column, locale),
                align: resolveProperty(column.propertyType).align ?? 'left',
                ellipsis: true,
                render: (_: unknown, row: Row) => valueText(row.data[column.propertyCode], column, context),
              }))}
              rowSelection={{
                type: multiple ? 'checkbox' : 'radio',
                hideSelectAll: true,
                preserveSelectedRowKeys: true,
                selectedRowKeys: picked.map((one) => one.id),
                onSelect: pick,
              }}
              onRow={(row) => ({ onClick: () => pick(row) })}
              pagination={{
                current: page + 1,
                pageSize: SIZE,
                total: rows.data?.totalElements ?? 0,
                showSizeChanger: false,
                showTotal: (count) => t('list.records', { count: String(count) }),
                onChange: (next) => setPage(next - 1),
              }}
            />
          </ConfigProvider>
        </>
      )}
    </Modal>
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
