import { defineProperty, type Entry } from '@sluice/sdk'
import { EntriesCell, entriesText } from '../shared/entries'
import { PartyFilter } from '../shared/lazy-filters'

export const property = defineProperty<Entry[]>({
  name: 'DeptMulti',
  wire: 61,
  text: (value, _, context) => entriesText(value, context),
  Cell: EntriesCell,
  ReadValue: EntriesCell,
  Filter: PartyFilter,
})
