import {
  type CellProps,
  defineProperty,
  type FieldPlan,
  type FilterProps,
  OverflowRow,
  overflowRow,
  shortList,
  useText,
  WrappedRow,
} from '@sluice/sdk'
import { RelationFilter } from '../shared/lazy-filters'
import { type Related, RelationLink, relationLink } from '../shared/relation'

const linksOf = (value: Related[], field: FieldPlan) =>
  value.map((related) => ({
    key: related.id,
    node: <RelationLink value={related} relativeCode={field.relativeCode} />,
  }))

const ReadValue = ({ value, field }: { value: Related[]; field: FieldPlan }) => (
  <WrappedRow items={linksOf(value, field)} />
)

const INLINE = 1
const setLabel = (value: Related[]) => shortList(value.map((related) => related.name))

function Cell({ value, field, onMore }: CellProps<Related[]>) {
  const t = useText()
  return (
    <OverflowRow
      items={linksOf(value.slice(0, OverflowRow.limit + 1), field)}
      count={value.length}
      inline={INLINE}
      label={setLabel(value)}
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
  paint: (value, field) =>
    overflowRow(
      value.slice(0, INLINE).map((related) => relationLink(related, field.relativeCode)),
      value.length,
      setLabel(value),
    ),
  ReadValue,
  Filter,
})
