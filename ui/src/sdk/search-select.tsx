import type { SelectProps } from 'antd'
import { type FocusEvent, type KeyboardEvent, type ReactElement, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Choice } from '@/components/choice'
import { type Meaning, meaningOf } from '@/lib/find-choice'
import { useCellEdit } from './cell-edit'
import styles from './search-select.module.css'
import { useUnreadText } from './typing'
import { useText } from './use-text'

export interface Choosable {
  value: string
  label: string
  /** How what is typed names it. */
  named?: string | null | undefined
}

/** What a text has found. */
export type FoundChoices = Pick<Choosable, 'value' | 'named'>[]

type Group<O> = { label: string; options: O[] }

const isGroup = <O extends Choosable>(one: O | Group<O>): one is Group<O> => 'options' in one

interface Props<O extends Choosable>
  extends Omit<SelectProps<string | string[]>, 'options' | 'mode' | 'open' | 'showSearch' | 'onBlur' | 'variant'> {
  multiple?: boolean
  /** What may be chosen: of a typed text what it finds, the best first. */
  options: (O | Group<O>)[]
  typed: string
  onTyped: (text: string) => void
  /** The options do not answer what is typed yet. */
  pending: boolean
  /** What a text finds, once that is known; asked where the widget is left before. */
  find: (text: string) => Promise<FoundChoices>
  /** Chooses as a click does; true when the choice goes on in the list, which then stays open. */
  pick: (value: string) => unknown
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Without typing, on small screens where keys would cover the options. */
  searchable?: boolean
  inCell?: boolean | undefined
  onBlur?: (() => void) | undefined
}

/** The option that is highlighted, by what the box tells screen readers: it alone is always true. */
function highlighted<O extends Choosable>(box: Element, options: (O | Group<O>)[]): O | undefined {
  const at = Number(/_list_(-?\d+)$/.exec(box.getAttribute('aria-activedescendant') ?? '')?.[1] ?? -1)
  const one = options.flatMap((option) => (isGroup(option) ? [option, ...option.options] : [option]))[at]
  return one && !isGroup(one) ? one : undefined
}

const flat = <O extends Choosable>(options: (O | Group<O>)[]): O[] =>
  options.flatMap((one) => (isGroup(one) ? one.options : [one]))

/** Why a text chose nothing: nothing has it, what has it is called otherwise, or several are called so. */
type Why = 'none' | 'longer' | 'several'

const whyNot = (found: FoundChoices, { several }: Meaning<unknown>): Why =>
  several ? 'several' : found.length > 0 ? 'longer' : 'none'

/**
 * A list of choices that is searched by typing. Enter, Tab and leaving the box choose the one option that all that is typed names, or what the
 * arrows lead to; never a longer name, one of several, or an option that is merely the first. A text that chose nothing stays visible.
 */
