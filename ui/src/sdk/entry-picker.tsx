import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { get, post } from '@/api/client'
import type { Entry } from '@/api/types'
import { askQuery } from '@/lib/ask-query'
import { findChoices } from '@/lib/find-choice'
import { matchWith } from '@/lib/pinyin'
import styles from './entry-picker.module.css'
import { useDebounced } from './field-options'
import { useFormPlace } from './form-place'
import { SearchSelect } from './search-select'
import { useText } from './use-text'

export interface EntryPickerProps {
  id: string
  schemaCode: string
  propertyCode: string
  multiple?: boolean
  /** Asks for people in another way than by the choices of a field. */
  find?: (keyword: string, size: number, signal: AbortSignal) => Promise<{ content: Entry[]; totalElements: number }>
  /** Mixed fields offer people and departments. */
  kinds?: ('user' | 'department')[]
  /** The form's values that the choices depend on; null or missing when the field offers the same always. */
  dependsOn?: Record<string, unknown> | null
  value: Entry[]
  onChange: (value: Entry[]) => void
  onBlur?: () => void
  placeholder?: string
  invalid?: boolean
  describedBy?: string
  autoFocus?: boolean
  inCell?: boolean
  /** Offered first, under a heading, while nothing is typed. */
  recent?: Entry[]
  /** What the choices stand in; `close` ends the choice. */
  frame?: (menu: ReactNode, state: { typed: string; close: () => void }) => ReactNode
  onOpen?: () => void
}

const pageSize = 30
const NONE: Entry[] = []

function useChoices(props: EntryPickerProps, typed: string, open: boolean) {
  const { schemaCode, propertyCode, kinds, dependsOn, find } = props
  const place = useFormPlace()
  const client = useQueryClient()
  const settled = useDebounced(typed, 180)
  const asking = (keyword: string) => ({
    queryKey: [
      'options',
      schemaCode,
      propertyCode,
      kinds?.join() ?? '',
      keyword,
      dependsOn ? { ...place, dependsOn } : null,
    ],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      if (find) {
        const page = await find(keyword, pageSize, signal)
        return { content: page.content, total: page.totalElements }
      }
      if (dependsOn) {
        const body = { schemaCode, propertyCode, ...place, keyword, form: dependsOn, page: 0, size: pageSize }
        const page = await post('/api/runtime/form/options', body, { signal })
        return { content: page.content, total: page.totalElements }
      }
      const asked = kinds ?? [undefined]
      const pages = await Promise.all(
        asked.map((kind) =>
          get(
            '/api/runtime/form/options',
            { schemaCode, propertyCode, keyword, page: 0, size: pageSize, ...(kind ? { kind } : {}) },
            { signal },
          ),
        ),
      )
      return {
        content: pages.flatMap((page) => page.content),
        total: pages.reduce((sum, page) => sum + page.totalElements, 0),
      }
    },
  })
  const query = useQuery({ ...asking(settled), enabled: open, placeholderData: keepPreviousData })
  return {
    ...query,
    /** What is listed is what an earlier text found. */
    stale: settled !== typed || query.isPlaceholderData || query.data === undefined,
    ask: (keyword: string) => askQuery(client, asking(keyword)),
  }
}

const plain = matchWith(null)

/** Answers about people and about departments, as one: what the text names comes first. */
const bestFirst = (found: Entry[]) => found.toSorted((a, b) => Number(a.named !== 'text') - Number(b.named !== 'text'))

/** Until the server has answered, what is listed already and looks like what was typed stays in sight; nothing else does. */
const meanwhile = (listed: Entry[], typed: string) =>
  findChoices(listed, typed, ({ name, detail }) => ({ names: [name], more: detail ? [detail] : [] }), plain)

