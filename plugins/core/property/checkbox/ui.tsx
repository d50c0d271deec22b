import { defineProperty } from '@sluice/sdk'
import { OptionsCell, OptionsFilter, OptionsRead, optionFilterText, optionsText } from '../shared/options'

export const property = defineProperty<string[]>({
  name: 'Checkbox',
  wire: 13,
  text: optionsText,
  Cell: OptionsCell,
  ReadValue: OptionsRead,
  Filter: OptionsFilter,
  filterText: optionFilterText,
})
