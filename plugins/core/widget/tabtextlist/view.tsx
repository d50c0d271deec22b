import {
  Icon,
  optionText,
  PortalIcon,
  PortalLink,
  useLocale,
  useText,
  WidgetCard,
  type WidgetProps,
  workPath,
} from '@sluice/sdk'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Source, type SourceOptions } from '../shared/source'
import styles from './tabs.module.css'

interface Tab extends SourceOptions {
  icon?: string
  iconSrc?: string | null
  moreTo?: string | null
  /** Where it is in the document; tabs that the reader may not see are left out. */
  tab?: number
}

/** Several lists of texts, one at a time. */
export function TabTextList({ widget, page }: WidgetProps<{ tabs: Tab[] }>) {
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const { tabs } = widget.options
  const current = Math.min(at, tabs.length - 1)
  const tab = tabs[current]
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + tabs.length) % tabs.length
    setAt(next)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  if (!tab) return null
  const name = (one: Tab) => optionText(one, 'title', locale)
  const more = tab.dataSource === 'bizModel' ? (tab.moreTo ?? null) : workPath(tab.dataSource)
  return (
    <WidgetCard
      label={tabs.map(name).join(locale === 'zh' ? '、' : ', ')}
      head={
        <div ref={list} className={styles.tabs} role="tablist" aria-label={t('portal.tabs')}>
          {tabs.map((one, i) => (
            <button
              key={i}
              type="button"
              role="tab"
              id={`${id}tab${i}`}
              aria-selected={i === current}
              aria-controls={`${id}panel`}
              tabIndex={i === current ? 0 : -1}
              onClick={() => setAt(i)}
              onKeyDown={onKey}
            >
              <PortalIcon name={one.icon} src={one.iconSrc} size={16} />
              {name(one)}
            </button>
          ))}
        </div>
      }
      actions={
        more && (
          <PortalLink to={more} className={styles.more} label={t('portal.moreOf', { name: name(tab) })}>
            {t('portal.more')}
            <Icon name="right" size={14} />
          </PortalLink>
        )
      }
    >
      <div id={`${id}panel`} role="tabpanel" aria-labelledby={`${id}tab${current}`} className={styles.panel}>
        <Source key={current} options={tab} widget={widget} tab={tab.tab ?? current} page={page} />
      </div>
    </WidgetCard>
  )
}
