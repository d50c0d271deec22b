import { useQueries, useQuery } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Highlight } from '@/components/highlight'
import { Icon, type IconName } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { findChoices, meaningOf, type Named, rankChoices } from '@/lib/find-choice'
import { foundPart } from '@/lib/found-part'
import { localName } from '@/lib/local-name'
import { matchWith } from '@/lib/pinyin'
import { useMatcher } from '@/lib/use-matcher'
import { useErrorText } from '@/sdk/error-text'
import { appsQuery } from '@/sdk/home'
import { useOpenRecord } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import styles from './command-palette.module.css'
import { leaves } from './menu-tree'
import { menuQuery } from './queries'
import { searchPath } from './search-query'
import { useFoundRecords } from './use-found-records'
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
  note?: string | undefined
  /** How what is typed names it. */
  named?: Named | null | undefined
}

/** Pages, applications and actions: all that there is room for, and beside records the best. */
const LIMIT = 40
const BESIDE_RECORDS = 12
const OF_EACH_MODEL = 5

const plain = matchWith(null)
const namesOf = ({ label, note }: Item) => ({ names: [label, note ?? ''] })

/** Pages, applications and actions that a text finds, the best of each group first. */
function useOffered(commands: Command[], wanted: string): Item[] {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const openEntry = useOpenEntry()
  const match = useMatcher(true)
  const { data: apps = [] } = useQuery(appsQuery)
  const menus = useQueries({ queries: apps.map((app) => menuQuery(app.code)) }).map((result) => result.data)
  const groups: Item[][] = [
    apps.flatMap((app, i) =>
      leaves(menus[i] ?? []).map((node) => ({
        name: node.id,
        label: localName(node, locale),
        icon: 'table' as const,
        group: t('shell.palettePages'),
        note: localName(app, locale),
        run: () => openEntry(node),
      })),
    ),
    apps.map((app) => ({
      name: `app/${app.code}`,
      label: localName(app, locale),
      icon: 'grid' as const,
      group: t('shell.paletteApps'),
      run: () => navigate(`/application/${app.code}`),
    })),
    commands.map((command) => ({ ...command, group: t('shell.paletteActions') })),
  ]
  return groups
    .flatMap((group) => rankChoices(group, wanted, ({ label }) => ({ names: [label] }), match))
    .map(({ choice, named }) => ({ ...choice, named }))
    .slice(0, wanted ? BESIDE_RECORDS : LIMIT)
}

/** Records that a text finds, by model, and what leads to all of them. */
function useRecords(query: string, wanted: string) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const openRecord = useOpenRecord()
  const { groups, ...found } = useFoundRecords(query, OF_EACH_MODEL)
  const all: Item[] = groups.flatMap((group) =>
    group.content.map((record) => ({
      name: `record/${group.schemaCode}/${record.id}`,
      label: record.name || record.number || t('home.unnamed'),
      icon: 'file' as const,
      group: localName(group, locale),
      note: record.detail ?? (record.name ? (record.number ?? undefined) : undefined),
      named: record.named,
      run: () => openRecord({ schemaCode: group.schemaCode, id: record.id }),
    })),
  )
  // What an earlier text has found stays as far as it has this one.
  const records = found.pending ? findChoices(all, wanted, namesOf, plain) : all
  const more: Item = {
    name: 'all',
    label: t('search.all', { query: wanted }),
    icon: 'search',
    group: t('search.more'),
    run: () => navigate(searchPath(wanted)),
  }
  return { ...found, items: records.length > 0 || found.left.length > 0 ? [...records, more] : [] }
}

export function CommandPalette({ commands, onClose }: { commands: Command[]; onClose: () => void }) {
  const t = useText()
  const errorText = useErrorText()
  const [query, setQuery] = useState('')
  /** What the arrows or the pointer lead to. */
  const [moved, setMoved] = useState<string | null>(null)
  const confirmed = useRef(false)
  const match = useMatcher(true)
  const list = useRef<HTMLDivElement>(null)
  const wanted = query.trim()
  const offered = useOffered(commands, wanted)
  const { items: records, pending, error, again, ask, left } = useRecords(query, wanted)
  const found = [...offered, ...records]
  const exact = wanted ? found.findIndex(({ named }) => named === 'text') : -1
  const at = moved === null ? -1 : found.findIndex(({ name }) => name === moved)
  const active = at >= 0 ? at : Math.max(0, exact)
  const run = (item: Item | undefined) => {
    if (!item) return
    onClose()
    item.run()
  }
  const confirm = () => {
    // A record may be what is typed, where nothing else is yet.
    if (pending && at < 0 && exact < 0) {
      confirmed.current = true
      ask()
    } else run(found[active])
  }
  // Enter came before the answer.
  useEffect(() => {
    if (!confirmed.current || pending) return
    confirmed.current = false
    run(meaningOf(found).one) // of what nobody has seen, the one that is named
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      confirmed.current = false
      const next = (active + step + found.length) % Math.max(1, found.length)
      setMoved(found[next]?.name ?? null)
      list.current?.querySelector(`#command-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) confirm()
  }
  const named = found.length > 0
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
          aria-expanded={named}
          {...(named && { 'aria-controls': 'commands', 'aria-activedescendant': `command-${active}` })}
          aria-label={t('shell.palette')}
          placeholder={`${t('shell.palette')}　${t('shell.paletteHint')}`}
          value={query}
          onChange={(event) => {
            confirmed.current = false
            setQuery(event.target.value)
            setMoved(null)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={list}
        className={styles.list}
        {...(named && { id: 'commands', role: 'listbox', 'aria-label': t('shell.palette') })}
      >
        {found.map((item, index) => (
          <div key={item.name}>
            {item.group !== found[index - 1]?.group && <div className={styles.group}>{item.group}</div>}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which keeps the focus */}
            <div
              id={`command-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={styles.item}
              onPointerMove={() => setMoved(item.name)}
              onClick={() => run(item)}
            >
              <Icon name={item.icon} />
              <span className={styles.label} title={item.label}>
                <Highlight text={item.label} positions={wanted ? foundPart(item.label, wanted, match) : []} />
              </span>
              {item.note && (
                <span className={styles.noteText}>
                  <Highlight
                    text={item.note}
                    positions={wanted && item.name.startsWith('record/') ? foundPart(item.note, wanted, match) : []}
                  />
                </span>
              )}
            </div>
          </div>
        ))}
      </div>
      <div className={styles.state}>
        {pending && <p role="status">{t('search.searching')}</p>}
        {error && (
          <p role="alert">
            {t('search.failed', { reason: errorText(error) })}
            <Button type="link" size="small" onClick={again}>
              {t('common.retry')}
            </Button>
          </p>
        )}
        {left.length > 0 && <p role="status">{t('search.left', { count: left.length })}</p>}
        {!pending && !error && !named && <p role="status">{t('shell.paletteNothing', { query: wanted })}</p>}
      </div>
      <p className={styles.keys}>{t('shell.paletteKeys')}</p>
    </Modal>
  )
}
