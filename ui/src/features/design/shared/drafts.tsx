import { Button } from 'antd'
import { formatInstant } from '@/lib/dates'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { readJson } from './json'

interface Props<T> {
  drafts: { code: string; text: string; time: string }[]
  draws: (value: unknown) => value is T
  nameOf: (document: T) => string
  onTake: (code: string, document: T) => void
}

/** New documents that were begun and not published. */
export function Drafts<T>({ drafts, draws, nameOf, onTake }: Props<T>) {
  const t = useText()
  const context = useTextContext()
  const shown = drafts.flatMap(({ code, text, time }) => {
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
            <Button size="small" onClick={() => onTake(code, document)}>
              {t('design.continue')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
