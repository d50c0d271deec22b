import {
  Icon,
  optionText,
  PortalIcon,
  PortalLink,
  useIsPhone,
  useLocale,
  useText,
  useWidth,
  WidgetEmpty,
  type WidgetProps,
} from '@sluice/sdk'
import { useId, useState } from 'react'
import { type EntryOptions, entryOf, otherwise } from '../shared/entries'
import styles from './menu.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  navigator: EntryOptions[]
}

/** Narrower than this there are icons only. */
const WORDS = 112

/** Entries below each other; icons only in a narrow place, and folded on a phone. */
export function ColMenu({ widget }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const phone = useIsPhone()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [ref, width] = useWidth<HTMLElement>()
  const narrow = width > 0 && width < WORDS
  const { options } = widget
  const { navigator } = options
  const title = optionText(options, 'title', locale)
  const folded = phone && !open
  if (navigator.length === 0) return <WidgetEmpty text={t('portal.noEntries')} />
  return (
    <nav ref={ref} className={styles.menu} data-narrow={narrow || undefined} aria-label={title || t('portal.menu')}>
      {phone ? (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <PortalIcon name={options.icon} src={options.iconSrc} size={18} otherwise="menu" />
          {title || t('portal.menu')}
          <Icon name={open ? 'up' : 'down'} size={14} />
        </button>
      ) : (
        title &&
        !narrow && (
          <h2 className={styles.title}>
            <PortalIcon name={options.icon} src={options.iconSrc} size={18} />
            {title}
          </h2>
        )
      )}
      <ul id={id} hidden={folded}>
        {navigator.map((one, i) => {
          const entry = entryOf(one, locale)
          return (
            <li key={i}>
              <PortalLink
                {...entry.target}
                className={styles.entry}
                title={entry.title}
                label={narrow ? entry.title : undefined}
              >
                <PortalIcon name={entry.icon} src={entry.src} size={18} otherwise={otherwise(one)} />
                {!narrow && <span>{entry.title}</span>}
              </PortalLink>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
