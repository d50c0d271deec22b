import { Button, Input } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { Highlight } from '@/components/highlight'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { useMatcher } from '@/lib/use-matcher'
import styles from '@/sdk/exports/export.module.css'
import { useExportText } from '@/sdk/exports/texts'
import { useDragOrder } from '../columns/use-drag-order'
import type { ExportField } from './api'
import { type Chosen, countOf, moved, nameOf } from './choice'

const HEIGHT = 36

interface Props {
  fields: ExportField[]
  chosen: Chosen[]
  onChange: (chosen: Chosen[]) => void
}

/** The fields of the file in its order: dragged by their handles, or moved by Alt and an arrow. */
export function ChosenList({ fields, chosen, onChange }: Props) {
  const t = useExportText()
  const locale = useLocale()
  const [query, setQuery] = useState('')
  const [said, setSaid] = useState('')
  const match = useMatcher(query !== '')
  const order = chosen.map(({ code }) => code)
  const nameFor = (code: string) => {
    const one = chosen.find((other) => other.code === code)
    return one ? nameOf(fields, one, locale) : code
  }
  const move = (code: string, to: number) => {
    if (to < 0 || to >= order.length) return
    onChange(moved(chosen, code, to))
    setSaid(t('moved', { name: nameFor(code), place: to + 1 }))
  }
  const drag = useDragOrder(order, HEIGHT, move)
  const onKey = (event: KeyboardEvent, code: string) => {
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (!step) return
    event.preventDefault()
    move(code, order.indexOf(code) + step)
  }
  const found = chosen.flatMap((one) => {
    const name = nameOf(fields, one, locale)
    const hits = query ? match(name, query) : []
    return hits === null ? [] : [{ one, name, hits }]
  })
  return (
    <section className={styles.side} aria-label={t('chosen')}>
      <div className={styles.head}>
        <b>{t('chosenCount', { count: countOf(chosen) })}</b>
        <Button type="link" size="small" disabled={chosen.length === 0} onClick={() => onChange([])}>
          {t('clear')}
        </Button>
      </div>
      <Input
        allowClear
        prefix={<Icon name="search" size={14} />}
        placeholder={t('searchChosen')}
        aria-label={t('searchChosen')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <ul ref={drag.list} className={styles.order} data-dragging={drag.dragged !== null || undefined}>
        <li aria-hidden="true" style={{ height: found.length * HEIGHT }} />
        {found.map(({ one: { code }, name, hits }, i) => (
          <li
            key={code}
            className={styles.item}
            data-dragged={drag.dragged === code || undefined}
            style={{ transform: `translateY(${query ? i * HEIGHT : drag.offset(code)}px)` }}
          >
            {!query && (
              <button
                type="button"
                className={styles.handle}
                title={t('dragHint')}
                aria-label={`${name}. ${t('dragHint')}`}
                onKeyDown={(event) => onKey(event, code)}
                {...drag.handle(code)}
              >
                <Icon name="drag" size={14} />
              </button>
            )}
            <span className={styles.name} title={name}>
              <Highlight text={name} positions={hits} />
            </span>
            <Button
              type="text"
              size="small"
              aria-label={t('remove', { name })}
              icon={<Icon name="close" size={14} />}
              onClick={() => onChange(chosen.filter((other) => other.code !== code))}
            />
          </li>
        ))}
      </ul>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </section>
  )
}
