import { type FilterProps, Icon, useFieldOptions, useText } from '@sluice/sdk'
import { Button, Select, Space } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Related } from './relation'

const RecordPicker = lazy(() => import('./record-picker').then((m) => ({ default: m.RecordPicker })))

/** One record, or several for the fields that hold several: found by name, or chosen in the list of the related model. */
export function RelationFilter(props: FilterProps & { multiple?: boolean }) {
  const { id, field, schemaCode, value, onChange } = props
  const multiple = (props.multiple ?? false) && field.choiceType !== 'single'
  const t = useText()
  const [keyword, setKeyword] = useState('')
  const [open, setOpen] = useState(false)
  const [picking, setPicking] = useState(false)
  const { data, isFetching } = useFieldOptions({ schemaCode, propertyCode: field.propertyCode, keyword, enabled: open })
  const ids = value?.value ? value.value.split(';') : []
  const names = value?.label?.split('、') ?? []
  const chosen = ids.map((recordId, i) => ({ value: recordId, label: names[i] ?? recordId }))
  const name = (recordId: string) =>
    names[ids.indexOf(recordId)] ?? data?.content.find((entry) => entry.id === recordId)?.name ?? recordId
  const take = (next: Related[]) =>
    onChange(
      next.length
        ? { value: next.map((one) => one.id).join(';'), label: next.map((one) => one.name).join('、') }
        : null,
    )
  return (
    <Space.Compact block>
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
        onChange={(next) => {
          const list = Array.isArray(next) ? next : next ? [next] : []
          take(list.map((one) => ({ id: one.value, name: name(one.value) })))
        }}
        options={(data?.content ?? []).map((entry) => ({ value: entry.id, label: entry.name }))}
      />
      {field.relativeCode && (
        <Button
          aria-label={t('filter.chooseRecord')}
          title={t('filter.chooseRecord')}
          icon={<Icon name="table" />}
          onClick={() => setPicking(true)}
        />
      )}
      {picking && field.relativeCode && (
        <Suspense fallback={null}>
          <RecordPicker
            field={field}
            relativeCode={field.relativeCode}
            queryCode={field.relativeQueryCode ?? null}
            multiple={multiple}
            chosen={chosen.map((one) => ({ id: one.value, name: one.label }))}
            onCancel={() => setPicking(false)}
            onChoose={(next) => {
              setPicking(false)
              take(next)
            }}
          />
        </Suspense>
      )}
    </Space.Compact>
  )
}
