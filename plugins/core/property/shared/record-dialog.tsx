import { Icon, inSentence, localName, useDebounced, useLocale, useText } from '@sluice/sdk'
import { ConfigProvider, Input, Modal, Table, type TableColumnsType } from 'antd'
import { type ReactNode, useState } from 'react'

/** Rows of a page of the dialog. */
export const PAGE_SIZE = 10

/** What is sought in the dialog, a moment after typing, and the page, from 0. */
export function useRecordSearch() {
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(0)
  return {
    keyword,
    word: useDebounced(keyword.trim(), 250),
    page,
    turn: setPage,
    seek: (text: string) => {
      setKeyword(text)
      setPage(0)
    },
  }
}

interface Named {
  id: string
  name: string
}

interface Props<R extends { id: string }, E extends Named> {
  /** The relation that is filled. */
  field: { name: string; name_i18n: Record<string, string> }
  search: ReturnType<typeof useRecordSearch>
  /** Stands above the table, or instead of it with `blocked`. */
  notice: ReactNode
  blocked?: boolean
  searchable?: boolean
  loading: boolean
  rows: R[]
  total: number
  columns: TableColumnsType<R>
  entryOf: (row: R) => E
  multiple: boolean
  chosen: E[]
  onChoose: (entries: E[]) => void
  onCancel: () => void
}

/** Records in a table with search and pages; what is chosen stays chosen from page to page. */
export function RecordDialog<R extends { id: string }, E extends Named>({
  field,
  search,
  notice,
  blocked = false,
  searchable = true,
  loading,
  rows,
  total,
  columns,
  entryOf,
  multiple,
  chosen,
  onChoose,
  onCancel,
}: Props<R, E>) {
  const t = useText()
  const locale = useLocale()
  const [picked, setPicked] = useState(chosen)
  const pick = (row: R) => {
    const rest = picked.filter((one) => one.id !== row.id)
    setPicked(rest.length < picked.length ? rest : [...(multiple ? picked : []), entryOf(row)])
  }
  return (
    <Modal
      open
      width={880}
      title={t('filter.chooseRecordTitle', { name: inSentence(localName(field, locale)) })}
      okText={t('filter.confirm')}
      cancelText={t('filter.cancel')}
      onOk={() => onChoose(picked)}
      onCancel={onCancel}
    >
      {notice}
      {!blocked && searchable && (
        <Input
          autoFocus
          allowClear
          maxLength={100}
          prefix={<Icon name="search" size={14} />}
          aria-label={t('common.search')}
          placeholder={t('common.search')}
          value={search.keyword}
          onChange={(event) => search.seek(event.target.value)}
          style={{ marginBlockEnd: 12 }}
        />
      )}
      {!blocked && (
        <ConfigProvider theme={{ components: { Table: { colorBgContainer: 'transparent' } } }}>
          <Table<R>
            rowKey="id"
            size="small"
            loading={loading}
            scroll={{ x: 'max-content', y: 'min(396px, 50vh)' }}
            dataSource={rows}
            locale={{ emptyText: t('picker.nothing') }}
            columns={columns}
            rowSelection={{
              type: multiple ? 'checkbox' : 'radio',
              hideSelectAll: true,
              preserveSelectedRowKeys: true,
              selectedRowKeys: picked.map((one) => one.id),
              onSelect: pick,
            }}
            onRow={(row) => ({ onClick: () => pick(row) })}
            pagination={{
              current: search.page + 1,
              pageSize: PAGE_SIZE,
              total,
              showSizeChanger: false,
              showTotal: (count) => t('list.records', { count: String(count) }),
              onChange: (next) => search.turn(next - 1),
            }}
          />
        </ConfigProvider>
      )}
    </Modal>
  )
}
