import { useId } from 'react'
import look from '../shared/look.module.css'
import { texts } from '../texts'

/** What the node still lacks once the record is there as it is typed, before it is sent; `any` where the record has items at all. */
export function StillMissing({ lacks, any }: { lacks: readonly string[]; any: boolean }) {
  const t = texts.useText()
  const id = useId()
  if (lacks.length === 0) return any ? <p className={look.note}>{t('due.lotComplete')}</p> : null
  return (
    <section className={look.block} aria-labelledby={id}>
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
