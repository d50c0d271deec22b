import type { CustomCellRendererProps } from 'ag-grid-react'
import type { ColumnPlan } from '@/api/types'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { AggregateCell } from './aggregate-cell'
import type { GridContext, GridRow } from './grid'
import styles from './grid.module.css'

type Props = CustomCellRendererProps<GridRow> & { plan: ColumnPlan }

/** Any value, drawn by its property; empty cells are empty. */
export function ValueCell({ value, data, plan: column, context }: Props) {
  const texts = useTextContext()
  if (!data) return null
  if (!('data' in data)) return <AggregateCell column={column} value={data.aggregates[column.propertyCode]} />
  if (isEmptyValue(value)) return null
  const { Cell, text } = propertyUI(column.propertyType)
  if (!Cell) return <PlainText text={text(value, column, texts)} />
  const { controller } = (context as { get: () => GridContext }).get()
  return (
    <Cell
      value={value}
      field={column}
      record={{ schemaCode: controller.config.schemaCode, id: data.id }}
      onMore={() => controller.store.getState().openSheet({ row: data, column })}
    />
  )
}

const PlainText = ({ text }: { text: string }) => (
  <span className={styles.plain} title={text}>
    {text}
  </span>
)
