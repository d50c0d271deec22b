import { Icon } from '@sluice/sdk'
import { Button, Input } from 'antd'
import { useId, useRef, useState } from 'react'
import look from '../shared/look.module.css'
import { texts } from '../texts'
import { Answers } from './answers'
import type { Entry } from './begin'
import styles from './fill.module.css'
import { absurd, designOf, passed, passes } from './judge'
import { type Item, readings, toleranceText } from './readings'

interface ItemProps {
  item: Item
  entry: Entry
  last: string[]
  /** What the server said of it. */
  refused?: string | undefined
  /** It is asked otherwise here than the set of its kind of work says. */
  differs?: boolean
  /** Its design value is that of what is due, and the person may not ask for another one. */
  fixed?: boolean
  /** It is not due of the node: who adds it says why. */
  foreign?: boolean
  onChange: (part: Partial<Entry>) => void
  onRemove: () => void
}

/** A check item: its readings one by one or many at once, each marked as it comes. */
export function ItemPart({ item, entry, last, refused, differs, fixed, foreign, onChange, onRemove }: ItemProps) {
  const t = texts.useText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const [typing, setTyping] = useState(false) // the design value: while it is typed nothing is said of it
  const [mending, setMending] = useState<number | null>(null) // the point that is in the box again
  const box = useRef<HTMLInputElement | null>(null)
  const yesNo = item.method === 'YESNO'
  const tolerance = toleranceText(item)
  const badDesign = designOf(entry.design) === null
  const good = passed(item, entry.design, entry.values)
  const together = entry.values.some((value) => passes(item, entry.design, value) === null)
  const far = entry.values.filter((value) => absurd(item, entry.design, value))
  const put = (numbers: readonly string[]) =>
    mending === null
      ? [...entry.values, ...numbers]
      : [...entry.values.slice(0, mending), ...numbers, ...entry.values.slice(mending + 1)]
  const clear = () => {
    setTyped('')
    setWrong(false)
    setMending(null)
  }
  /** Takes what is in the box; what those of the item then are, or null where it stays. */
  const take = () => {
    const numbers = readings(typed, item.method, item.unit)
    setWrong(numbers === null)
    if (!numbers || (numbers.length === 0 && typed.trim() !== '')) return null
    const values = numbers.length === 0 ? entry.values : put(numbers)
    if (values !== entry.values) onChange({ values })
    clear()
    return values
  }
  const add = () => {
    if (take()) box.current?.focus()
  }
  const mend = (at: number) => {
    if (!take()) return
    setMending(at)
    setTyped(entry.values[at] ?? '')
    box.current?.focus()
  }
  const remove = () => {
    onChange({ values: put([]) })
    clear()
    box.current?.focus()
  }
  return (
    <section className={styles.item} aria-labelledby={`${id}-name`}>
      <header className={styles.itemHead}>
        <div className={styles.itemName}>
          <h3 id={`${id}-name`}>{item.name}</h3>
          <span className={look.faint}>{t(`itemClass.${item.itemClass}` as never)}</span>
          {tolerance && (
            <span className={look.faint}>
              {t('tolerance')} {tolerance} {item.unit}
            </span>
          )}
          {fixed && (
            <span className={look.faint}>
              {t('design')} {entry.design} {item.unit}
            </span>
          )}
          {differs && <span className={look.mark}>{t('due.differs')}</span>}
          {foreign && <span className={look.mark}>{t('due.notDue')}</span>}
        </div>
        <Button
          type="text"
          aria-label={t('removeItem', { name: item.name })}
          icon={<Icon name="close" />}
          onClick={onRemove}
        />
      </header>
      {yesNo ? (
        <Answers item={item} values={entry.values} onChange={(values) => onChange({ values })} />
      ) : (
        <>
          <div className={styles.typing}>
            {!fixed && (
              <Input
                className={styles.design ?? ''}
                size="large"
                inputMode="decimal"
                aria-label={`${item.name}: ${t('design')}`}
                placeholder={t('design')}
                aria-invalid={badDesign && !typing}
                {...(badDesign && !typing ? { status: 'error' as const } : {})}
                value={entry.design}
                onChange={(event) => {
                  setTyping(true)
                  onChange({ design: event.target.value })
                }}
                onBlur={() => setTyping(false)}
              />
            )}
            <Input
              ref={(input) => {
                box.current = input?.input ?? null
              }}
              size="large"
              inputMode="decimal"
              aria-label={`${item.name}: ${t('reading')}`}
              placeholder={t('reading')}
              aria-invalid={wrong}
              {...(wrong ? { status: 'error' as const } : {})}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setWrong(false)
              }}
              onPressEnter={add}
              onKeyDown={(event) => event.key === 'Escape' && mending !== null && clear()}
              onBlur={() => take()}
            />
            <Button
              size="large"
              aria-label={t('sign')}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => setTyped((now) => (now.startsWith('-') ? now.slice(1) : `-${now}`))}
            >
              ±
            </Button>
            <Button size="large" onPointerDown={(event) => event.preventDefault()} onClick={add}>
              {t('enter')}
            </Button>
          </div>
          {wrong && <p className={look.bad}>{t('notRead')}</p>}
          {badDesign && !typing && <p className={look.bad}>{t('designNotRead')}</p>}
          {mending !== null && (
            <div className={styles.mending}>
              <span className={look.note}>
                {t('mendingReading', { at: mending + 1, value: entry.values[mending] })}
              </span>
              <Button onPointerDown={(event) => event.preventDefault()} onClick={remove}>
                {t('removeReading')}
              </Button>
            </div>
          )}
          {entry.values.length > 0 && (
            <ul className={styles.values}>
              {entry.values.map((value, i) => {
                const ok = passes(item, entry.design, value)
                return (
                  <li key={i}>
                    <button
                      type="button"
                      data-bad={ok === false || undefined}
                      data-open={ok === null || undefined}
                      aria-pressed={mending === i}
                      aria-label={t('mendReading', {
                        ...{ at: i + 1, value },
                        state: t(ok === null ? 'notJudged' : ok ? 'inside' : 'outside'),
                      })}
                      onPointerDown={(event) => event.preventDefault()} // the box keeps the focus, and a phone its keys
                      onClick={() => mend(i)}
                    >
                      {ok === null ? '' : ok ? '✓ ' : '✗ '}
                      {value}
                    </button>
                  </li>
                )
              })}
            </ul>
          )}
          <p className={look.faint}>
            {t(badDesign ? 'pointsOpen' : together ? 'pointsTogether' : 'pointsOf', {
              ...{ ok: good, n: entry.values.length, least: item.minPoints },
            })}
            {entry.values.length === 0 && ` · ${t('readingHint')}`}
          </p>
        </>
      )}
      {foreign && (
        <Input
          size="large"
          style={{ marginTop: 8 }}
          maxLength={500}
          aria-label={t('due.whyAdded', { name: item.name })}
          placeholder={t('due.whyAddedHint')}
          value={entry.reason ?? ''}
          onChange={(event) => onChange({ reason: event.target.value })}
        />
      )}
      {far.length > 0 && (
        <p className={look.warn} role="status">
          {t('absurdReading', { values: far.join('; ') })}
        </p>
      )}
      {refused && (
        <p className={look.bad} role="alert" data-refused>
          {refused}
        </p>
      )}
      {last.length > 0 && entry.values.length === 0 && !yesNo && (
        <Button className={styles.last ?? ''} size="large" onClick={() => onChange({ values: last })}>
          {t('lastValues', { values: last.join('; ') })}
        </Button>
      )}
    </section>
  )
}
