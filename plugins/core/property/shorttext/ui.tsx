import { defineProperty } from '@sluice/sdk'
import { TextFilter } from '../shared/text-filter'

export const property = defineProperty<string>({
  name: 'ShortText',
  wire: 0,
  says: 'name',
  text: (value) => value,
  Filter: TextFilter,
})
