import { defineProperty, type Entry } from '@sluice/sdk'
import { EntriesCell, EntriesRead, EntryFilter, entriesText } from '../shared/entries'

export const property = defineProperty<Entry[]>({
  name: 'StaffDeptMix',
  wire: 5,
  text: (value, _, context) => entriesText(value, context),
  Cell: EntriesCell,
  ReadValue: EntriesRead,
  Filter: EntryFilter,
})
