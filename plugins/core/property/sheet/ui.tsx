import {
  type CellProps,
  defineProperty,
  type FieldPlan,
  type TextContext,
  useText,
  useTextContext,
  valueText,
} from '@sluice/sdk'
import styles from './sheet.module.css'

type SheetRow = Record<string, unknown>

/** In lists the first rows and their number; in forms all rows. */
type Sheet = { rows: SheetRow[]; total: number } | SheetRow[]

const INLINE = 2

const rowsOf = (value: Sheet) => (Array.isArray(value) ? value : value.rows)
const totalOf = (value: Sheet) => (Array.isArray(value) ? value.length : value.total)

const childrenOf = (field: FieldPlan): FieldPlan[] => {
  const shown = 'childColumns' in field ? (field.childColumns as FieldPlan[] | null) : null
  return shown ?? field.children ?? []
}

const line = (row: SheetRow, field: FieldPlan, context: TextContext) =>
  childrenOf(field)
    .map((child) => valueText(row[child.propertyCode], child, context))
    .filter(Boolean)
    .join(' · ')

function Cell({ value, field, onMore }: CellProps<Sheet>) {
  const t = useText()
  const context = useTextContext()
  const total = totalOf(value)
  if (total === 0) return null
  return (
    <span className={styles.sheet}>
      <span className={styles.lines}>
        {rowsOf(value)
          .slice(0, INLINE)
          .map((row) => (
            <span key={String(row.id)} className={styles.line}>
              {line(row, field, context)}
            </span>
          ))}
      </span>
      {total > INLINE && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.more}
          aria-label={t('list.moreRows', { count: total - INLINE })}
          onClick={(event) => {
            event.stopPropagation()
            onMore?.()
          }}
        >
          +{total - INLINE}
        </button>
      )}
    </span>
  )
}

function ReadValue({ value, field }: { value: Sheet; field: FieldPlan }) {
  const context = useTextContext()
  return (
    <ol className={styles.all}>
      {rowsOf(value).map((row) => (
        <li key={String(row.id)}>{line(row, field, context)}</li>
      ))}
    </ol>
  )
}

export const property = defineProperty<Sheet>({
  name: 'Sheet',
  wire: 8,
  nested: true,
  wide: true,
  text: (value, field, context) =>
    rowsOf(value)
      .map((row) => line(row, field, context))
      .join('\n'),
  Cell,
  ReadValue,
})
