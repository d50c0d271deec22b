import { useQueries, useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Highlight } from '@/components/highlight'
import { Icon, type IconName } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { findChoices } from '@/lib/find-choice'
import { localName } from '@/lib/local-name'
import { useMatcher } from '@/lib/use-matcher'
import { appsQuery } from '@/sdk/home'
import { useText } from '@/sdk/use-text'
import styles from './command-palette.module.css'
import { leaves } from './menu-tree'
import { menuQuery } from './queries'
import { useOpenEntry } from './use-open-entry'

/** What the palette can do besides opening pages; the shell gives its own. */
export interface Command {
  name: string
  label: string
  icon: IconName
  run: () => void
}

interface Item extends Command {
  group: string
  note?: string
}

const LIMIT = 40

export function CommandPalette({ commands, onClose }: { commands: Command[]; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const openEntry = useOpenEntry()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const match = useMatcher(true)
  const { data: apps = [] } = useQuery(appsQuery)
  const menus = useQueries({ queries: apps.map((app) => menuQuery(app.code)) }).map((result) => result.data)
  const list = useRef<HTMLDivElement>(null)

  const items: Item[] = [
    ...apps.flatMap((app, i) =>
      leaves(menus[i] ?? []).map((node) => ({
        name: node.id,
        label: localName(node, locale),
        icon: 'table' as const,
        group: t('shell.palettePages'),
        note: localName(app, locale),
        run: () => openEntry(node),
      })),
    ),
    ...apps.map((app) => ({
      name: `app/${app.code}`,
      label: localName(app, locale),
      icon: 'grid' as const,
      group: t('shell.paletteApps'),
      run: () => navigate(`/application/${app.code}`),
    })),
    ...commands.map((command) => ({ ...command, group: t('shell.paletteActions') })),
  ]
  const wanted = query.trim()
  const groups = [...new Set(items.map((item) => item.group))].map((group) =>
    items.filter((item) => item.group === group),
  )
  const found = groups
    .flatMap((group) => findChoices(group, wanted, ({ label }) => ({ names: [label] }), match))
    .map((item) => ({ item, hits: wanted ? match(item.label, wanted) : [] }))
    .slice(0, LIMIT)
  const run = (index: number) => {
    const chosen = found[index]?.item
    if (!chosen) return
    onClose()
    chosen.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const next = (active + step + found.length) % Math.max(1, found.length)
      setActive(next)
      list.current?.querySelector(`#command-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(active)
  }
  return (
    <Modal
      open
      footer={null}
      closable={false}
      width={600}
      onCancel={onClose}
      className={styles.dialog ?? ''}
      style={{ top: '12vh' }}
      title={t('shell.palette')}
      styles={{ header: { display: 'none' } }}
      destroyOnHidden
    >
      <div className={styles.search}>
        <Icon name="search" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette was called to type in
          autoFocus
          role="combobox"
          aria-expanded={found.length > 0}
          {...(found.length > 0 && { 'aria-controls': 'commands', 'aria-activedescendant': `command-${active}` })}
          aria-label={t('shell.palette')}
          placeholder={`${t('shell.palette')}　${t('shell.paletteHint')}`}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={list}
        className={styles.list}
        {...(found.length > 0 && { id: 'commands', role: 'listbox', 'aria-label': t('shell.palette') })}
      >
        {found.map(({ item, hits }, index) => (
          <div key={item.name}>
            {item.group !== found[index - 1]?.item.group && <div className={styles.group}>{item.group}</div>}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which keeps the focus */}
            <div
              id={`command-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={styles.item}
              onPointerMove={() => setActive(index)}
              onClick={() => run(index)}
            >
              <Icon name={item.icon} />
              <span className={styles.label}>
                <Highlight text={item.label} positions={hits} />
              </span>
              {item.note && <span className={styles.noteText}>{item.note}</span>}
            </div>
          </div>
        ))}
        {found.length === 0 && (
          <p className={styles.nothing} role="status">
            {t('shell.paletteNothing', { query: wanted })}
          </p>
        )}
      </div>
      <p className={styles.keys}>{t('shell.paletteKeys')}</p>
    </Modal>
  )
}
