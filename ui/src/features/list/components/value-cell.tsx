import type { CustomCellRendererProps } from 'ag-grid-react'
import type { ColumnPlan } from '@/api/types'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import type { ShownRow } from '../use-tree-rows'
import { AggregateCell } from './aggregate-cell'
import type { GridContext, GridRow } from './grid'
import styles from './grid.module.css'
import { MarkedCell } from './marked-cell'

type Props = CustomCellRendererProps<GridRow> & { plan: ColumnPlan }

/** Any value, drawn by its property; empty cells are empty. */
export function ValueCell({ value, data, plan: column, context }: Props) {
  if (!data) return null
  if (!('data' in data)) return <AggregateCell column={column} value={data.aggregates[column.propertyCode]} />
  const mark = data.mark?.cells?.[column.propertyCode]
  if (mark) return <MarkedCell mark={mark}>{mark.text ?? <Value {...{ value, data, column, context }} />}</MarkedCell>
  return <Value {...{ value, data, column, context }} />
}

type ValueProps = Pick<Props, 'value' | 'context'> & { data: ShownRow; column: ColumnPlan }

function Value({ value, data, column, context }: ValueProps) {
  const texts = useTextContext()
  if (isEmptyValue(value)) return null
  const { Cell, text, nested } = propertyUI(column.propertyType)
  if (!Cell) return <PlainText text={text(value, column, texts)} />
  const { controller, openRow } = (context as { get: () => GridContext }).get()
  return (
    <Cell
      value={value}
      field={column}
      record={{ schemaCode: controller.config.schemaCode, id: data.id }}
      onMore={() => (nested ? controller.store.getState().openSheet({ row: data, column }) : openRow(data))}
    />
  )
}

const PlainText = ({ text }: { text: string }) => (
  <span className={styles.plain} title={text}>
    {text}
  </span>
)
