import { defineProperty } from '@sluice/sdk'
import {
  OptionsCell,
  OptionsFilter,
  OptionsRead,
  optionFilterText,
  optionsCopy,
  optionsText,
  paintOptions,
} from '../shared/options'

export const property = defineProperty<string[]>({
  name: 'Checkbox',
  wire: 13,
  text: optionsText,
  copyText: optionsCopy,
  parseText: (text, field) => import('../shared/parse-options').then((m) => m.parseOptions(text, field)),
  Cell: OptionsCell,
  paint: paintOptions,
  ReadValue: OptionsRead,
  Filter: OptionsFilter,
  filterText: optionFilterText,
})
