import { Tabs } from 'antd'
import { type ReactNode, useState } from 'react'
import type { LayoutItem } from '@/api/types'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import styles from './form.module.css'

interface LayoutProps {
  items: LayoutItem[]
  columns: number
  /** A field with its label, or null when it is hidden now. */
  field: (code: string) => ReactNode | null
  related: (item: LayoutItem) => ReactNode
  /** Whether something in these items needs attention: a closed group with a fault opens. */
  faulty?: (code: string) => boolean
}

const codesIn = (items: LayoutItem[]): string[] =>
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
    const key = `${item.type}-${index}`
    if (item.type === 'Section') blocks.push(<Section key={key} {...props} item={item} />)
    if (item.type === 'Tabs') blocks.push(<TabGroup key={key} {...props} item={item} />)
    if (item.type === 'RelatedList') blocks.push(<div key={key}>{props.related(item)}</div>)
  })
  flush()
  return <div className={styles.layout}>{blocks}</div>
}

function Fields({ items, columns, field }: LayoutProps) {
  return (
    <div className={styles.grid} style={{ '--columns': columns } as React.CSSProperties}>
      {items.map((item) => {
        const node = field(item.propertyCode ?? '')
        if (node === null) return null
        return (
          <div key={item.propertyCode} className={styles.cell} data-wide={(item.span ?? 1) > 1 || undefined}>
            {node}
          </div>
        )
      })}
    </div>
  )
}

function Section(props: LayoutProps & { item: LayoutItem }) {
  const { item, field, faulty } = props
  const locale = useLocale()
  const [closed, setClosed] = useState(item.collapsed ?? false)
  const items = item.items ?? []
  const codes = codesIn(items)
  if (codes.length > 0 && codes.every((code) => field(code) === null)) return null
  const shut = closed && !codes.some((code) => faulty?.(code))
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
      {!shut && <FormLayout {...props} items={items} />}
    </section>
  )
}

function TabGroup(props: LayoutProps & { item: LayoutItem }) {
  const locale = useLocale()
  const tabs = (props.item.items ?? []).filter((tab) => {
    const codes = codesIn(tab.items ?? [])
    return codes.length === 0 || codes.some((code) => props.field(code) !== null)
  })
  if (tabs.length === 0) return null
  return (
    <Tabs
      className={styles.tabs ?? ''}
      items={tabs.map((tab, index) => ({
        key: String(index),
        label: (
          <span
            data-faulty={codesIn(tab.items ?? []).some((code) => props.faulty?.(code)) || undefined}
            className={styles.tab}
          >
            {localName({ name: tab.name ?? '', name_i18n: tab.name_i18n ?? null }, locale)}
          </span>
        ),
        children: <FormLayout {...props} items={tab.items ?? []} />,
      }))}
    />
  )
}
