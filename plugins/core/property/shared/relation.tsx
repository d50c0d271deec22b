import { type FilterProps, useFieldOptions, useOpenRecord, useText } from '@sluice/sdk'
import { Select } from 'antd'
import { useState } from 'react'
import styles from './relation.module.css'

export interface Related {
  id: string
  name: string
}

/** A link to the related record. */
export function RelationLink({ value, relativeCode }: { value: Related; relativeCode: string | null | undefined }) {
  const openRecord = useOpenRecord()
  if (!relativeCode) return <span className={styles.link}>{value.name}</span>
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.link}
      title={value.name}
      onClick={(event) => {
        event.stopPropagation()
        openRecord({ schemaCode: relativeCode, id: value.id })
      }}
    >
      {value.name}
    </button>
  )
}

/** One record, or several for the fields that hold several. */
export function RelationFilter({
  id,
  field,
  schemaCode,
  value,
  onChange,
  multiple = false,
}: FilterProps & { multiple?: boolean }) {
  const t = useText()
  const [keyword, setKeyword] = useState('')
  const [open, setOpen] = useState(false)
  const { data, isFetching } = useFieldOptions({ schemaCode, propertyCode: field.propertyCode, keyword, enabled: open })
  const ids = value?.value.split(';') ?? []
  const names = value?.label?.split('、') ?? []
  const chosen = ids.map((recordId, i) => ({ value: recordId, label: names[i] ?? recordId }))
  const name = (recordId: string) =>
    names[ids.indexOf(recordId)] ?? data?.content.find((entry) => entry.id === recordId)?.name ?? recordId
  const take = (next: { value: string }[]) =>
    onChange(
      next.length
        ? {
            value: next.map((entry) => entry.value).join(';'),
            label: next.map((entry) => name(entry.value)).join('、'),
          }
        : null,
    )
  return (
    <Select<{ value: string; label: string } | { value: string; label: string }[]>
      id={id}
      {...(multiple ? { mode: 'multiple' as const, maxTagCount: 'responsive' as const } : {})}
      labelInValue
      allowClear
      style={{ width: '100%' }}
      placeholder={t('list.choose')}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      loading={isFetching}
      notFoundContent={isFetching ? t('common.loading') : t('list.nothingToChoose')}
      open={open}
      onOpenChange={setOpen}
      {...(chosen.length ? { value: multiple ? chosen : chosen[0] } : { value: multiple ? [] : null })}
      onChange={(next) => take(Array.isArray(next) ? next : next ? [next] : [])}
      options={(data?.content ?? []).map((entry) => ({ value: entry.id, label: entry.name }))}
    />
  )
}
