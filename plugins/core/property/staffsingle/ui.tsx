import { defineProperty, type Entry, EntryName, entryName } from '@sluice/sdk'
import { PartyFilter } from '../shared/lazy-filters'

const Cell = ({ value }: { value: Entry }) => <EntryName entry={value} />

export const property = defineProperty<Entry>({
  name: 'StaffSingle',
  wire: 50,
  text: (value) => value.name,
  parseText: (...given) => import('../shared/parse-entries').then((m) => m.parseEntry(...given)),
  Cell,
  paint: entryName,
  ReadValue: Cell,
  Filter: PartyFilter,
})
