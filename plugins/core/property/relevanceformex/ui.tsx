import {
  type CellProps,
  defineProperty,
  type FieldPlan,
  type FilterProps,
  OverflowRow,
  shortList,
  useText,
  WrappedRow,
} from '@sluice/sdk'
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

function Cell({ value, field, onMore }: CellProps<Related[]>) {
  const t = useText()
  return (
    <OverflowRow
      items={linksOf(value.slice(0, OverflowRow.limit + 1), field)}
      count={value.length}
      inline={1}
      label={shortList(value.map((related) => related.name))}
      more={t('common.viewMore')}
      onMore={onMore}
    />
  )
}

const Filter = (props: FilterProps) => <RelationFilter {...props} multiple />

export const property = defineProperty<Related[]>({
  name: 'RelevanceFormEx',
  wire: 11,
  text: (value, _, { locale }) => value.map((related) => related.name).join(locale === 'zh' ? '、' : ', '),
  // Names of records hold commas more often than semicolons.
  copyText: (value) => value.map((related) => related.name).join('; '),
  parseText: (...given) => import('../shared/parse-entries').then((m) => m.parseEntries(...given)),
  Cell,
  ReadValue,
  Filter,
})
