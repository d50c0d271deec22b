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
} from 'react'
import styles from './grid.module.css'
import type { Editing, Grid } from './grid-commands'
import type { SheetRow } from './rows'

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

/** Puts the keyboard into a widget that has just been drawn. */
function enter(place: HTMLElement, text: string | undefined) {
  const input = place.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    'input:not([type="file"]):not([type="radio"]):not([readonly]):not([disabled]), textarea',
  )
  const target =
    input ?? place.querySelector<HTMLElement>('input:checked, input:not([type="file"]), button, a, [tabindex]')
  target?.focus({ preventScroll: true })
  // A date is rarely mended and mostly written again.
  if (text === undefined && input?.dataset.typed !== undefined) input.select()
  if (text === undefined) return
  if (input) typeInto(input, text)
  else if (text === ' ') target?.click()
  else target?.dispatchEvent(new KeyboardEvent('keydown', { key: text, bubbles: true, cancelable: true }))
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
  const unstored = waiting + failed
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
  const first = useRef(text)
  first.current = text
  const arrive = useCallback((slot: HTMLDivElement | null) => void (slot && enter(slot, first.current)), [])
  /** Of a widget that searches as one types: it knows what Enter means. */
  const leaves = useRef<(() => void) | null>(null)
  const finish = (go?: () => void) => {
    grid.stop(true, held)
    go?.()
    if (!go) grid.select(grid.now().selection)
  }
  const latest = useRef({ editing, finish })
  latest.current = { editing, finish }
  const cell = useMemo(
    (): CellEdit => ({
      done: () => latest.current.finish(() => grid.go(1, 'column')),
      onLeave: (leave) => {
        leaves.current = leave
        grid.onLeave(leave)
      },
      unread: (given) => grid.write(latest.current.editing, { [code]: { unread: given } }),
    }),
    [grid, code],
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
      take()
      finish(() => grid.go(shiftKey ? -1 : 1, 'row'))
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
                  value={isUnread(value) && !keeps ? null : value}
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
