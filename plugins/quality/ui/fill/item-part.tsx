import { Icon } from '@sluice/sdk'
import { Button, Input } from 'antd'
import { useId, useRef, useState } from 'react'
import look from '../shared/look.module.css'
import { texts } from '../texts'
import type { Entry } from './begin'
import styles from './fill.module.css'
import { type Item, inTolerance, readNumbers, toleranceText } from './readings'

interface ItemProps {
  item: Item
  entry: Entry
  last: string[]
  onChange: (part: Partial<Entry>) => void
  onRemove: () => void
}

/** A check item: its readings one by one or many at once, each marked as it comes. */
export function ItemPart({ item, entry, last, onChange, onRemove }: ItemProps) {
  const t = texts.useText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const box = useRef<HTMLInputElement | null>(null)
  const yesNo = item.method === 'YESNO'
  const tolerance = toleranceText(item)
  const good = entry.values.filter((value) => inTolerance(item, entry.design, value)).length
  const add = () => {
    const numbers = readNumbers(typed)
    setWrong(numbers === null)
    if (!numbers || numbers.length === 0) return
    onChange({ values: [...entry.values, ...numbers] })
    setTyped('')
    box.current?.focus()
  }
  return (
    <section className={styles.item} aria-labelledby={`${id}-name`}>
      <header className={styles.itemHead}>
        <h3 id={`${id}-name`}>{item.name}</h3>
        <span className={look.faint}>{t(`itemClass.${item.itemClass}` as never)}</span>
        {tolerance && (
          <span className={look.faint}>
            {t('tolerance')} {tolerance} {item.unit}
          </span>
        )}
        <span className={look.gap} />
        <Button
          type="text"
          aria-label={t('removeItem', { name: item.name })}
          icon={<Icon name="close" />}
          onClick={onRemove}
        />
      </header>
      {yesNo ? (
        <div className={styles.choices}>
          {(['1', '0'] as const).map((value) => (
            <Button
              key={value}
              size="large"
              block
              type={entry.values[0] === value ? 'primary' : 'default'}
              aria-pressed={entry.values[0] === value}
              aria-label={`${item.name}: ${t(value === '1' ? 'conclusion.OK' : 'conclusion.NOT_OK')}`}
              onClick={() => onChange({ values: entry.values[0] === value ? [] : [value] })}
            >
              {t(value === '1' ? 'conclusion.OK' : 'conclusion.NOT_OK')}
            </Button>
          ))}
        </div>
      ) : (
        <>
          <div className={styles.typing}>
            <Input
              className={styles.design ?? ''}
              size="large"
              inputMode="decimal"
              aria-label={`${item.name}: ${t('design')}`}
              placeholder={t('design')}
              value={entry.design}
              onChange={(event) => onChange({ design: event.target.value })}
            />
            <Input
              ref={(input) => {
                box.current = input?.input ?? null
              }}
              size="large"
              inputMode="decimal"
              aria-label={`${item.name}: ${t('reading')}`}
              placeholder={t('readingHint')}
              aria-invalid={wrong}
              {...(wrong ? { status: 'error' as const } : {})}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setWrong(false)
              }}
              onPressEnter={add}
              onBlur={() => typed.trim() !== '' && add()}
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
          {entry.values.length > 0 && (
            <ul className={styles.values}>
              {entry.values.map((value, i) => {
                const ok = inTolerance(item, entry.design, value)
                return (
                  <li key={i}>
                    <button
                      type="button"
                      data-bad={!ok || undefined}
                      aria-label={t('dropReading', { at: i + 1, value, state: t(ok ? 'inside' : 'outside') })}
                      onClick={() => onChange({ values: entry.values.filter((_, at) => at !== i) })}
                    >
                      {ok ? '✓' : '✗'} {value}
                    </button>
                  </li>
                )
              })}
            </ul>
          )}
          <p className={look.faint}>{t('pointsOf', { ok: good, n: entry.values.length, least: item.minPoints })}</p>
        </>
      )}
      {last.length > 0 && entry.values.length === 0 && !yesNo && (
        <Button className={styles.last ?? ''} size="large" onClick={() => onChange({ values: last })}>
          {t('lastValues', { values: last.join('; ') })}
        </Button>
      )}
    </section>
  )
}
