import { type CellProps, defineProperty } from '@sluice/sdk'
import { RelationFilter } from '../shared/lazy-filters'
import { type Related, RelationLink, relationLink } from '../shared/relation'

const Cell = ({ value, field }: CellProps<Related>) => <RelationLink value={value} relativeCode={field.relativeCode} />

export const property = defineProperty<Related>({
  name: 'RelevanceForm',
  wire: 9,
  text: (value) => value.name,
  parseText: (...given) => import('../shared/parse-entries').then((m) => m.parseEntry(...given)),
  Cell,
  paint: (value, field) => relationLink(value, field.relativeCode),
  ReadValue: Cell,
  Filter: RelationFilter,
})
