import { defineProperty } from '@sluice/sdk'
import {
  OptionCell,
  OptionFilter,
  optionCopy,
  optionFilterText,
  optionLabel,
  paintOption,
  parseOption,
} from '../shared/options'

export const property = defineProperty<string>({
  name: 'Dropdown',
  wire: 14,
  says: 'state',
  text: (value, field, context) => optionLabel(field, value, context),
  copyText: optionCopy,
  parseText: parseOption,
  cellInEdit: true,
  Cell: OptionCell,
  paint: paintOption,
  ReadValue: OptionCell,
  Filter: OptionFilter,
  filterText: optionFilterText,
})
