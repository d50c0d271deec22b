import { type QueryKey, useQuery } from '@tanstack/react-query'
import { Input, type InputProps } from 'antd'
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Entry } from '@/api/types'
import { meaningOf } from '@/lib/find-choice'
import { type Person, wordAt } from '@/lib/mentions'
import { EntryChoice } from './entry-picker'
import { useDebounced } from './field-options'
import styles from './mention-field.module.css'
import { useText } from './use-text'

/** People by name, pinyin or initials. */
export interface PeopleQuery {
  queryKey: QueryKey
  queryFn: (context: { signal: AbortSignal }) => Promise<{ content: Entry[] }>
  staleTime?: number
}

interface Props {
  people: (word: string) => PeopleQuery
  /** Says what the list offers, and that it offers nobody. */
  words: { people: string; nobody: string }
  id?: string
  value: string
  onChange: (value: string) => void
  onPick: (person: Person) => void
  onSend?: () => void
  /** Where the people are offered: above the field at the foot of a page, below it elsewhere. */
  offers: 'above' | 'below'
  invalid: boolean
  disabled?: boolean
  focus?: Ref<{ focus: () => void }> | undefined
  placeholder: string
  /** What it is called where no label names it. */
  label?: string
  required?: boolean
  describedBy?: string | undefined
  maxLength?: number
  rows: { min: number; max: number }
  variant?: InputProps['variant']
}

/**
 * A text in which @ offers people. Enter and Tab take the one whom all that is typed names, or the arrows lead to; never somebody who is called
 * longer, one of several, or whom an earlier text has found. Enter that comes before the answer waits for it. Esc closes.
 */
export function MentionField(props: Props) {
  const { value, onChange, onPick, onSend, offers, invalid, disabled = false, focus } = props
  const list = useId()
  const box = useRef<HTMLDivElement>(null)
  const caret = useRef<number | null>(null)
  const [word, setWord] = useState<string | null>(null)
  const t = useText()
  /** The place that the arrows lead to. */
  const [moved, setMoved] = useState<number | null>(null)
  const confirmed = useRef(false)
  /** Enter was pressed for what is typed, which does not say whom it means. */
  const [unsaid, setUnsaid] = useState(false)
  const asked = useDebounced(word, 150)
  const people = useQuery({
    ...props.people(asked ?? ''),
    enabled: word !== null && asked !== null,
    placeholderData: (before) => before,
  })
  const found = word === null ? [] : (people.data?.content ?? [])
  const pending = word !== null && !people.isError && (asked !== word || people.isPlaceholderData || !people.data)
  const meaning = meaningOf(word && !pending ? found : [])
  const active = moved ?? (meaning.one ? found.indexOf(meaning.one) : -1)
  const area = () => box.current?.querySelector('textarea') ?? null
  useImperativeHandle(focus, () => ({ focus: () => area()?.focus() }))
  useLayoutEffect(() => {
    if (caret.current === null) return
    area()?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  const put = (next: string | null) => {
    confirmed.current = false
    setMoved(null)
    setUnsaid(false)
    setWord(next)
  }
  const look = () => {
    const at = area()
    const next = at && at.selectionStart === at.selectionEnd ? wordAt(at.value.slice(0, at.selectionStart)) : null
    if (next !== word) put(next)
  }
  const take = (person: Person) => {
    const at = area()
    if (!at || word === null) return
    const start = at.selectionStart - word.length
    const before = `${value.slice(0, start)}${person.name} `
    caret.current = before.length
    onPick(person)
    onChange(before + value.slice(at.selectionStart).replace(/^ /, ''))
    put(null)
  }
  // Enter came before the answer.
  useEffect(() => {
    if (!confirmed.current || pending) return
    confirmed.current = false
    if (meaning.one) take(meaning.one)
    else setUnsaid(found.length > 0)
  })
  /** Whether the key is for the list. */
  const confirm = (enter: boolean): boolean => {
    const one = pending ? undefined : found[active]
    if (one) take(one)
    else if (!enter || !word) return false
    else if (pending) confirmed.current = true
    else if (found.length > 0) setUnsaid(true)
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (onSend && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return onSend()
    }
    if (word === null) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') put(null)
    else if (step && found.length > 0) {
      confirmed.current = false
      const last = found.length - 1
      setMoved(active < 0 ? (step > 0 ? 0 : last) : (active + step + found.length) % found.length)
    } else if (event.key !== 'Enter' && event.key !== 'Tab') return
    else if (!confirm(event.key === 'Enter')) return
    event.preventDefault()
    event.stopPropagation() // the drawer around takes Esc too
  }
  const open = word !== null && (found.length > 0 || people.isSuccess)
  return (
    <div ref={box} className={styles.field}>
      <Input.TextArea
        value={value}
        onChange={(event) => {
          onChange(event.target.value)
          look() // a text that takes the place of one as long moves no caret
        }}
        onSelect={look}
        onKeyDown={onKeyDown}
        onBlur={() => put(null)}
        id={props.id}
        maxLength={props.maxLength}
        autoSize={{ minRows: props.rows.min, maxRows: props.rows.max }}
        placeholder={props.placeholder}
        aria-label={props.label}
        aria-required={props.required}
        aria-describedby={props.describedBy}
        aria-autocomplete="list"
        aria-controls={open ? list : undefined}
        aria-activedescendant={open && found[active] ? `${list}-${active}` : undefined}
        status={invalid ? 'error' : ''}
        disabled={disabled}
        {...(props.variant ? { variant: props.variant } : {})}
      />
      {open && (
        <div id={list} role="listbox" className={styles.offers} data-place={offers} aria-label={props.words.people}>
          {found.length === 0 && <p>{props.words.nobody}</p>}
          {unsaid && (
            <p role="status">{t(meaning.several ? 'picker.several' : 'picker.longer', { text: word ?? '' })}</p>
          )}
          {found.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field's arrows and Enter choose
            <div
              key={entry.id}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={styles.offer}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(entry)}
            >
              <EntryChoice entry={entry} twin={found.some((other) => other !== entry && other.name === entry.name)} />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