/** Chooses people, departments or records; the server searches names, pinyin and initials. */
export function EntryPicker(props: EntryPickerProps) {
  const { id, multiple, value, onChange, onBlur, placeholder, invalid, describedBy, autoFocus, inCell } = props
  const { recent = NONE, frame } = props
  const t = useText()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const choices = useChoices(props, typed.trim(), open)
  const found = useRef(new Map<string, Entry>())
  const known = useMemo(() => {
    const all = new Map<string, Entry>()
    for (const entry of [...value, ...recent, ...(choices.data?.content ?? [])]) all.set(entry.id, entry)
    return all
  }, [value, recent, choices.data])
  const pending = typed.trim() !== '' && choices.stale && !choices.isError
  const options = useMemo(() => {
    const listed = choices.data?.content ?? []
    if (typed) return entryOptions(pending ? meanwhile(listed, typed) : bestFirst(listed))
    const first = recent.filter((entry) => !value.some((other) => other.id === entry.id))
    const rest = value.filter((entry) => !listed.some((other) => other.id === entry.id))
    const others = [...rest, ...listed].filter((entry) => !first.some((other) => other.id === entry.id))
    if (first.length === 0) return entryOptions(others)
    const all = entryOptions([...first, ...others])
    return [
      { label: t('picker.recent'), options: all.slice(0, first.length) },
      { label: t('picker.others'), options: all.slice(first.length) },
    ]
  }, [choices.data, value, recent, typed, pending, t])
  const more = (choices.data?.total ?? 0) - (choices.data?.content.length ?? 0)
  return (
    <SearchSelect<EntryOption>
      id={id}
      multiple={multiple ?? false}
      value={multiple ? value.map((entry) => entry.id) : (value[0]?.id ?? (undefined as unknown as string))}
      onChange={(next) => {
        const ids = next === undefined || next === null ? [] : [next].flat()
        onChange(ids.flatMap((one) => known.get(one) ?? []))
        setTyped('')
      }}
      pick={(entryId) => {
        const entry = known.get(entryId) ?? found.current.get(entryId)
        if (!entry) return
        const rest = value.filter((other) => other.id !== entryId)
        onChange(!multiple ? [entry] : rest.length < value.length ? rest : [...value, entry])
      }}
      find={async (text) => {
        const entries = bestFirst((await choices.ask(text)).content)
        for (const entry of entries) found.current.set(entry.id, entry)
        return entryOptions(entries)
      }}
      open={open}
      onOpenChange={(next) => {
        if (next && !open) props.onOpen?.()
        setOpen(next)
      }}
      onBlur={onBlur}
      options={options}
      optionRender={(option) => <EntryChoice {...(option.data as EntryOption)} />}
      typed={typed}
      onTyped={setTyped}
      pending={pending}
      autoFocus={autoFocus ?? false}
      inCell={inCell}
      status={invalid ? 'error' : ''}
      loading={choices.isFetching}
      placeholder={placeholder ?? t('picker.choose')}
      notFoundContent={choices.isFetching || pending ? t('common.loading') : t('picker.nothing')}
      popupRender={(menu) => {
        const all = (
          <>
            {menu}
            {more > 0 && <div className={styles.more}>{t('picker.more', { count: more })}</div>}
          </>
        )
        return frame ? frame(all, { typed, close: () => setOpen(false) }) : all
      }}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
    />
  )
}

export interface EntryOption {
  value: string
  label: string
  entry: Entry
  /** How what is typed names it. */
  named: Entry['named']
  /** Another choice has the same name: the detail tells them apart. */
  twin: boolean
}

/** The choices of a select. Where several have the same name, the field shows the detail too. */
export function entryOptions(entries: Entry[]): EntryOption[] {
  const names = new Map<string, number>()
  for (const { name } of entries) names.set(name, (names.get(name) ?? 0) + 1)
  return entries.map((entry) => {
    const twin = (names.get(entry.name) ?? 0) > 1
    return {
      value: entry.id,
      label: twin && entry.detail ? `${entry.name} (${entry.detail})` : entry.name,
      entry,
      named: entry.named,
      twin,
    }
  })
}

export function EntryChoice({ entry, twin }: { entry: Entry; twin?: boolean }) {
  return (
    <span className={styles.choice}>
      {entry.type !== null && <Avatar entry={entry} />}
      <span className={twin ? styles.lines : styles.line}>
        <span className={styles.name}>{entry.name}</span>
        {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
      </span>
    </span>
  )
}

function Avatar({ entry }: { entry: Entry }) {
  if (entry.imgUrl) return <img className={styles.avatar} src={entry.imgUrl} alt="" />
  return (
    <span className={styles.avatar} data-kind={entry.type === 1 ? 'department' : 'user'} aria-hidden>
      {entry.name.slice(entry.type === 3 ? -1 : 0).slice(0, 1)}
    </span>
  )
}
