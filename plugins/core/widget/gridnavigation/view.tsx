import {
  optionText,
  PortalIcon,
  PortalLink,
  useLocale,
  useText,
  WidgetCard,
  WidgetEmpty,
  type WidgetProps,
} from '@sluice/sdk'
import { type EntryOptions, entryOf, otherwise } from '../shared/entries'
import styles from './grid.module.css'

interface Options {
  componentTitle?: string
  componentIcon?: string
  componentIconSrc?: string | null
  navigator: EntryOptions[]
  navigatorIconSize?: 'small' | 'medium' | 'big'
}

/** The tile of the icon, and the icon in it; a picture fills the tile. */
const SIZES = { small: [32, 18], medium: [44, 22], big: [60, 30] } as const

/** Where the reader can go, as tiles. */
export function GridNavigation({ widget }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const { options } = widget
  const { navigatorIconSize = 'medium', navigator } = options
  const [tile, icon] = SIZES[navigatorIconSize]
  return (
    <WidgetCard
      title={optionText(options, 'componentTitle', locale) || t('portal.grid')}
      icon={options.componentIcon}
      iconSrc={options.componentIconSrc}
    >
      {navigator.length === 0 ? (
        <WidgetEmpty text={t('portal.noEntries')} />
      ) : (
        <ul className={styles.tiles} data-size={navigatorIconSize}>
          {navigator.map((one, i) => {
            const entry = entryOf(one, locale)
            return (
              <li key={i}>
                <PortalLink {...entry.target} className={styles.tile} title={entry.title}>
                  <span
                    className={styles.icon}
                    style={{ width: tile, height: tile }}
                    data-picture={Boolean(entry.src) || undefined}
                  >
                    <PortalIcon
                      name={entry.icon}
                      src={entry.src}
                      size={entry.src ? tile : icon}
                      otherwise={otherwise(one)}
                    />
                  </span>
                  <span className={styles.name}>{entry.title}</span>
                </PortalLink>
              </li>
            )
          })}
        </ul>
      )}
    </WidgetCard>
  )
}
