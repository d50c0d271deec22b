import { Button, Popover } from 'antd'
import { type FocusEvent, type KeyboardEvent, Suspense, useCallback, useEffect, useMemo, useRef } from 'react'
import { ERROR } from '@/api/errors.gen'
import { Avatar } from '@/components/avatar'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { type CellEdit, CellEditContext } from '@/sdk/cell-edit'
import { useWidget } from '@/sdk/resolve'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { CellEntry, CellError, CellInput, FailedRow, HeadColumn } from './api'
import { type CellPlace, inputFrom, isParty, take, wordsOf } from './correction'
import styles from './correction.module.css'
import { type Corrections, type Editing, useCell } from './correction-store'
import { useCellValue } from './use-cell-value'

interface CellProps {
  row: FailedRow
  place: CellPlace
  column: HeadColumn
  schemaCode: string
  /** Gives the focus back to the cell, or to the next one. */
  onDone: (move: 'stay' | 'down' | 'next' | 'back') => void
}

const POPUPS = '.ant-select-dropdown, .ant-picker-dropdown, .ant-popover, .ant-modal-root'

/** A cell of a refused row: what it says, why it was refused, and its editing control while it is edited. */
export function CorrectionCell(props: CellProps) {
  const { row, place, column } = props
  const t = useText()
  const locale = useLocale()
  const { store, input, error, editing, touched } = useCell(row, place)
  const words = wordsOf(input, locale)
  const people = isParty(column.propertyType) && typeof input !== 'string' ? input.filter((entry) => entry.id) : []
  const known = typeof input !== 'string' && people.length === input.length && people.length > 0
  return (
    <div
      className={styles.cell}
      data-wrong={error ? '' : undefined}
      data-touched={touched || undefined}
      title={error ? `${words}\n${error.errmsg}` : words || undefined}
    >
      {known ? (
        <span className={styles.people}>
          {people.map((entry) => (
            <span key={entry.id}>
              {entry.type !== 1 && <Avatar name={entry.name} src={entry.imgUrl ?? null} size={18} />}
              {entry.name}
              {entry.detail && <small>{entry.detail}</small>}
            </span>
          ))}
        </span>
      ) : (
        <span className={styles.words}>{words}</span>
      )}
      {error && (
        <span className={styles.tag}>
          {error.errcode === ERROR.CellDisabled ? t('import.disabled') : t(`import.kinds.${error.kind}`)}
        </span>
      )}
      {editing && <CellEditor {...props} store={store} editing={editing} input={input} error={error} />}
    </div>
  )
}

interface EditorProps extends CellProps {
  store: Corrections
  editing: Editing
  input: CellInput
  error: CellError | undefined
}

const popupOpen = () =>
  [...document.querySelectorAll('.ant-select-dropdown, .ant-picker-dropdown')].some(
    (one) => !/-hidden|-leave/.test(one.className) && (one as HTMLElement).style.display !== 'none',
  )

/** Puts the keyboard into the control, and types what the person has begun with. */
function enter(place: HTMLElement, text: string | undefined) {
  const input = place.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    'input:not([type="radio"]):not([readonly]):not([disabled]), textarea',
  )
  const target = input ?? place.querySelector<HTMLElement>('input, button, [tabindex]')
  target?.focus({ preventScroll: true })
  if (!input || input.type === 'checkbox') return
  input.select()
  if (text !== undefined) document.execCommand?.('insertText', false, text)
}

