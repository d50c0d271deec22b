import { type Entry, EntryName, OverflowRow, type TextContext, useText } from '@sluice/sdk'

export const entriesText = (entries: Entry[], { locale }: TextContext) =>
  entries.map((entry) => entry.name).join(locale === 'zh' ? '；' : '; ')

export function EntriesCell({ value, onMore }: { value: Entry[]; onMore?: () => void }) {
  const t = useText()
  const items = value.map((entry) => ({ key: entry.id, node: <EntryName entry={entry} /> }))
  return (
    <OverflowRow
      items={items}
      inline={1}
      label={value.map((entry) => entry.name).join(', ')}
      more={t('common.more')}
      onMore={onMore}
    />
  )
}
