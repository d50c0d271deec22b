import { defineProperty, type Entry } from '@sluice/sdk'
import { EntriesCell, EntriesRead, entriesText, paintEntries } from '../shared/entries'
import { PartyFilter } from '../shared/lazy-filters'

export const property = defineProperty<Entry[]>({
  name: 'StaffDeptMix',
  wire: 5,
  text: (value, _, context) => entriesText(value, context),
  parseText: (...given) => import('../shared/parse-entries').then((m) => m.parseEntries(...given)),
  Cell: EntriesCell,
  paint: paintEntries,
  ReadValue: EntriesRead,
  Filter: PartyFilter,
})
