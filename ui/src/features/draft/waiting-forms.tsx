import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { removeUnsent, unsentKey } from '@/lib/unsaved-store'
import { useMe } from '@/sdk/me'
import { useTextContext } from '@/sdk/system'
import { heldPlaces, UNSAVED_PARAM, type UnsavedOf, type WaitingForm, waitingForms } from '@/sdk/unsaved-forms'
import { useText } from '@/sdk/use-text'
import styles from './draft-page.module.css'

/** Types whose stored text is what people read. */
const TEXTS = new Set([0, 1])

type Listed = WaitingForm & { of: UnsavedOf }

/** The form of an entry, which offers this one first. */
function addressOf({ key, of, version }: Listed): string {
  if (version !== null) return of.address
  const [path, search] = of.address.split('?')
  const query = new URLSearchParams(search)
  query.set(UNSAVED_PARAM, key.slice(key.lastIndexOf('/') + 1))
  return `${path}?${query}`
}

/** Input that this browser keeps and nobody saved: one entry for each form that was begun. Forms that are open in a window now are left out. */
export function WaitingForms() {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const me = useMe()
  const user = me?.id
  const [waiting, setWaiting] = useState<Listed[]>([])
  useEffect(() => {
    if (user === undefined) return
    let open = true
    void heldPlaces().then((held) => {
      if (!open) return
      const all = waitingForms(unsentKey(user, []))
      setWaiting(all.flatMap((one) => (one.of && !held.has(one.key) ? [{ ...one, of: one.of }] : [])))
    })
    return () => {
      open = false
    }
  }, [user])
  if (waiting.length === 0) return null
  const discard = (key: string) => {
    removeUnsent(key)
    setWaiting((all) => all.filter((one) => one.key !== key))
  }
  return (
    <section aria-label={t('draft.waiting')} className={styles.waiting}>
      <h2>{t('draft.waiting')}</h2>
      <p>{t('draft.waitingText')}</p>
      <ul className={styles.drafts}>
        {waiting.map((one) => {
          const name = localName(one.of, locale)
          const time = formatInstant(new Date(one.at).toISOString(), 'yyyy-MM-dd HH:mm', context)
          return (
            <li key={one.key} className={styles.draft}>
              <Icon name="file" size={18} className={styles.icon ?? ''} />
              <div className={styles.text}>
                <Link to={addressOf(one)} className={styles.title}>
                  {titleOf(one) || t('draft.waitingNew')}
                </Link>
                <p>
                  {name}
                  {' · '}
                  <time dateTime={new Date(one.at).toISOString()}>{time}</time>
                </p>
              </div>
              <Button
                type="text"
                icon={<Icon name="trash" />}
                aria-label={t('draft.waitingDiscard', { name, time })}
                title={t('form.unsentDiscard')}
                onClick={() => discard(one.key)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** What was typed first, where that is a text: it tells one entry from another. */
const titleOf = ({ fields }: WaitingForm): string => {
  const text = Object.values(fields).find(
    ({ type, mine }) => TEXTS.has(type) && typeof mine === 'string' && mine.trim() !== '',
  )?.mine
  return typeof text === 'string' ? text.slice(0, 80) : ''
}
