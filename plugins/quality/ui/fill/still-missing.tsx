import { useId } from 'react'
import look from '../shared/look.module.css'
import { texts } from '../texts'

/** What the node still lacks once the record is there as it is typed, before it is sent. */
export function StillMissing({ lacks }: { lacks: readonly string[] }) {
  const t = texts.useText()
  const id = useId()
  if (lacks.length === 0) return <p className={look.note}>{t('due.lotComplete')}</p>
  return (
    <section aria-labelledby={id}>
      <p id={id} className={look.warn}>
        {t('due.missing', { count: lacks.length })}
      </p>
      <ul className={look.missing}>
        {lacks.map((one) => (
          <li key={one} className={look.lacks}>
            {one}
          </li>
        ))}
      </ul>
    </section>
  )
}
