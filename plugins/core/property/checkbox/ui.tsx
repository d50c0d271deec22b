import { defineProperty } from '@sluice/sdk'
import { OptionFilter, OptionsCell, optionFilterText, optionsText } from '../shared/options'

export const property = defineProperty<string[]>({
  name: 'Checkbox',
  wire: 13,
  text: optionsText,
  Cell: OptionsCell,
  ReadValue: OptionsCell,
  Filter: OptionFilter,
  filterText: optionFilterText,
})
