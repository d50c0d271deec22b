import {
  DateBox,
  type DateKind,
  dateFormat,
  displayFormatOf,
  type FilterProps,
  formatInstant,
  isInstantFormat,
  isRelative,
  relativeRange,
  useText,
  useTextContext,
} from '@sluice/sdk'
import { useEffect, useRef, useState } from 'react'
import { granularity } from './granularity'
import { Presets } from './presets'
import styles from './presets.module.css'
import { endText, shownEnds, storedEnd } from './range'

const NOTHING = [null, null] as const

/**
 * A day or a range of them, with words that move with the calendar; a chosen year or month means all of its days. A text that cannot
 * be read stays, is explained, and changes nothing.
 */
export function Filter({ id, field, operator, value, onChange, onSubmit }: FilterProps) {
  const t = useText()
  const context = useTextContext()
  const [unread, setUnread] = useState<readonly [string | null, string | null]>(NOTHING)
  const now = value?.value ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: another condition leaves no text behind
  useEffect(() => setUnread(NOTHING), [now, operator])
  const unit = granularity(field)
  const format = dateFormat(displayFormatOf(field))
  const timed = unit === 'date' && isInstantFormat(format) && format.startsWith('yyyy')
  const kind: DateKind = timed ? 'moment' : unit
  const range = operator === 'Between' || operator === 'NotBetween'
  const today = formatInstant(new Date().toISOString(), 'yyyy-MM-dd', context)
  const word = isRelative(now) ? now : null
  const shown = word ? (relativeRange(word, today) ?? ['', '']) : shownEnds(now, context)
  const stored = [storedEnd(shown[0], kind, context), storedEnd(shown[1], kind, context)] as const
  // The ends as they were given last: the condition is applied a moment later, and the other end may be given before that.
  const given = useRef({ of: '', ends: stored })
  const condition = `${operator} ${now}`
  if (given.current.of !== condition) given.current = { of: condition, ends: stored }
  const wire = (end: string | null, last: boolean) => (end === null ? '' : endText(end, unit, timed, last, context))
  const take = (index: 0 | 1, end: string | null) => {
    setUnread(index === 0 ? [null, unread[1]] : [unread[0], null])
    if (!range) return onChange(end === null ? null : { value: wire(end, false) })
    const { ends } = given.current
    const [from, to] = index === 0 ? [end, ends[1]] : [ends[0], end]
    given.current.ends = [from, to]
    const next = `${wire(from, false)};${wire(to, true)}`
    onChange(next === ';' ? null : { value: next })
  }
  const wrong = unread[0] !== null || unread[1] !== null
  const box = (index: 0 | 1) => ({
    kind,
    format: timed ? 'yyyy-MM-dd HH:mm' : ({ year: 'yyyy', month: 'yyyy-MM', date: 'yyyy-MM-dd' } as const)[unit],
    value: stored[index],
    unread: unread[index],
    invalid: unread[index] !== null,
    ...(wrong ? { describedBy: `${id}-note` } : {}),
    onChange: (end: string | null) => take(index, end),
    onUnread: (text: string) => setUnread(index === 0 ? [text, unread[1]] : [unread[0], text]),
    onEnter: () => !wrong && onSubmit(),
    footer: (close: () => void) => (
      <Presets
        word={word}
        onChoose={(next) => {
          setUnread(NOTHING)
          onChange({ value: next })
          close()
        }}
      />
    ),
  })
  return (
    <>
      {range ? (
        <div className={styles.range} data-long={(timed && now !== '') || undefined}>
          <DateBox {...box(0)} id={id} narrow placeholder={t('list.from')} />
          <span aria-hidden>–</span>
          <DateBox
            {...box(1)}
            id={`${id}-end`}
            narrow
            clock="23:59:00"
            label={t('list.to')}
            placeholder={t('list.to')}
          />
        </div>
      ) : (
        <DateBox {...box(0)} id={id} placeholder={t('list.choose')} />
      )}
      {wrong && (
        <div id={`${id}-note`} className={styles.wrong} role="alert">
          {t('date.notApplied', { message: t(`date.enter.${kind}`) })}
        </div>
      )}
    </>
  )
}
