import { type CellProps, defineProperty, type FieldPlan, type FilterProps, OverflowRow, WrappedRow } from '@sluice/sdk'
import { RelationFilter } from '../shared/lazy-filters'
import { type Related, RelationLink } from '../shared/relation'

const linksOf = (value: Related[], field: FieldPlan) =>
  value.map((related) => ({
    key: related.id,
    node: <RelationLink value={related} relativeCode={field.relativeCode} />,
  }))

const ReadValue = ({ value, field }: { value: Related[]; field: FieldPlan }) => (
  <WrappedRow items={linksOf(value, field)} />
)

function Cell({ value, field }: CellProps<Related[]>) {
  return (
    <OverflowRow items={linksOf(value, field)} inline={1} label={value.map((related) => related.name).join(', ')} />
  )
}

const Filter = (props: FilterProps) => <RelationFilter {...props} multiple />

export const property = defineProperty<Related[]>({
  name: 'RelevanceFormEx',
  wire: 11,
  text: (value, _, { locale }) => value.map((related) => related.name).join(locale === 'zh' ? '、' : ', '),
  Cell,
  ReadValue,
  Filter,
})
