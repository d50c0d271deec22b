import { Icon, optionText, readStored, useLocale, useText, type WidgetProps, writeStored } from '@sluice/sdk'
import { useState } from 'react'
import styles from './notice.module.css'

interface Options {
  text: string
  kind?: 'info' | 'success' | 'warning' | 'error'
  closable?: boolean
}

const ICONS = { info: 'bell', success: 'check', warning: 'alert', error: 'alert' } as const

const isText = (value: unknown): value is string => typeof value === 'string'

/** A sentence for everybody. Who closed it sees it again when its text changes. */
export function Notice({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const { options } = widget
  const { kind = 'info', closable } = options
  const key = `portal-notice/${page.portalCode}/${widget.id}`
  const [closed, setClosed] = useState(() => readStored(key, isText))
  const title = optionText(options, 'title', locale)
  const text = optionText(options, 'text', locale)
  if (closable && closed === options.text && page.mode !== 'design') return <div className={styles.closed} />
  return (
    <div className={styles.notice} data-kind={kind} role="note">
      <Icon name={ICONS[kind]} size={18} className={styles.icon ?? ''} />
      <div className={styles.words}>
        {title && <h2>{title}</h2>}
        <p>{text}</p>
      </div>
      {closable && (
        <button
          type="button"
          aria-label={t('portal.close')}
          title={t('portal.close')}
          onClick={() => {
            writeStored(key, options.text)
            setClosed(options.text)
          }}
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </div>
  )
}
