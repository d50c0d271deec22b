import {
  type Entry,
  EntryName,
  entryName,
  OverflowRow,
  overflowRow,
  shortList,
  type TextContext,
  useText,
  WrappedRow,
} from '@sluice/sdk'

export const entriesText = (entries: Entry[], { locale }: TextContext) =>
  entries.map((entry) => entry.name).join(locale === 'zh' ? '；' : '; ')

const INLINE = 2
const setLabel = (value: Entry[]) => shortList(value.map((entry) => entry.name))

export const paintEntries = (value: Entry[]) =>
  overflowRow(value.slice(0, INLINE).map(entryName), value.length, setLabel(value))

export function EntriesCell({ value, onMore }: { value: Entry[]; onMore?: () => void }) {
  const t = useText()
  const items = value
    .slice(0, OverflowRow.limit + 1)
    .map((entry) => ({ key: entry.id, node: <EntryName entry={entry} /> }))
  return (
    <OverflowRow
      items={items}
      count={value.length}
      inline={INLINE}
      label={setLabel(value)}
      more={t('common.viewMore')}
      onMore={onMore}
    />
  )
}

/** All of them, for the reader of a record. */
export const EntriesRead = ({ value }: { value: Entry[] }) => (
  <WrappedRow items={value.map((entry) => ({ key: entry.id, node: <EntryName entry={entry} /> }))} />
)
