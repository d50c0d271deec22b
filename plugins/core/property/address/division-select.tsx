import {
  askQuery,
  divisionsQuery,
  foundDivisionsQuery,
  Icon,
  localName,
  SearchSelect,
  useDebounced,
  useLocale,
  useText,
} from '@sluice/sdk'
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import styles from './division-select.module.css'

/** Levels that stand between two others in name only: nobody writes them. */
const UNSAID = /^(市辖区|县|(省|自治区)直辖县级行政区划)$/

interface Named {
  code: string
  name: string
  name_i18n: Record<string, string> | null
}

/** The divisions down to the one that was chosen. */
export type Place = Named[]

interface Choice {
  value: string
  label: string
  place: Place
  /** There are others below it. */
  more: boolean
}

interface Props {
  id: string
  code: string | null
  /** What is in the box; the names of the code's divisions when missing. */
  label?: string | undefined
  /** So many levels may be chosen; 3 = districts too. */
  levels: number
  onChange: (place: Place | null) => void
  onBlur?: (() => void) | undefined
  placeholder: string
  invalid?: boolean | undefined
  describedBy?: string | undefined
  autoFocus?: boolean | undefined
  inCell?: boolean | undefined
}

const above = (code: string) => code.slice(0, -2)
/** Two, four and six digits of a code: the way down to it. */
const way = (code: string) => [2, 4, 6].filter((length) => length <= code.length).map((length) => code.slice(0, length))
const REST = 180

/** Names one behind the other, without those that nobody writes. */
const spoken = (names: [name: string, shown: string][]) =>
  names
    .filter(([name], i) => i === names.length - 1 || !UNSAID.test(name))
    .map(([, shown]) => shown)
    .join(' / ')

export const spokenPath = (names: string[]) => spoken(names.map((name) => [name, name]))

/**
 * A division, found by typing (name, pinyin, initials, code, also behind those above it) or by going down from the provinces,
 * level by level, in one list.
 */
export function DivisionSelect(props: Props) {
  const { id, label, levels, onChange, onBlur, placeholder, invalid, describedBy, autoFocus, inCell } = props
  const code = props.code && /^(\d\d){1,3}$/.test(props.code) ? props.code : null
  const t = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  /** What the list shows the divisions of. */
  const [at, setAt] = useState('')
  const goesOn = useRef(false)
  const levelsShown = [...new Set(['', ...way(at), ...(label === undefined && code ? way(above(code)) : [])])]
  const rows = useQueries({
    queries: levelsShown.map((parent) => ({
      ...divisionsQuery(parent),
      enabled: open || (label === undefined && !!code),
    })),
    combine: (all) => new Map(levelsShown.map((parent, i) => [parent, all[i]?.data])),
  })
  const known = (one: string): Place =>
    way(one).flatMap((step) => rows.get(above(step))?.find((row) => row.code === step) ?? [])
  const listed = rows.get(at) ?? []
  // A level that nobody writes is passed over: what lies below it is in its place.
  const passed = levels > 2 ? listed.filter((row) => UNSAID.test(row.name) && !row.leaf) : []
  const inner = useQueries({
    queries: passed.map((row) => divisionsQuery(row.code)),
    combine: (all) => all.map((one) => one.data ?? []),
  })
  const offered = listed.flatMap((row) => {
    const i = passed.indexOf(row)
    return i < 0 ? [{ row, by: [] as Place }] : (inner[i] ?? []).map((one) => ({ row: one, by: [row] as Place }))
  })
  const word = typed.trim()
  const settled = useDebounced(word, REST)
  const found = useQuery({
    ...foundDivisionsQuery(settled, levels),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  })
  const pending = word !== '' && !found.isError && (settled !== word || found.isPlaceholderData || !found.data)
  const said = (place: Place) => spoken(place.map((one) => [one.name, localName(one, locale)]))
  const options: Choice[] =
    word === ''
      ? offered.map(({ row, by }) => ({
          value: row.code,
          label: localName(row, locale),
          place: [...known(at), ...by, row],
          more: !row.leaf && row.code.length < levels * 2,
        }))
      : (found.data ?? []).map((row) => {
          const place = [...(row.above ?? []), row]
          return { value: row.code, label: said(place), place, more: false, named: row.named }
        })
  const late = useRef(new Map<string, Place>())
  const choose = (value: string): boolean => {
    const choice = options.find((one) => one.value === value)
    const place = choice?.place ?? late.current.get(value)
    if (!place) return false
    onChange(place)
    if (!choice?.more) return false
    setAt(value)
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' || !open || typed !== '' || at === '') return
    event.preventDefault()
    event.stopPropagation()
    setAt(above(at))
  }
  const own = code === null ? [] : known(code)
  return (
    <div className={styles.whole} onKeyDownCapture={onKeyDown}>
      <SearchSelect<Choice>
        id={id}
        value={props.code ?? (undefined as unknown as string)}
        labelRender={() => label ?? (own.length > 0 ? said(own) : props.code)}
        onChange={(next) => {
          if (next === undefined || next === null) return onChange(null)
          goesOn.current = choose(String(next))
        }}
        pick={choose}
        find={async (text) => {
          const rows = await askQuery(client, foundDivisionsQuery(text, levels))
          for (const row of rows) late.current.set(row.code, [...(row.above ?? []), row])
          return rows.map(({ code, named }) => ({ value: code, named }))
        }}
        options={options}
        optionRender={({ data }) => (
          <span className={styles.option}>
            <span title={String(data.label)}>{data.label}</span>
            {data.more && <Icon name="right" size={12} />}
          </span>
        )}
        popupRender={(menu) => (
          <>
            {typed === '' && at !== '' && (
              <div className={styles.way}>
                {['', ...way(at)].map((step) => (
                  <button
                    key={step}
                    type="button"
                    tabIndex={-1}
                    aria-current={step === at || undefined}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => setAt(step)}
                  >
                    {step === '' ? t('form.allDivisions') : localName(known(step).at(-1) ?? { name: step }, locale)}
                  </button>
                ))}
              </div>
            )}
            {menu}
          </>
        )}
        typed={typed}
        onTyped={setTyped}
        pending={pending}
        open={open}
        onOpenChange={(next) => {
          if (!next && goesOn.current) {
            goesOn.current = false
            return
          }
          if (next && !open) setAt(code ? above(code) : '')
          setOpen(next)
        }}
        onBlur={onBlur}
        autoFocus={autoFocus ?? false}
        inCell={inCell}
        status={invalid ? 'error' : ''}
        placeholder={placeholder}
        popupMatchSelectWidth={false}
        notFoundContent={pending || (word === '' && !rows.get(at)) ? t('common.loading') : t('picker.nothing')}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
      />
    </div>
  )
}
