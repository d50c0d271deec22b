import {
  asksOf,
  type CellEdit,
  CellEditContext,
  type FormField,
  FormHoldContext,
  isUnread,
  localName,
  TypingContext,
  useHolds,
  useLocale,
  useWidget,
} from '@sluice/sdk'
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import styles from './grid.module.css'
import type { Editing, Grid } from './grid-commands'
import { keyOf, type SheetRow } from './rows'

const POPUPS = '.ant-select-dropdown, .ant-picker-dropdown, .ant-popover, .ant-modal-root'

/** Whether a list or calendar of the cell is open, which then owns most keys. */
const popupOpen = () =>
  [...document.querySelectorAll('.ant-select-dropdown, .ant-picker-dropdown')].some(
    (one) => !/-hidden|-leave/.test(one.className) && (one as HTMLElement).style.display !== 'none',
  )

/** Types a text as a person would, so that any widget hears of it. */
function typeInto(input: HTMLInputElement | HTMLTextAreaElement, text: string) {
  input.select()
  if (document.execCommand?.('insertText', false, text)) return
  const proto = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(proto, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Pastes files as a person would. */
function pasteInto(target: HTMLElement | null, files: File[]) {
  const clipboardData = new DataTransfer()
  for (const file of files) clipboardData.items.add(file)
  target?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

/** Puts the keyboard into a widget that has just been drawn. */
function enter(place: HTMLElement, { text, files }: Pick<Editing, 'text' | 'files'>) {
  const input = place.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    'input:not([type="file"]):not([type="radio"]):not([readonly]):not([disabled]), textarea',
  )
  const target =
    input ??
    place.querySelector<HTMLElement>('[data-choose]') ??
    place.querySelector<HTMLElement>('input:checked, input:not([type="file"]), button, a, [tabindex]')
  target?.focus({ preventScroll: true })
  if (files) return pasteInto(target, files)
  // A date is rarely mended and mostly written again.
  if (text === undefined && input?.dataset.typed !== undefined) input.select()
  if (text === undefined) return
  if (input) typeInto(input, text)
  else if (text === ' ') target?.click()
  else target?.dispatchEvent(new KeyboardEvent('keydown', { key: text, bubbles: true, cancelable: true }))
}

/** Whether Tab leads from a button of the widget to another one, and not out of the cell. */
function goesOn({ target, currentTarget, shiftKey }: KeyboardEvent): boolean {
  if (!(target as Element).matches('button, a')) return false
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('button, a[href]')].filter((one) => one.tabIndex >= 0)
  return stops[stops.indexOf(target as HTMLElement) + (shiftKey ? -1 : 1)] !== undefined
}

interface EditorProps {
  id: string
  grid: Grid
  editing: Editing
  column: FormField
  sheet: string
  schemaCode: string
  row: SheetRow
  values: () => Record<string, unknown>
  invalid: boolean
  /** Cells in which something is on its way, by key and column. */
  busy: RefObject<Set<string>>
}

export const busyKey = ({ key, column }: Editing) => `${key}/${column}`

/** The widget of the cell that is being edited. What it says is written at once; Esc takes all of it back. */
export function Editor({ id, grid, editing, column, sheet, schemaCode, row, values, invalid, busy }: EditorProps) {
  const locale = useLocale()
  const outer = useContext(FormHoldContext)
  const form = useContext(TypingContext)
  const note = useMemo(
    (): typeof form => (box, read) => {
      grid.typing(box, read)
      form(box, read)
    },
    [grid, form],
  )
  const { waiting, failed, hold } = useHolds()
  const [asking, setAsking] = useState(false)
  const unstored = waiting + failed + (asking ? 1 : 0)
  const both = useMemo(
    (): typeof hold => (holder, of) => {
      hold(holder, of)
      outer(holder, of)
    },
    [hold, outer],
  )
  const held = (one: Editing) => busy.current.has(busyKey(one))
  const mark = busyKey(editing)
  useEffect(() => {
    if (unstored > 0) busy.current.add(mark)
    else busy.current.delete(mark)
    if (unstored === 0 && editing.left) grid.sweep(editing)
  }, [unstored, mark, editing, busy, grid])

  const code = column.propertyCode
  const path = `${sheet}.${code}`
  const Widget = useWidget(column.propertyType)
  const value = row[code] ?? null
  const keeps = asksOf(column) !== undefined
  const text = editing.text ?? (isUnread(value) && !keeps ? value.unread : undefined)
  // A widget arrives once, perhaps later than its cell was opened.
  const first = useRef({ text, files: editing.files })
  first.current = { text, files: editing.files }
  const arrive = useCallback((slot: HTMLDivElement | null) => void (slot && enter(slot, first.current)), [])
  /** Of a widget that searches as one types: it knows what Enter means. */
  const leaves = useRef<(() => void) | null>(null)
  /** Ends editing and goes on; false where that leads out of the grid. */
  const finish = (go?: () => unknown): boolean => {
    grid.stop(true, held)
    if (go) return go() !== false
    grid.select(grid.now().selection)
    return true
  }
  const latest = useRef({ editing, finish, mark })
  latest.current = { editing, finish, mark }
  const cell = useMemo(
    (): CellEdit => ({
      done: () => void latest.current.finish(() => grid.go(1, 'column')),
      onLeave: (leave) => {
        grid.onLeave(leave, leaves.current)
        leaves.current = leave
      },
      unread: (given) => {
        const { editing } = latest.current
        const { rows } = grid.now() // a choice that was made with this key is not drawn yet
        const value = rows.find((one, index) => keyOf(one, index) === editing.key)?.[code] ?? null
        const kept = isUnread(value) ? value.kept : Array.isArray(value) && value.length > 0 ? value : undefined
        if (given !== '') grid.write(editing, { [code]: { unread: given, ...(kept ? { kept } : {}) } })
        else if (isUnread(value)) grid.write(editing, { [code]: kept ?? null })
      },
      asking: (on) => {
        if (on) busy.current.add(latest.current.mark)
        setAsking(on)
      },
    }),
    [grid, code, busy],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || editing.left) return
    const { key, shiftKey, altKey } = event
    const take = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (key === 'Escape') {
      take()
      grid.stop(false, held)
      grid.select(grid.now().selection)
    } else if (key === 'Tab') {
      if (goesOn(event)) return
      event.stopPropagation()
      if (finish(() => grid.go(shiftKey ? -1 : 1, 'row'))) event.preventDefault()
      // The browser goes on from what has the keyboard: the widget is about to go, so the grid takes it first.
      else flushSync(grid.focus)
    } else if (key === 'Enter' && altKey && event.target instanceof HTMLTextAreaElement) {
      take()
      document.execCommand?.('insertText', false, '\n')
    } else if (key === 'Enter' && !shiftKey && leaves.current && (event.target as Element).closest('.ant-select')) {
      return
    } else if (key === 'Enter' && popupOpen() && (event.target as HTMLElement).dataset.typed === undefined) {
      // The list or calendar takes its choice first; when that closes it, the cell is done.
      setTimeout(() => {
        if (!popupOpen() && grid.current() === editing) finish(() => grid.go(1, 'column'))
      }, 0)
    } else if (key === 'Enter' && !(event.target as HTMLElement).closest('button, a')) {
      take()
      finish(() => grid.go(shiftKey ? -1 : 1, 'column'))
    } else if ((key === 'ArrowUp' || key === 'ArrowDown') && editing.text !== undefined && !popupOpen()) {
      take()
      finish(() => grid.step(key))
    }
  }
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const to = relatedTarget as HTMLElement | null
    if (!to || currentTarget.contains(to) || to.closest(POPUPS)) return
    if (grid.current() === editing) grid.stop(true, held)
  }
  if (!Widget) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that the widget within leaves over
    <div className={styles.editor} onKeyDownCapture={onKeyDown} onBlur={onBlur} data-editor>
      <label className="visually-hidden" htmlFor={id}>
        {localName(column, locale)}
      </label>
      <FormHoldContext value={both}>
        <CellEditContext value={cell}>
          <TypingContext value={note}>
            <Suspense>
              <div ref={arrive} className={styles.slot}>
                <Widget
                  id={id}
                  field={{ ...column, propertyCode: path }}
                  schemaCode={schemaCode}
                  value={isUnread(value) && !keeps ? (value.kept ?? null) : value}
                  onChange={(next) => grid.write(editing, { [code]: next })}
                  fill={({ [path]: own, ...others }) => grid.write(editing, { ...others, [code]: own })}
                  values={() => ({ ...values(), ...row })}
                  invalid={invalid}
                  inCell
                />
              </div>
            </Suspense>
          </TypingContext>
        </CellEditContext>
      </FormHoldContext>
    </div>
  )
}
