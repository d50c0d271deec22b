import { defineProperty, type Entry } from '@sluice/sdk'
import { EntriesCell, EntriesRead, entriesText } from '../shared/entries'
import { PartyFilter } from '../shared/lazy-filters'

export const property = defineProperty<Entry[]>({
  name: 'StaffMulti',
  wire: 51,
  text: (value, _, context) => entriesText(value, context),
  Cell: EntriesCell,
  ReadValue: EntriesRead,
  Filter: PartyFilter,
})
