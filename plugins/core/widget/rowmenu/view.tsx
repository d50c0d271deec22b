import {
  Icon,
  optionText,
  PortalIcon,
  PortalLink,
  useLocale,
  usePortal,
  useText,
  WidgetEmpty,
  type WidgetProps,
} from '@sluice/sdk'
import { Dropdown } from 'antd'
import { useLayoutEffect, useRef, useState } from 'react'
import { type EntryOptions, entryOf } from '../shared/entries'
import styles from './menu.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  navigator: EntryOptions[]
}

/** What the button behind the entries that fit takes. */
const MORE = 88
const GAP = 4

/** How many entries fit into a line; all of them where nothing can be measured. */
export function fitting(widths: number[], room: number): number {
  const total = widths.reduce((sum, width) => sum + width + GAP, -GAP)
  if (room === 0 || total <= room) return widths.length
  let left = room - MORE
  return widths.findIndex((width) => {
    left -= width + GAP
    return left < 0
  })
}

/** Entries in a line; those that do not fit are behind "More". */
export function RowMenu({ widget }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const { handle } = usePortal()
  const { options } = widget
  const title = optionText(options, 'title', locale)
  const entries = options.navigator.map((one) => entryOf(one, locale))
  const line = useRef<HTMLUListElement>(null)
  const key = entries.map((one) => one.title).join('\n')
  const [fit, setFit] = useState({ key: '', count: 0 })
  const measured = fit.key === key
  useLayoutEffect(() => {
    const list = line.current
    if (!list) return
    // All of them are there while they are measured, and nobody sees that.
    const items = [...list.querySelectorAll<HTMLElement>('[data-entry]')]
    for (const item of items) item.hidden = false
    const widths = items.map((item) => item.offsetWidth)
    const read = () => setFit({ key, count: fitting(widths, list.clientWidth) })
    read()
    const observer = new ResizeObserver(read)
    observer.observe(list)
    return () => observer.disconnect()
  }, [key])
  const count = measured ? fit.count : entries.length
  const rest = entries.slice(count)
  if (entries.length === 0) return <WidgetEmpty text={t('portal.noEntries')} />
  return (
    <nav className={styles.menu} aria-label={title || t('portal.menu')}>
      {title && (
        <h2 className={styles.title}>
          <PortalIcon name={options.icon} src={options.iconSrc} size={18} />
          {title}
        </h2>
      )}
      <ul ref={line} className={styles.line}>
        {entries.map((entry, i) => (
          <li key={i} data-entry hidden={i >= count}>
            <PortalLink {...entry.target} className={styles.entry} title={entry.title}>
              <PortalIcon name={entry.icon} src={entry.src} size={18} />
              {entry.title}
            </PortalLink>
          </li>
        ))}
        {rest.length > 0 && (
          <li>
            <Dropdown
              trigger={['click']}
              menu={{
                items: rest.map((entry, i) => ({
                  key: i,
                  icon: <PortalIcon name={entry.icon} src={entry.src} size={16} />,
                  label: entry.title,
                  disabled: !entry.target.to,
                  onClick: () => handle.open(entry.target),
                })),
              }}
            >
              <button type="button" className={styles.entry} aria-haspopup="menu" aria-label={t('portal.others')}>
                {t('portal.more')}
                <Icon name="down" size={14} />
              </button>
            </Dropdown>
          </li>
        )}
      </ul>
    </nav>
  )
}
