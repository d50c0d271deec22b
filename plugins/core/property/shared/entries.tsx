import {
  type Entry,
  EntryChoice,
  EntryName,
  entryOptions,
  type FilterProps,
  OverflowRow,
  shortList,
  type TextContext,
  useFieldOptions,
  useText,
  WrappedRow,
} from '@sluice/sdk'
import { Select } from 'antd'
import { useState } from 'react'

export const entriesText = (entries: Entry[], { locale }: TextContext) =>
  entries.map((entry) => entry.name).join(locale === 'zh' ? '；' : '; ')

export function EntriesCell({ value, onMore }: { value: Entry[]; onMore?: () => void }) {
  const t = useText()
  const items = value
    .slice(0, OverflowRow.limit + 1)
    .map((entry) => ({ key: entry.id, node: <EntryName entry={entry} /> }))
  return (
    <OverflowRow
      items={items}
      count={value.length}
      inline={2}
      label={shortList(value.map((entry) => entry.name))}
      more={t('common.viewMore')}
      onMore={onMore}
    />
  )
}

/** All of them, for the reader of a record. */
export const EntriesRead = ({ value }: { value: Entry[] }) => (
  <WrappedRow items={value.map((entry) => ({ key: entry.id, node: <EntryName entry={entry} /> }))} />
)

/** A picker that searches on the server; the chip keeps the names that were picked. */
export function EntryFilter({ id, field, schemaCode, value, onChange }: FilterProps) {
  const t = useText()
  const [keyword, setKeyword] = useState('')
  const [open, setOpen] = useState(false)
  const { data, isFetching } = useFieldOptions({ schemaCode, propertyCode: field.propertyCode, keyword, enabled: open })
  const ids = value?.value ? value.value.split(';') : []
  const names = value?.label?.split('、') ?? []
  const chosen = ids.map((entryId, i) => ({ value: entryId, label: names[i] ?? entryId }))
  return (
    <Select
      id={id}
      mode="multiple"
      labelInValue
      allowClear
      maxTagCount="responsive"
      style={{ width: '100%' }}
      placeholder={t('list.choose')}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      loading={isFetching}
      notFoundContent={isFetching ? t('common.loading') : t('list.nothingToChoose')}
      open={open}
      onOpenChange={setOpen}
      value={chosen}
      onChange={(next: { value: string; label: unknown }[]) => {
        const labels = next.map(
          (entry) =>
            names[ids.indexOf(entry.value)] ??
            data?.content.find((option) => option.id === entry.value)?.name ??
            entry.value,
        )
        onChange(
          next.length
            ? {
                value: next.map((entry) => entry.value).join(';'),
                label: labels.join('、'),
                ...(field.queryFilterType === 'Equal' && next.length > 1 ? { operator: 'In' } : {}),
              }
            : null,
        )
      }}
      options={entryOptions(data?.content ?? [])}
      optionRender={(option) => <EntryChoice entry={option.data.entry} twin={option.data.twin} />}
    />
  )
}
