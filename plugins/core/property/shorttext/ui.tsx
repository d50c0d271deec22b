import { defineProperty } from '@sluice/sdk'
import { TextFilter } from '../shared/text-filter'

export const property = defineProperty<string>({
  name: 'ShortText',
  wire: 0,
  text: (value) => value,
  Filter: TextFilter,
})
