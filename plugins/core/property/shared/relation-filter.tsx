import {
  EntryChoice,
  type EntryOption,
  entryOptions,
  type FilterProps,
  Icon,
  SearchSelect,
  useFieldOptions,
  useText,
} from '@sluice/sdk'
import { Button, Space } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
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
  const at = { schemaCode, propertyCode: field.propertyCode }
  const { data, isFetching, stale, search } = useFieldOptions({ ...at, keyword, enabled: open })
  const pending = keyword.trim() !== '' && stale
  const found = useRef(new Map<string, string>())
  const ids = value?.value ? value.value.split(';') : []
  const names = value?.label?.split('、') ?? []
  const chosen = ids.map((recordId, i) => ({ value: recordId, label: names[i] ?? recordId }))
  const name = (recordId: string) =>
    names[ids.indexOf(recordId)] ??
    data?.content.find((entry) => entry.id === recordId)?.name ??
    found.current.get(recordId) ??
    recordId
  const take = (next: Related[]) =>
    onChange(
      next.length
        ? { value: next.map((one) => one.id).join(';'), label: next.map((one) => one.name).join('、') }
        : null,
    )
  return (
    <Space.Compact block>
      <SearchSelect<EntryOption>
        id={id}
        multiple={multiple}
        labelInValue
        placeholder={t('list.choose')}
        typed={keyword}
        onTyped={setKeyword}
        pending={pending}
        find={async (text) => {
          const entries = (await search(text)).content
          for (const entry of entries) found.current.set(entry.id, entry.name)
          return entryOptions(entries)
        }}
        pick={(recordId) => {
          const kept = multiple ? ids : []
          const next = kept.includes(recordId) ? kept.filter((one) => one !== recordId) : [...kept, recordId]
          take(next.map((one) => ({ id: one, name: name(one) })))
        }}
        loading={isFetching}
        notFoundContent={isFetching || pending ? t('common.loading') : t('list.nothingToChoose')}
        open={open}
        onOpenChange={setOpen}
        value={(multiple ? chosen : (chosen[0] ?? null)) as never}
        onChange={(next) => {
          const list = ([next ?? []].flat() as unknown as { value: string }[]).map((one) => one.value)
          take(list.map((one) => ({ id: one, name: name(one) })))
        }}
        options={entryOptions(pending ? [] : (data?.content ?? []))}
        optionRender={(option) => <EntryChoice {...(option.data as EntryOption)} />}
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
