import { Input, type InputRef } from 'antd'
import { type FocusEvent, type KeyboardEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { type DateKind, readDate } from '@/lib/date-text'
import { formatDate, formatInstant, isInstantFormat } from '@/lib/dates'
import styles from './date-box.module.css'
import { useTextContext } from './system'
import { useTypedText } from './typing'
import { useText } from './use-text'

const loadCalendar = () => import('./calendar')
const Calendar = lazy(() => loadCalendar().then((m) => ({ default: m.Calendar })))

export interface DateBoxProps {
  id?: string
  kind: DateKind
  /** How the value is shown, in the words of documents. */
  format: string
  /** The stored form: a day, "HH:mm:ss", or a moment in UTC. */
  value: string | null
  /** A text that could not be read: the box keeps it instead of a value. */
  unread?: string | null
  onChange: (value: string | null) => void
  onUnread: (text: string) => void
  /** Enter was pressed, and nothing had been typed. */
  onEnter?: () => void
  onBlur?: (() => void) | undefined
  /** What a day without a time means in a box of moments; its first minute when missing. */
  clock?: string
  /** Stands below the calendar. */
  footer?: (close: () => void) => ReactNode
  label?: string
  placeholder?: string | undefined
  invalid?: boolean | undefined
  describedBy?: string | undefined
  autoFocus?: boolean | undefined
  inCell?: boolean | undefined
  /** There is no room for more than the text: no tools beside it. */
  narrow?: boolean
}

const POPUP = '.ant-picker-dropdown'
const inPopup = (at: EventTarget | null) => at instanceof Element && at.closest(POPUP) !== null

/** What a value looks like in its box, and is read back from. */
function shownAs(value: string, kind: DateKind, format: string, context: ReturnType<typeof useTextContext>): string {
  return kind === 'time' ? value.slice(0, format.length) : formatDate(value, format, context)
}

/**
 * A box for days, months, years, moments and times, with a calendar below it. What is typed stays as it is until the box is left or
 * Enter is pressed, and is read once then; a text that cannot be read stays. Esc brings back what stood there before.
 */
export function DateBox(props: DateBoxProps) {
  const { id, kind, format, value, unread = null, onChange, onUnread, onEnter, onBlur, clock, footer } = props
  const t = useText()
  const context = useTextContext()
  const { zone } = context
  const input = useRef<InputRef>(null)
  const root = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [opened, setOpened] = useState(false)
  /** The pointer was last pressed in the calendar. */
  const picking = useRef(false)
  /** The pointer was pressed in a box that had no focus: the first click selects the text, the second one sets the caret. */
  const entering = useRef(false)
  /** What stood here before a text that could not be read. */
  const before = useRef(value)
  if (unread === null) before.current = value
  const meant = (text: string) =>
    readDate(text, kind, {
      zone,
      ...(clock === undefined ? {} : { clock }),
      ...(value && kind === 'clock' ? { day: formatInstant(value, 'yyyy-MM-dd', context) } : {}),
    })
  const typed = useTypedText({
    text: unread ?? (value === null ? '' : shownAs(value, kind, format, context)),
    onRead: (text) => {
      const plain = text.trim()
      const next = plain === '' ? null : meant(plain)
      if (next === undefined) onUnread(text)
      else onChange(next)
      return next !== undefined
    },
  })
  const show = () => {
    setOpened(true)
    setOpen(true)
  }
  const put = (next: string | null) => {
    typed.giveUp()
    setOpen(false)
    onChange(next)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || inPopup(event.target)) return
    if (event.key === 'Enter') {
      setOpen(false)
      if (typed.read() === 'same' && unread === null) onEnter?.()
    } else if (event.key === 'Escape') {
      if (!typed.typing && !open && unread === null) return
      event.preventDefault()
      event.stopPropagation()
      if (typed.typing) typed.giveUp()
      else if (!open) onChange(before.current)
      setOpen(false)
    } else if (event.altKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      if (event.key === 'ArrowDown') show()
      else setOpen(false)
    }
  }
  const leave = ({ relatedTarget: to }: FocusEvent) => {
    if (inPopup(to) || (to instanceof Node && root.current?.contains(to))) return
    // The window was left, not the box.
    if (to === null && document.activeElement === input.current?.input) return
    setOpen(false)
    typed.read()
    onBlur?.()
  }
  const timed = kind === 'time' || kind === 'clock'
  const drafted = typed.typing ? meant(typed.shown) : undefined
  const keepFocus = { onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault() }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears of the box and of the calendar below it
    <div
      ref={root}
      className={`${styles.box} ${props.narrow ? styles.narrow : ''}`}
      onKeyDown={onKeyDown}
      onBlur={leave}
      onMouseDown={(event) => {
        picking.current = inPopup(event.target)
        // The keyboard stays in the box while days are pressed.
        if (picking.current && !(event.target instanceof HTMLInputElement)) event.preventDefault()
      }}
    >
      <Input
        ref={input}
        id={id}
        data-typed
        value={typed.shown}
        onChange={(event) => typed.type(event.target.value)}
        onFocus={() => void loadCalendar()}
        onMouseDown={({ currentTarget: box }) => {
          entering.current = document.activeElement !== box
        }}
        onClick={({ currentTarget: box }) => {
          show()
          if (entering.current && box.selectionStart === box.selectionEnd) box.select()
          entering.current = false
        }}
        inputMode={kind === 'moment' ? 'text' : 'decimal'}
        autoComplete="off"
        spellCheck={false}
        placeholder={props.placeholder}
        status={props.invalid ? 'error' : ''}
        variant={props.inCell ? 'borderless' : 'outlined'}
        autoFocus={props.autoFocus ?? false}
        aria-label={props.label}
        aria-invalid={props.invalid || undefined}
        aria-describedby={props.describedBy}
        suffix={
          props.narrow ? null : (
            <>
              {typed.shown !== '' && !props.inCell && (
                <button
                  type="button"
                  tabIndex={-1}
                  className={`${styles.tool} ${styles.clear}`}
                  aria-label={t('common.clear')}
                  onClick={() => put(null)}
                  {...keepFocus}
                >
                  <Icon name="close" size={12} />
                </button>
              )}
              <button
                type="button"
                tabIndex={-1}
                className={`${styles.tool} ${styles.open}`}
                aria-label={t(timed ? 'date.openTimes' : 'date.openCalendar')}
                onClick={() => {
                  input.current?.focus()
                  if (open) setOpen(false)
                  else show()
                }}
                {...keepFocus}
              >
                <Icon name={timed ? 'clock' : 'calendar'} size={14} />
              </button>
            </>
          )
        }
      />
      {opened && (
        <Suspense fallback={null}>
          <Calendar
            open={open}
            kind={kind}
            zone={zone}
            seconds={isInstantFormat(format) && format.includes('ss')}
            value={drafted ?? value}
            clock={clock}
            onPick={put}
            onPart={(part) => typed.type(shownAs(part, kind, format, context))}
            onClose={() => {
              if (picking.current) setOpen(false)
            }}
            {...(footer ? { footer: footer(() => setOpen(false)) } : {})}
          />
        </Suspense>
      )}
    </div>
  )
}