function CellEditor({ place, column, schemaCode, onDone, store, editing, input, error }: EditorProps) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const Widget = useWidget(column.propertyType)
  // What was wrong is told while the cell is edited, also when a first letter has mended it.
  const first = useRef(error)
  const begun = useRef(input)
  const leaves = useRef<(() => void) | null>(null)
  const field = useMemo(() => ({ ...column, propertyCode: place.code, required: false }), [column, place.code])
  const shown = useCellValue(editing.text === undefined ? input : '', field)
  const put = useCallback((next: CellInput) => store.getState().put([{ place, input: next }]), [store, place])
  const finish = (move: Parameters<typeof onDone>[0]) => {
    leaves.current?.()
    store.getState().close()
    onDone(move)
  }
  const latest = useRef(finish)
  latest.current = finish
  const cell = useMemo(
    (): CellEdit => ({
      done: () => latest.current('down'),
      onLeave: (leave) => {
        leaves.current = leave
      },
      unread: (text) => text !== '' && put(text),
      asking: () => {},
    }),
    [put],
  )
  const begins = useRef(editing)
  begins.current = editing
  const slot = useCallback((at: HTMLDivElement | null) => {
    if (!at) return
    const { text, enter: ends } = begins.current
    enter(at, text)
    if (ends) setTimeout(() => latest.current('down')) // what listens to the text has heard it by then
  }, [])
  const choose = (entry: CellEntry) => {
    leaves.current = null
    put(take(begun.current, entry, field))
    store.getState().close()
    onDone('stay')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const stop = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (event.key === 'Escape') {
      stop()
      leaves.current = null
      store.getState().restore(place, editing.before)
      store.getState().close()
      onDone('stay')
    } else if (event.key === 'Tab') {
      stop()
      finish(event.shiftKey ? 'back' : 'next')
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      if (leaves.current && (event.target as Element).closest('.ant-select')) return
      if (popupOpen() && (event.target as HTMLElement).dataset.typed === undefined) {
        setTimeout(() => !popupOpen() && latest.current('down'))
        return
      }
      if ((event.target as Element).closest('button, a')) return
      stop()
      finish('down')
    }
  }
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const to = relatedTarget as HTMLElement | null
    if (!to || currentTarget.contains(to) || to.closest(POPUPS)) return
    leaves.current?.()
    store.getState().close()
  }
  useEffect(() => {
    // A press elsewhere on the page ends it too, where nothing takes the focus.
    const press = (event: PointerEvent) => {
      const to = event.target as Element
      if (to.closest('[data-editor]') || to.closest(POPUPS.replace(', .ant-modal-root', ''))) return
      leaves.current?.()
      store.getState().close()
    }
    document.addEventListener('pointerdown', press, true)
    return () => document.removeEventListener('pointerdown', press, true)
  }, [store])
  const wrong = first.current
  const unread = typeof begun.current === 'string' ? begun.current : ''
  const help = wrong && (
    <section className={styles.help} aria-label={localName(column, locale)}>
      <p>{wrong.errmsg}</p>
      {shown.value === null && unread !== '' && !wrong.errmsg.includes(unread) && (
        <p className={styles.note}>{t('import.inFile', { text: unread })}</p>
      )}
      {wrong.suggestions && wrong.suggestions.length > 0 && (
        <>
          <p className={styles.note}>{t('import.suggestions')}</p>
          <ul>
            {wrong.suggestions.map((entry) => (
              <li key={entry.id ?? entry.name}>
                <Button size="small" block onClick={() => choose(entry)}>
                  {entry.name}
                  {entry.detail && <small>{entry.detail}</small>}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {input.length > 0 && (
        <Button
          size="small"
          type="link"
          onClick={() => {
            leaves.current = null
            put('')
            store.getState().close()
            onDone('stay')
          }}
        >
          {t('import.clearCell')}
        </Button>
      )}
    </section>
  )
  const control = (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that the control within leaves over
    <div className={styles.editor} data-editor onKeyDownCapture={onKeyDown} onBlur={onBlur}>
      <label className="visually-hidden" htmlFor={`fix-${place.row}-${place.code}`}>
        {localName(column, locale)}
      </label>
      {!shown.ready ? null : Widget ? (
        <CellEditContext value={cell}>
          <Suspense fallback={null}>
            <div ref={slot} className={styles.slot}>
              <Widget
                id={`fix-${place.row}-${place.code}`}
                field={field}
                schemaCode={schemaCode}
                value={shown.value}
                onChange={(next) => {
                  shown.set(next)
                  put(inputFrom(next, field, context))
                }}
                values={() => ({})}
                invalid={wrong !== undefined}
                inCell
              />
            </div>
          </Suspense>
        </CellEditContext>
      ) : (
        <div ref={slot} className={styles.slot}>
          <input
            id={`fix-${place.row}-${place.code}`}
            className={styles.plain}
            value={wordsOf(input, locale)}
            onChange={(event) => put(event.target.value)}
          />
        </div>
      )}
    </div>
  )
  return (
    <Popover open={wrong !== undefined} placement="topLeft" arrow={false} content={help} autoAdjustOverflow>
      {control}
    </Popover>
  )
}
