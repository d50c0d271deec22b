import { defineProperty } from '@sluice/sdk'
import { OptionsCell, OptionsFilter, OptionsRead, optionFilterText, optionsText } from '../shared/options'

export const property = defineProperty<string[]>({
  name: 'DropdownMulti',
  wire: 15,
  text: optionsText,
  Cell: OptionsCell,
  ReadValue: OptionsRead,
  Filter: OptionsFilter,
  filterText: optionFilterText,
})
