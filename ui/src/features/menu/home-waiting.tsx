import { Link } from 'react-router'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { Ago } from '@/sdk/ago'
import { draftAddress } from '@/sdk/drafts'
import type { Home } from '@/sdk/home'
import { useText } from '@/sdk/use-text'
import styles from './home.module.css'

/** What waits for the person: unread messages, and forms that they put aside. */
export function HomeWaiting({ home }: { home: Home }) {
  const t = useText()
  const locale = useLocale()
  const unread = home.unread.STATION + home.unread.COMMENT
  const drafts = home.drafts.content
  return (
    <section className={styles.card}>
      <div className={styles.head}>
        <h2>{t('home.waiting')}</h2>
      </div>
      {unread === 0 && drafts.length === 0 && <p className={styles.none}>{t('home.nothingWaits')}</p>}
      {unread > 0 && (
        <>
          <h3 className={styles.kind}>
            <Link to="/message-notification">{t('home.unread', { count: unread })}</Link>
          </h3>
          <ul className={styles.lines}>
            {home.messages.map((message) => (
              <li key={message.id} className={styles.line}>
                <Icon name="bell" className={styles.icon ?? ''} />
                <Link to={`/message-notification?type=${message.kind}`} className={styles.name} title={message.title}>
                  {message.title}
                </Link>
                <Ago time={message.createdTime} className={styles.time} />
              </li>
            ))}
          </ul>
        </>
      )}
      {drafts.length > 0 && (
        <>
          <h3 className={styles.kind}>
            <Link to="/my-draft">{t('home.drafts', { count: home.drafts.totalElements })}</Link>
          </h3>
          <ul className={styles.lines}>
            {drafts.map((draft) => {
              const name = draft.title || t('draft.untitled')
              const model = localName({ name: draft.modelName, name_i18n: draft.modelName_i18n ?? null }, locale)
              return (
                <li key={draft.id} className={styles.line}>
                  <Icon name="edit" className={styles.icon ?? ''} />
                  {draft.usable ? (
                    <Link to={draftAddress(draft)} className={styles.name} title={name}>
                      {name}
                    </Link>
                  ) : (
                    <span className={styles.name}>{name}</span>
                  )}
                  <span className={styles.note} title={model}>
                    {model}
                  </span>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </section>
  )
}
