import { defineProperty } from '@sluice/sdk'
import {
  OptionsCell,
  OptionsFilter,
  OptionsRead,
  optionFilterText,
  optionsCopy,
  optionsText,
  paintOptions,
  parseOptions,
} from '../shared/options'

export const property = defineProperty<string[]>({
  name: 'DropdownMulti',
  wire: 15,
  text: optionsText,
  copyText: optionsCopy,
  parseText: parseOptions,
  Cell: OptionsCell,
  paint: paintOptions,
  ReadValue: OptionsRead,
  Filter: OptionsFilter,
  filterText: optionFilterText,
})
