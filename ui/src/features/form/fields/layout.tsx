import { Tabs } from 'antd'
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import type { LayoutItem } from '@/api/types'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useAskedPlace } from '@/sdk/errors'
import styles from '../form.module.css'

interface LayoutProps {
  items: LayoutItem[]
  columns: number
  /** A field with its label, or null when it is hidden now. */
  field: (code: string) => ReactNode | null
  related: (item: LayoutItem) => ReactNode
  /** Whether a group is shown now. */
  shown: (item: LayoutItem) => boolean
  /** Whether something in these items needs attention: a closed group with a fault opens. */
  faulty?: (code: string) => boolean
  /** About how high a field is. In a large form those far from sight are neither laid out nor painted. */
  room?: ((code: string) => number) | undefined
}

/** The fields of items and of the groups in them, in their order. */
export const codesIn = (items: LayoutItem[]): string[] =>
  items.flatMap((item) =>
    item.propertyCode && item.type !== 'RelatedList' ? [item.propertyCode] : codesIn(item.items ?? []),
  )

/** Arranges fields in sections, tabs and columns; it knows nothing of what a field is. Empty groups are not drawn. */
export function FormLayout(props: LayoutProps) {
  const blocks: ReactNode[] = []
  let run: LayoutItem[] = []
  const flush = () => {
    if (run.length > 0) blocks.push(<Fields key={run[0]?.propertyCode} {...props} items={run} />)
    run = []
  }
  props.items.forEach((item, index) => {
    if (item.type === 'Field' || (!item.type && item.propertyCode)) {
      run.push(item)
      return
    }
    flush()
    if (!props.shown(item)) return
    const key = `${item.type}-${index}`
    if (item.type === 'Section') blocks.push(<Section key={key} {...props} item={item} />)
    if (item.type === 'Tabs') blocks.push(<TabGroup key={key} {...props} item={item} />)
    if (item.type === 'RelatedList') blocks.push(<div key={key}>{props.related(item)}</div>)
  })
  flush()
  return <div className={styles.layout}>{blocks}</div>
}

/** Columns by the room that there is: one on a phone, two at most where it is narrow, then all of them. */
function Fields({ items, columns, field, room }: LayoutProps) {
  const grid = { '--columns': columns, '--narrow': Math.min(columns, 2) }
  return (
    <div className={styles.grid} style={grid as CSSProperties} data-large={room ? true : undefined}>
      {items.map((item) => {
        const node = field(item.propertyCode ?? '')
        if (node === null) return null
        const span = Math.min(item.span ?? 1, columns)
        const cell = {
          '--span': span,
          '--span-narrow': span === columns ? Math.min(columns, 2) : Math.min(span, 2),
          ...(room ? { '--room': `${room(item.propertyCode ?? '')}px` } : {}),
        }
        return (
          <div key={item.propertyCode} className={styles.cell} style={cell as CSSProperties}>
            {node}
          </div>
        )
      })}
    </div>
  )
}

const help = (item: LayoutItem, locale: ReturnType<typeof useLocale>) =>
  item.help ? localName({ name: item.help, name_i18n: item.help_i18n ?? null }, locale) : null

/** Whether a group has anything to show: a field that is not hidden now, or a list of records. */
function fills(item: LayoutItem, { field, shown }: LayoutProps): boolean {
  if (!shown(item)) return false
  if (item.type === 'RelatedList') return true
  if (item.items) return item.items.some((one) => fills(one, { field, shown } as LayoutProps))
  return field(item.propertyCode ?? '') !== null
}

function Section(props: LayoutProps & { item: LayoutItem }) {
  const { item, faulty } = props
  const locale = useLocale()
  const [closed, setClosed] = useState(item.collapsed ?? false)
  const items = item.items ?? []
  const codes = codesIn(items)
  const asked = useAskedPlace()
  const holds = asked !== null && codes.includes(asked.code)
  useEffect(() => {
    if (holds) setClosed(false)
  }, [holds])
  if (!fills(item, props)) return null
  const shut = closed && !codes.some((code) => faulty?.(code))
  const note = help(item, locale)
  const name = localName({ name: item.name ?? '', name_i18n: item.name_i18n ?? null }, locale)
  return (
    <section className={styles.section} aria-label={name || undefined}>
      {name && (
        <h2 className={styles.heading}>
          <button type="button" aria-expanded={!shut} onClick={() => setClosed(!shut)}>
            {name}
            <span className={styles.arrow} data-open={!shut || undefined}>
              <Icon name="right" />
            </span>
          </button>
        </h2>
      )}
      {!shut && note && <p className={styles.groupHelp}>{note}</p>}
      {!shut && <FormLayout {...props} items={items} columns={item.columns ?? props.columns} />}
    </section>
  )
}

/** Tabs with something in them. When saving finds faults and the open tab has none, the first tab with one opens. */
function TabGroup(props: LayoutProps & { item: LayoutItem }) {
  const { item, faulty } = props
  const locale = useLocale()
  const all = (item.items ?? []).map((tab, index) => ({ tab, key: String(index) }))
  const tabs = all.filter(({ tab }) => fills(tab, props))
  const [chosen, setChosen] = useState('')
  const active = tabs.some(({ key }) => key === chosen) ? chosen : (tabs[0]?.key ?? '')
  const wrong = tabs.filter(({ tab }) => codesIn(tab.items ?? []).some((code) => faulty?.(code))).map(({ key }) => key)
  const first = wrong[0]
  const faults = wrong.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new faults open a tab; afterwards people choose
  useEffect(() => {
    if (first !== undefined && !wrong.includes(active)) setChosen(first)
  }, [faults])
  const asked = useAskedPlace()
  const led = asked && tabs.find(({ tab }) => codesIn(tab.items ?? []).includes(asked.code))?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that somebody asks, and not when they have chosen another tab since
  useEffect(() => {
    if (led) setChosen(led)
  }, [asked])
  if (tabs.length === 0) return null
  return (
    <Tabs
      className={styles.tabs ?? ''}
      activeKey={active}
      onChange={setChosen}
      items={tabs.map(({ tab, key }) => {
        const note = help(tab, locale)
        return {
          key,
          label: (
            <span data-faulty={wrong.includes(key) || undefined} className={styles.tab}>
              {localName({ name: tab.name ?? '', name_i18n: tab.name_i18n ?? null }, locale)}
            </span>
          ),
          children: (
            <>
              {note && <p className={styles.groupHelp}>{note}</p>}
              <FormLayout {...props} items={tab.items ?? []} columns={tab.columns ?? props.columns} />
            </>
          ),
        }
      })}
    />
  )
}
