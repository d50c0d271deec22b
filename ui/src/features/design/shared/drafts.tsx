import { Button } from 'antd'
import { useState } from 'react'
import { formatInstant } from '@/lib/dates'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { readJson } from './json'

interface Props<T> {
  drafts: { code: string; text: string; time: string }[]
  draws: (value: unknown) => value is T
  nameOf: (document: T) => string
  onTake: (code: string, document: T) => void
  /** Has the server forget one. */
  drop: (code: string) => Promise<unknown>
}

/** New documents that were begun and not published. */
export function Drafts<T>({ drafts, draws, nameOf, onTake, drop }: Props<T>) {
  const t = useText()
  const say = useFeedback()
  const [gone, setGone] = useState<string[]>([])
  const context = useTextContext()
  const shown = drafts.flatMap(({ code, text, time }) => {
    if (gone.includes(code)) return []
    try {
      const document = readJson(text)
      return draws(document) ? [{ code, time, document }] : []
    } catch {
      return []
    }
  })
  if (shown.length === 0) return null
  return (
    <section className={styles.begun} aria-label={t('design.begun')}>
      <h2>{t('design.begun')}</h2>
      <ul>
        {shown.map(({ code, time, document }) => (
          <li key={code}>
            <span>
              <strong>{nameOf(document) || code}</strong>
              <small>{[code, formatInstant(time, 'yyyy-MM-dd HH:mm', context)].join(' · ')}</small>
            </span>
            <span className={styles.begunActs}>
              <Button
                size="small"
                type="text"
                onClick={() => {
                  drop(code)
                    .then(() => setGone((all) => [...all, code]))
                    .catch(say.error)
                }}
              >
                {t('design.discard')}
              </Button>
              <Button size="small" onClick={() => onTake(code, document)}>
                {t('design.continue')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
