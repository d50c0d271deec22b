import {
  Avatar,
  localName,
  optionText,
  PortalLink,
  useApps,
  useErrorText,
  useLocale,
  useText,
  WidgetCard,
  WidgetEmpty,
  WidgetFailed,
  type WidgetProps,
  WidgetWaiting,
} from '@sluice/sdk'
import styles from './apps.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  /** Codes, in order; missing = all. */
  apps?: string[]
}

/** The applications of the reader. */
export function MyApplication({ widget }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { data, error, refetch } = useApps()
  const { options } = widget
  const chosen = options.apps
  const apps = chosen ? chosen.flatMap((code) => data?.find((app) => app.code === code) ?? []) : data
  return (
    <WidgetCard
      title={optionText(options, 'title', locale) || t('portal.myApps')}
      icon={options.icon}
      iconSrc={options.iconSrc}
      more="/app-list/applications"
    >
      {error && !data ? (
        <WidgetFailed text={errorText(error)} onRetry={() => void refetch()} />
      ) : !data || !apps ? (
        <WidgetWaiting lines={3} height={48} />
      ) : apps.length === 0 ? (
        <WidgetEmpty text={t('portal.noApps')} />
      ) : (
        <ul className={styles.apps}>
          {apps.map((app) => (
            <li key={app.code}>
              <PortalLink
                to={`/application/${encodeURIComponent(app.code)}`}
                className={styles.app}
                title={localName(app, locale)}
              >
                <Avatar name={localName(app, locale).slice(0, 1)} tint={app.code} src={app.logoUrl} size={32} square />
                <span>{localName(app, locale)}</span>
              </PortalLink>
            </li>
          ))}
        </ul>
      )}
    </WidgetCard>
  )
}
