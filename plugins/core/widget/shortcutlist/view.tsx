import {
  Ago,
  entryLink,
  type HomePlace,
  Icon,
  isIcon,
  type Locale,
  linesIn,
  localName,
  optionText,
  PortalLink,
  recordPath,
  useErrorText,
  useLocale,
  usePlaces,
  useText,
  WidgetCard,
  WidgetEmpty,
  WidgetFailed,
  type WidgetProps,
  WidgetWaiting,
} from '@sluice/sdk'
import { LINE } from '../shared/lines'
import styles from './places.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  rowsShown?: number
}

/** The home call gives as many as this. */
const MOST = 20

/** The pages and records that the reader opened lately. */
export function ShortcutList({ widget }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { options, height } = widget
  const most = Math.min(options.rowsShown ?? linesIn(height, LINE), MOST)
  const { places, error, refetch } = usePlaces(most)
  return (
    <WidgetCard
      title={optionText(options, 'title', locale) || t('portal.recent')}
      icon={options.icon}
      iconSrc={options.iconSrc}
    >
      {error && !places ? (
        <WidgetFailed text={errorText(error)} onRetry={refetch} />
      ) : !places ? (
        <WidgetWaiting lines={most} height={LINE} />
      ) : places.length === 0 ? (
        <WidgetEmpty text={t('portal.noPlaces')} />
      ) : (
        <ul className={styles.places}>
          {places.map((place) => (
            <Line key={`${place.kind}/${place.place}/${place.code}`} place={place} locale={locale} />
          ))}
        </ul>
      )}
    </WidgetCard>
  )
}

function Line({ place, locale }: { place: HomePlace; locale: Locale }) {
  const t = useText()
  const { node } = place
  const link = node ? entryLink(node) : { to: recordPath({ schemaCode: place.place, id: place.code }), external: false }
  const name = node ? localName(node, locale) : place.name || t('home.unnamed')
  const note = node ? '' : localName({ name: place.modelName, name_i18n: place.modelName_i18n }, locale)
  return (
    <li>
      <Icon name={node ? (isIcon(node.icon) ? node.icon : 'table') : 'file'} className={styles.icon ?? ''} />
      <PortalLink
        to={link?.to ?? null}
        newWindow={link?.external}
        className={styles.name}
        title={name}
        record={node === null}
      >
        {name}
      </PortalLink>
      {note && <span className={styles.note}>{note}</span>}
      <Ago time={place.visitedTime} className={styles.time} />
    </li>
  )
}