export function SearchSelect<O extends Choosable>(props: Props<O>) {
  const { multiple, options, typed, onTyped, pending, find, pick, open, onOpenChange, onBlur, inCell, ...rest } = props
  const { searchable = true, className = '', ...select } = rest
  const t = useText()
  const cell = useCellEdit()
  const box = useRef<HTMLDivElement>(null)
  /** The arrows were used since the list opened or something was typed. */
  const moved = useRef(false)
  const confirmed = useRef(false)
  /** What was left behind and chose nothing; `told` once it has stopped a save. */
  const [missed, setMissed] = useState<{ text: string; told: boolean; why: Why } | null>(null)
  /** A save was refused for this text, which is still in the box. */
  const [unfound, setUnfound] = useState('')
  /** Enter was pressed for what is typed, which does not say what to choose. */
  const [asked, setAsked] = useState(false)
  /** Chooses what was typed: of several, one that is chosen already stays so. */
  const add = (value: string) => {
    if (!multiple || ![select.value ?? []].flat().includes(value)) pick(value)
  }
  const now = useRef({ typed, options, pending, find, add })
  now.current = { typed, options, pending, find, add }
  const put = (text: string) => {
    moved.current = false
    confirmed.current = false
    now.current.typed = text
    if (text) setMissed(null)
    setUnfound('')
    setAsked(false)
    onTyped(text)
  }
  const close = () => {
    put('')
    onOpenChange(false)
  }
  const settle = (value: string) => {
    setMissed(null)
    now.current.add(value)
    close()
  }
  /** Whether the choice is over. */
  const take = (value: string): boolean => {
    setMissed(null)
    const over = pick(value) !== true
    if (multiple || !over) put('')
    else close()
    return over
  }
  const meaning = meaningOf(flat(options))
  /** What Enter and Tab would choose; undefined for nothing. */
  const meant = (): O | undefined => {
    const input = box.current?.querySelector('input')
    if (now.current.typed && now.current.pending) return undefined
    if (moved.current && input) return highlighted(input, options)
    return now.current.typed ? meaning.one : undefined
  }

  // Enter came before the answer.
  const answer = useRef<() => void>(() => {})
  answer.current = () => {
    if (!confirmed.current || pending) return
    confirmed.current = false
    const one = typed ? meaning.one : undefined
    if (!one) return setAsked(typed !== '')
    if (take(one.value) && !multiple) cell?.done()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it answers each time that the options have come
  useEffect(() => answer.current(), [pending, options])

  const miss = (text: string, why: Why) => (cell ? cell.unread(text) : setMissed({ text, told: false, why }))
  /** Texts that were confirmed before it was known what they find, in their order. */
  const queue = useRef({ count: 0, all: Promise.resolve() })
  const [asking, setAsking] = useState(false)
  const ask = (text: string, none: (text: string, why: Why) => void) => {
    const count = (by: 1 | -1) => {
      queue.current.count += by
      setAsking(queue.current.count > 0)
      cell?.asking(queue.current.count > 0)
    }
    const answer = (found: FoundChoices) =>
      // Each is added to what the ones before it made of the value.
      flushSync(() => {
        const meaning = meaningOf(found)
        if (meaning.one) now.current.add(meaning.one.value)
        else none(text, whyNot(found, meaning))
        count(-1)
      })
    count(1)
    const found = find(text).catch((): FoundChoices => [])
    queue.current.all = queue.current.all.then(async () => answer(await found))
  }
  /** A text that found nothing comes back to an input that still has the keyboard; the button beside it that clears is not it. */
  const back = (text: string, why: Why) => {
    const input = box.current?.querySelector('input')
    if (!input || input !== document.activeElement) return miss(text, why)
    put([text, now.current.typed].join(' ').trim())
    onOpenChange(true)
  }

  /** Takes what was typed when the keyboard goes elsewhere. */
  const leave = useRef(() => {})
  leave.current = () => {
    const one = meant()
    if (one) return settle(one.value)
    const text = now.current.typed.trim()
    if (!text) return cell?.unread('')
    if (pending) ask(text, miss)
    else miss(text, whyNot(flat(options), meaning))
    close()
  }
  const leaveNow = useCallback(() => leave.current(), [])
  useEffect(() => {
    cell?.onLeave(leaveNow)
    return () => cell?.onLeave(null)
  }, [cell, leaveNow])

  // The form asks before it is saved: what is typed counts when it finds something, and otherwise blocks the save.
  const wanting = useRef<() => unknown>(() => true)
  wanting.current = () => {
    const text = now.current.typed.trim()
    if (queue.current.count > 0) return queue.current.all.then(() => wanting.current())
    if (!text) {
      if (!missed) return true
      setMissed({ ...missed, told: true })
      box.current?.querySelector('input')?.focus()
      return false
    }
    const answer = (found: FoundChoices) => {
      const { one } = meaningOf(found)
      if (one) settle(one.value)
      else if (cell)
        cell.unread(text) // its column says what is wrong
      else setUnfound(text)
      return one !== undefined || cell !== null
    }
    if (!now.current.pending) return answer(flat(now.current.options))
    return now.current.find(text).then(answer, () => answer([]))
  }
  useUnreadText(typed.trim() !== '' || missed?.told === false || asking, () => wanting.current())

  const onEnter = (event: KeyboardEvent) => {
    if (!open && !cell) return
    event.preventDefault()
    event.stopPropagation()
    if (event.repeat) return
    if (open && typed && pending) {
      if (!multiple && !cell) {
        confirmed.current = true
        return
      }
      // The next name is typed meanwhile, or the next cell.
      ask(typed.trim(), multiple ? back : miss)
      if (multiple) return put('')
      close()
      return cell?.done()
    }
    const one = open ? meant() : undefined
    if (one) {
      if (take(one.value) && !multiple) cell?.done()
    } else if (!open || !typed) {
      close()
      cell?.done()
    } else setAsked(options.length > 0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    if (!event.currentTarget.contains(event.target)) return
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      // An arrow opens the list where nothing is highlighted yet.
      moved.current = open
    } else if (event.key === 'Enter' && plain && !event.shiftKey) onEnter(event)
    else if (event.key === 'Tab' && open) {
      event.stopPropagation() // the list would take what is highlighted
      leave.current()
      onOpenChange(false)
    }
  }
  const blur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget?.closest('.ant-select-dropdown')) return
    const text = now.current.typed.trim()
    if (text && confirmed.current && now.current.pending) ask(text, miss)
    else if (text && !cell) setMissed({ text, told: false, why: whyNot(flat(options), meaning) })
    if (now.current.typed) onTyped('')
    onBlur?.()
  }
  const reason = (text: string, why: Why, none: 'picker.unfound' | 'picker.missed') =>
    t(why === 'none' ? none : `picker.${why}`, { text })
  const why = whyNot(flat(options), meaning)
  // The open list covers the note below the box.
  const missing = <span className={styles.missed}>{t('picker.unfound', { text: unfound })}</span>
  const hint = asked && why !== 'none' && (
    <div role="status" className={styles.hint}>
      {reason(typed.trim(), why, 'picker.unfound')}
    </div>
  )
  return (
    <div ref={box} className={`${styles.whole} ${className}`} onKeyDownCapture={onKeyDown}>
      <Choice<string | string[]>
        {...select}
        {...(multiple ? { mode: 'multiple' as const, maxTagCount: 'responsive' as const } : {})}
        options={options as never[]}
        open={open}
        onOpenChange={(next) => {
          moved.current = false
          onOpenChange(next)
        }}
        onBlur={blur}
        {...(unfound ? { status: 'error' as const, notFoundContent: missing } : {})}
        defaultActiveFirstOption={typed !== '' && meaning.one !== undefined && meaning.one === flat(options)[0]}
        showSearch={
          searchable && {
            filterOption: false,
            searchValue: typed,
            onSearch: (text: string) => put(text.trimStart()),
          }
        }
        popupRender={(menu: ReactElement) => (
          <>
            {hint}
            {select.popupRender ? select.popupRender(menu) : menu}
          </>
        )}
        allowClear={{ label: t('common.clear') }}
        variant={inCell ? 'borderless' : 'outlined'}
        className={styles.select ?? ''}
      />
      {(unfound || (missed && !typed)) && (
        <div role="alert" className={styles.missed}>
          {unfound
            ? reason(unfound, why, 'picker.unfound')
            : missed && reason(missed.text, missed.why, 'picker.missed')}
        </div>
      )}
    </div>
  )
}
