import { defineProperty } from '@sluice/sdk'
import { TextFilter } from '../shared/lazy-filters'

export const property = defineProperty<string>({
  name: 'ShortText',
  wire: 0,
  says: 'name',
  text: (value) => value,
  parseText: (text) => text.replace(/\s*[\r\n]+\s*/g, ' '),
  Filter: TextFilter,
})
