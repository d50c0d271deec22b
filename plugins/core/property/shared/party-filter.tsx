import {
  askQuery,
  type Entry,
  EntryChoice,
  type EntryOption,
  entryOptions,
  type FilterProps,
  get,
  SearchSelect,
  useDebounced,
  useText,
} from '@sluice/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
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
  const { data, isFetching, pending, search } = usePeople(at, kinds, typed, open)
  const found = useRef(new Map<string, string>())
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
    found.current.get(entryId) ??
    entryId
  return (
    <SearchSelect<EntryOption>
      id={id}
      multiple
      labelInValue
      popupMatchSelectWidth={280}
      placeholder={t('list.choose')}
      typed={typed}
      onTyped={setTyped}
      pending={pending}
      find={async (text) => {
        const entries = await search(text)
        for (const entry of entries) found.current.set(entry.id, entry.name)
        return entryOptions(entries)
      }}
      pick={(entryId) =>
        take(
          ids.includes(entryId)
            ? chosen.filter((other) => other.value !== entryId)
            : [...chosen, { value: entryId, label: name(entryId) }],
        )
      }
      loading={isFetching}
      notFoundContent={isFetching || pending ? t('common.loading') : t('list.nothingToChoose')}
      open={open}
      onOpenChange={setOpen}
      value={chosen as never}
      onChange={(next) => {
        setTyped('')
        const list = (next ?? []) as unknown as { value: string }[]
        take(list.map((entry) => ({ value: entry.value, label: name(entry.value) })))
      }}
      options={entryOptions(pending ? [] : (data ?? []))}
      optionRender={(option) => <EntryChoice {...(option.data as EntryOption)} />}
      popupRender={(menu) => (
        <>
          {list && tree && !typed && (
            <Segmented
              block
              size="small"
              aria-label={t('filter.choices')}
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

function usePeople(at: At, kinds: Kind[], typed: string, enabled: boolean) {
  const client = useQueryClient()
  const settled = useDebounced(typed, 180)
  const asking = (keyword: string) => ({
    queryKey: ['options', 'party', at, kinds.join(), keyword],
    staleTime: 60_000,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const query = { ...at, keyword, page: 0, size: PAGE }
      const pages = await Promise.all(
        kinds.map((kind) => get('/api/runtime/form/options', { ...query, kind }, { signal })),
      )
      return pages.flatMap((page) => page.content)
    },
  })
  const query = useQuery({ ...asking(settled.trim()), enabled, placeholderData: keepPreviousData })
  const stale = settled !== typed || query.isPlaceholderData || query.data === undefined
  return {
    data: query.data,
    isFetching: query.isFetching,
    pending: typed.trim() !== '' && stale && !query.isError,
    search: (text: string) => askQuery(client, asking(text.trim())),
  }
}
