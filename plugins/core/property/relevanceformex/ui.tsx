import { type CellProps, defineProperty, type FilterProps, OverflowRow } from '@sluice/sdk'
import { type Related, RelationFilter, RelationLink } from '../shared/relation'

function Cell({ value, field }: CellProps<Related[]>) {
  const items = value.map((related) => ({
    key: related.id,
    node: <RelationLink value={related} relativeCode={field.relativeCode} />,
  }))
  return <OverflowRow items={items} inline={1} label={value.map((related) => related.name).join(', ')} />
}

const Filter = (props: FilterProps) => <RelationFilter {...props} multiple />

export const property = defineProperty<Related[]>({
  name: 'RelevanceFormEx',
  wire: 11,
  text: (value, _, { locale }) => value.map((related) => related.name).join(locale === 'zh' ? '、' : ', '),
  Cell,
  ReadValue: Cell,
  Filter,
})
