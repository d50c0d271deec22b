import { defineProperty } from '@sluice/sdk'
import { OptionCell, OptionFilter, optionCopy, optionFilterText, optionLabel, paintOption } from '../shared/options'

export const property = defineProperty<string>({
  name: 'Radio',
  wire: 12,
  says: 'state',
  text: (value, field, context) => optionLabel(field, value, context),
  copyText: optionCopy,
  parseText: (text, field) => import('../shared/parse-options').then((m) => m.parseOption(text, field)),
  cellInEdit: true,
  Cell: OptionCell,
  paint: paintOption,
  ReadValue: OptionCell,
  Filter: OptionFilter,
  filterText: optionFilterText,
})
