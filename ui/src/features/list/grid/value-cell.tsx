import type { ColumnPlan } from '@/api/types'
import { element } from '@/lib/element'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue, type PaintContext } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import type { CellMark } from '../../../../../docs/sluice-script'
import { aggregateWords } from '../data/aggregates'
import type { ShownRow } from '../data/use-tree-rows'
import styles from '../table/grid.module.css'
import { markClass } from '../table/row-marks'
import { type CellLook, type CellParams, contextOf } from './grid-cell'

/** Any value, drawn by its property; empty cells are empty. */
export const valueLook = (column: ColumnPlan): CellLook => ({
  paint: ({ value, data }, { texts }) => {
    if (!data) return ''
    if (!('data' in data)) return aggregate(column, data.aggregates[column.propertyCode], texts)
    const mark = data.mark?.cells?.[column.propertyCode]
    const drawn = mark?.text ?? painted(value, column, texts)
    if (!mark || drawn === null) return drawn
    return element('span', markAttributes(mark), drawn)
  },
  component: (params) => {
    const { data } = params
    if (!data || !('data' in data)) return null
    const mark = data.mark?.cells?.[column.propertyCode]
    const drawn = <Value params={params} row={data} column={column} />
    if (!mark) return drawn
    const { className, title } = markAttributes(mark)
    return (
      <span className={className} title={title}>
        {drawn}
      </span>
    )
  },
})

const markAttributes = (mark: CellMark) => ({ className: markClass(mark), title: mark.hint ?? mark.text })

function painted(value: unknown, column: ColumnPlan, texts: PaintContext): Node | string | null {
  if (isEmptyValue(value)) return ''
  const { Cell, paint, text } = propertyUI(column.propertyType)
  if (paint) return paint(value, column, texts)
  if (Cell) return null
  const words = text(value, column, texts)
  return element('span', { className: styles.plain, title: words }, words)
}

/** A figure over the whole result, below its column. */
function aggregate(column: ColumnPlan, value: unknown, texts: PaintContext): Node | string {
  const words = aggregateWords(column, value, texts)
  if (!column.sumType || !words) return ''
  return element(
    'span',
    { className: styles.aggregate },
    element('span', { className: styles.aggregateName }, texts.t(`list.${column.sumType}`)),
    element('span', { className: 'tabular' }, words),
  )
}

function Value({ params, row, column }: { params: CellParams; row: ShownRow; column: ColumnPlan }) {
  const texts = useTextContext()
  const { value } = params
  if (isEmptyValue(value)) return null
  const { Cell, text, nested } = propertyUI(column.propertyType)
  if (!Cell) return text(value, column, texts)
  const { controller, openRow } = contextOf(params)
  return (
    <Cell
      value={value}
      field={column}
      record={{ schemaCode: controller.config.schemaCode, id: row.id }}
      onMore={() => (nested ? controller.store.getState().openSheet({ row, column }) : openRow(row))}
    />
  )
}
