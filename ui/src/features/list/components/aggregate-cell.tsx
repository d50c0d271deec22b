import type { ColumnPlan } from '@/api/types'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from './grid.module.css'

/** A figure over the whole result, below its column. */
export function AggregateCell({ column, value }: { column: ColumnPlan; value: unknown }) {
  const t = useText()
  const context = useTextContext()
  if (!column.sumType || isEmptyValue(value)) return null
  const words =
    column.sumType === 'count' ? String(value) : propertyUI(column.propertyType).text(value, column, context)
  return (
    <span className={styles.aggregate}>
      <span className={styles.aggregateName}>{t(`list.${column.sumType}`)}</span>
      <span className="tabular">{words}</span>
    </span>
  )
}
