import { optionText, useLocale, useText, WidgetCard, WidgetEmpty, type WidgetProps } from '@sluice/sdk'
import styles from './embed.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  address: string
}

/** A foreign page may keep its own session; a page of ours would be let out of its frame by that. */
export function sandboxOf(address: string, own = window.location.origin): string | null {
  try {
    const { protocol, origin } = new URL(address)
    if (protocol !== 'https:') return null
    const base = 'allow-scripts allow-forms allow-popups'
    return origin === own ? base : `${base} allow-same-origin`
  } catch {
    return null
  }
}

/** A page of an allowed host in a frame. */
export function Embed({ widget }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const { options } = widget
  const title = optionText(options, 'title', locale)
  const sandbox = sandboxOf(options.address)
  return (
    <WidgetCard title={title} icon={options.icon} iconSrc={options.iconSrc} flush>
      {sandbox === null ? (
        <WidgetEmpty text={t('portal.widgetGone')} />
      ) : (
        <iframe
          className={styles.frame}
          src={options.address}
          title={title || t('portal.embedded')}
          sandbox={sandbox}
          referrerPolicy="no-referrer"
          loading="lazy"
        />
      )}
    </WidgetCard>
  )
}
