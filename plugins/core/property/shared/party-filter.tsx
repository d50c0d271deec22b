import { type Entry, EntryChoice, entryOptions, type FilterProps, get, useDebounced, useText } from '@sluice/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Segmented, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { type Kind, offered, oneOnly } from './party-kinds'

const PartyTree = lazy(() => import('./party-tree').then((m) => ({ default: m.PartyTree })))

const PAGE = 30

/** People and departments: found by name, pinyin and initials, or along the organisation. The chip keeps the names. */
export function PartyFilter({ id, field, schemaCode, operator, value, onChange }: FilterProps) {
  const t = useText()
  const { kinds, list, tree } = offered(field, operator)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [along, setAlong] = useState(!list)
  const at = { schemaCode, propertyCode: field.propertyCode }
  const { data, isFetching } = useChoices(at, kinds, useDebounced(typed, 180), open)
  const ids = value?.value ? value.value.split(';') : []
  const names = value?.label?.split('、') ?? []
  const chosen = ids.map((entryId, i) => ({ value: entryId, label: names[i] ?? entryId }))
  const one = oneOnly(field, operator)
  const take = (next: { value: string; label: string }[]) => {
    const kept = one ? next.slice(-1) : next
    onChange(
      kept.length
        ? { value: kept.map((entry) => entry.value).join(';'), label: kept.map((entry) => entry.label).join('、') }
        : null,
    )
  }
  const toggle = (entry: Entry) =>
    take(
      ids.includes(entry.id)
        ? chosen.filter((other) => other.value !== entry.id)
        : [...chosen, { value: entry.id, label: entry.name }],
    )
  const name = (entryId: string) =>
    chosen.find((entry) => entry.value === entryId)?.label ??
    data?.find((entry) => entry.id === entryId)?.name ??
    entryId
  return (
    <Select
      id={id}
      mode="multiple"
      labelInValue
      allowClear
      maxTagCount="responsive"
      style={{ width: '100%' }}
      popupMatchSelectWidth={280}
      placeholder={t('list.choose')}
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      loading={isFetching}
      notFoundContent={isFetching ? t('common.loading') : t('list.nothingToChoose')}
      open={open}
      onOpenChange={setOpen}
      value={chosen}
      onChange={(next: { value: string }[]) => {
        setTyped('')
        take(next.map((entry) => ({ value: entry.value, label: name(entry.value) })))
      }}
      options={entryOptions(data ?? [])}
      optionRender={(option) => <EntryChoice entry={option.data.entry} twin={option.data.twin} />}
      popupRender={(menu) => (
        <>
          {list && tree && !typed && (
            <Segmented
              block
              size="small"
              style={{ marginBlockEnd: 8 }}
              value={along ? 'tree' : 'list'}
              onChange={(next) => setAlong(next === 'tree')}
              options={[
                { value: 'list', label: t('filter.list') },
                { value: 'tree', label: t('filter.organisation') },
              ]}
            />
          )}
          {tree && along && !typed ? (
            <Suspense fallback={<div style={{ height: 280 }} />}>
              <PartyTree at={at} kinds={kinds} chosen={ids} onToggle={toggle} />
            </Suspense>
          ) : (
            menu
          )}
        </>
      )}
    />
  )
}

interface At {
  schemaCode: string
  propertyCode: string
}

function useChoices(at: At, kinds: Kind[], keyword: string, enabled: boolean) {
  return useQuery({
    queryKey: ['options', 'party', at, kinds.join(), keyword],
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const query = { ...at, keyword, page: 0, size: PAGE }
      const pages = await Promise.all(
        kinds.map((kind) => get('/api/runtime/form/options', { ...query, kind }, { signal })),
      )
      return pages.flatMap((page) => page.content)
    },
  })
}
