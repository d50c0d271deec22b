import { defineProperty } from '@sluice/sdk'
import { OptionsCell, OptionsFilter, OptionsRead, optionFilterText, optionsText, parseOptions } from '../shared/options'

export const property = defineProperty<string[]>({
  name: 'DropdownMulti',
  wire: 15,
  text: optionsText,
  parseText: parseOptions,
  Cell: OptionsCell,
  ReadValue: OptionsRead,
  Filter: OptionsFilter,
  filterText: optionFilterText,
})
