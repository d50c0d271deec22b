import { type FilterProps, shift, useText, useTypedText } from '@sluice/sdk'
import { Input, Space } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { isPercent } from './format'
import { parseText } from './parse'

const NOTHING = [null, null] as const

interface EndProps {
  id?: string
  label?: string
  /** The exact figure as people say it; empty when there is none. */
  text: string
  invalid: boolean
  describedBy: string | undefined
  suffix: string | null
  /** Reports whether the text is a figure. */
  onRead: (typed: string) => boolean
  onEnter: () => void
}

/** One figure: its text is read when the box is left or Enter is pressed. */
function End({ id, label, text, invalid, describedBy, suffix, onRead, onEnter }: EndProps) {
  const typed = useTypedText({ text, onRead })
  return (
    <Input
      id={id}
      data-typed
      inputMode="decimal"
      autoComplete="off"
      value={typed.shown}
      onChange={(event) => typed.type(event.target.value)}
      onBlur={() => typed.read()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter' && typed.read() !== 'unread') onEnter()
        if (event.key !== 'Escape' || !typed.typing) return
        event.preventDefault()
        event.stopPropagation()
        typed.giveUp()
      }}
      suffix={suffix}
      status={invalid ? 'error' : ''}
      placeholder={label}
      aria-label={label}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
    />
  )
}

/** A figure, or a range with one or both ends; ends are exact texts, percentages as people say them. */
export function Filter({ id, field, operator, value, onChange, onSubmit }: FilterProps) {
  const t = useText()
  const [unread, setUnread] = useState<readonly [string | null, string | null]>(NOTHING)
  const now = value?.value ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: another condition leaves no text behind
  useEffect(() => setUnread(NOTHING), [now, operator])
  const places = isPercent(field) ? 2 : 0
  const range = operator === 'Between' || operator === 'NotBetween'
  const [low = '', high = ''] = now.split(';')
  // The ends as they were given last: the condition is applied a moment later, and the other end may be given before that.
  const given = useRef({ of: '', ends: [low, high] })
  const condition = `${operator} ${now}`
  if (given.current.of !== condition) given.current = { of: condition, ends: [low, high] }
  const read = (index: 0 | 1) => (typed: string) => {
    const plain = typed.trim()
    const exact = plain === '' ? '' : parseText(plain, field)
    const text = exact === undefined ? typed : null
    setUnread(index === 0 ? [text, unread[1]] : [unread[0], text])
    if (exact === undefined) return false
    const { ends } = given.current
    const [from = '', to = ''] = index === 0 ? [exact, ends[1]] : [ends[0], exact]
    given.current.ends = [from, to]
    const next = !range ? exact : from || to ? `${from};${to}` : ''
    if (next !== now) onChange(next ? { value: next } : null)
    return true
  }
  const wrong = unread.some((one) => one !== null)
  const end = (index: 0 | 1, stored: string) => ({
    text: unread[index] ?? (stored ? shift(stored, places) : ''),
    invalid: unread[index] !== null,
    describedBy: wrong ? `${id}-note` : undefined,
    suffix: places ? '%' : null,
    onRead: read(index),
    onEnter: onSubmit,
  })
  return (
    <>
      {range ? (
        <Space.Compact block>
          <End {...end(0, low)} id={id} label={t('list.min')} />
          <End {...end(1, high)} label={t('list.max')} />
        </Space.Compact>
      ) : (
        <End {...end(0, low)} id={id} />
      )}
      {wrong && (
        <div id={`${id}-note`} role="alert" style={{ marginTop: 4, fontSize: 12, color: 'var(--bad-text)' }}>
          {t('date.notApplied', { message: t('date.enter.number') })}
        </div>
      )}
    </>
  )
}
