import { Icon, PortalLink, targetOf, useText, WidgetEmpty, type WidgetProps } from '@sluice/sdk'
import styles from './image.module.css'

interface Options {
  name?: string
  picUrlSrc?: string | null
  fit?: 'cover' | 'contain'
  to?: string | null
  external?: boolean
  openType?: string
}

/** A picture, which may lead somewhere. */
export function Image({ widget }: WidgetProps<Options>) {
  const t = useText()
  const { options } = widget
  const { picUrlSrc, fit = 'cover', name = '' } = options
  if (!picUrlSrc) return <WidgetEmpty text={t('portal.widgetGone')} />
  const picture = <img src={picUrlSrc} alt={name} style={{ objectFit: fit }} loading="lazy" />
  const target = targetOf(options)
  if (!target.to) return <div className={styles.picture}>{picture}</div>
  return (
    <PortalLink {...target} className={styles.picture} label={name || t('portal.openPicture')}>
      {picture}
      {target.external && (
        <span className={styles.mark}>
          <Icon name="external" size={14} />
        </span>
      )}
    </PortalLink>
  )
}
