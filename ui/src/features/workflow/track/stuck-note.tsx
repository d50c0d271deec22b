import { Icon } from '@/components/icon'
import { administersWorkflows, useMe } from '@/sdk/me'
import type { Track } from '../api'
import type { FlowWords } from '../task/words'
import styles from './stuck.module.css'

type Stuck = Track['stuck'][number]

/** Why an instance can't go on, and what the reader can do about it. */
export function StuckNote({ track, words }: { track: Track; words: FlowWords }) {
  const { t } = words
  const manages = administersWorkflows(useMe())
  if (track.stuck.length === 0) return null
  return (
    <section className={styles.note} aria-label={t('flowStuck.label')}>
      <Icon name="alert" />
      <ul>
        {track.stuck.map((one) => (
          <li key={`${one.activityCode}/${one.reason}`}>
            <strong>{t('flowStuck.title', { name: words.name(one) })}</strong>
            <p>{reasonOf(one, words)}</p>
            {manages && <p>{t(`flowStuck.acts.${one.reason}`)}</p>}
          </li>
        ))}
        {!manages && <li>{t('flowStuck.others')}</li>}
      </ul>
    </section>
  )
}

function reasonOf({ reason, errcode, text }: Stuck, { t, locale }: FlowWords): string {
  if (reason !== 'FAULT' || errcode === 0) return t(`flowStuck.reasons.${reason}`)
  return text
    ? t('flowStuck.fault', { code: errcode, text: text[locale] })
    : t('flowStuck.faultOnly', { code: errcode })
}
