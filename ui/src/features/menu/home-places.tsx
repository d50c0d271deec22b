import { useState } from 'react'
import { Link } from 'react-router'
import type { App } from '@/api/types'
import { Icon, isIcon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { Ago } from '@/sdk/ago'
import type { Home, HomePlace } from '@/sdk/home'
import { entryLink } from '@/sdk/menu-link'
import { recordPath } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { FavoriteButton } from './favorite-button'
import styles from './home.module.css'

type Shown = 'recent' | 'favorites'

/** As many as the card has room for; favorites scroll. */
const LINES = 6

function recent({ pages, records }: Home): HomePlace[] {
  return [...pages, ...records].sort((a, b) => b.visitedTime.localeCompare(a.visitedTime)).slice(0, LINES)
}

/** The pages and records that the person opened lately, and those that they marked. */
export function HomePlaces({ home, apps }: { home: Home; apps: App[] }) {
  const t = useText()
  const [shown, setShown] = useState<Shown>('recent')
  const places = shown === 'recent' ? recent(home) : home.favorites
  return (
    <section className={styles.card}>
      <div className={styles.head}>
        <h2>{t('home.continue')}</h2>
        <div className={styles.tabs} role="tablist" aria-label={t('home.continue')}>
          {(['recent', 'favorites'] as const).map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              id={`places-${one}`}
              aria-selected={shown === one}
              aria-controls="places"
              tabIndex={shown === one ? 0 : -1}
              onClick={() => setShown(one)}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
                const other = one === 'recent' ? 'favorites' : 'recent'
                setShown(other)
                document.getElementById(`places-${other}`)?.focus()
              }}
            >
              {t(`home.${one}`)}
            </button>
          ))}
        </div>
      </div>
      <div id="places" role="tabpanel" aria-labelledby={`places-${shown}`}>
        {places.length === 0 ? (
          <p className={styles.none}>{t(shown === 'recent' ? 'home.noRecent' : 'home.noFavorites')}</p>
        ) : (
          <ul className={styles.lines}>
            {places.map((place) => (
              <Line key={`${place.kind}/${place.place}/${place.code}`} place={place} apps={apps} />
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function Line({ place, apps }: { place: HomePlace; apps: App[] }) {
  const t = useText()
  const locale = useLocale()
  const { node } = place
  const link = node ? entryLink(node) : { to: recordPath({ schemaCode: place.place, id: place.code }), external: false }
  const name = node ? localName(node, locale) : place.name || t('home.unnamed')
  const app = apps.find((one) => one.code === place.place)
  const note = node
    ? app && localName(app, locale)
    : localName({ name: place.modelName, name_i18n: place.modelName_i18n }, locale)
  return (
    <li className={styles.line}>
      <Icon name={node ? (isIcon(node.icon) ? node.icon : 'table') : 'file'} className={styles.icon ?? ''} />
      {link ? (
        <Link
          to={link.to}
          {...(link.external ? { target: '_blank', rel: 'noopener' } : {})}
          className={styles.name}
          title={name}
        >
          {name}
        </Link>
      ) : (
        <span className={styles.name}>{name}</span>
      )}
      <span className={styles.note} title={note}>
        {note}
      </span>
      <Ago time={place.visitedTime} className={styles.time} />
      <FavoriteButton place={place} name={name} />
    </li>
  )
}
