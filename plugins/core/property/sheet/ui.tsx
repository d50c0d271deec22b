import {
  type CellProps,
  defineProperty,
  element,
  type FieldPlan,
  localName,
  type PaintContext,
  type TextContext,
  useText,
  useTextContext,
  valueText,
} from '@sluice/sdk'
import { Popover } from 'antd'
import { lazy, type MouseEvent, Suspense, useState } from 'react'
import styles from './sheet.module.css'

type SheetRow = Record<string, unknown>

/** In lists the first rows and their number; in forms all rows. */
type Sheet = { rows: SheetRow[]; total: number } | SheetRow[]

const INLINE = 2
/** The rows that pointing at the cell shows, which are those that lists bring; all are behind More. */
const PREVIEW = 7

const rowsOf = (value: Sheet) => (Array.isArray(value) ? value : value.rows)
const totalOf = (value: Sheet) => (Array.isArray(value) ? value.length : value.total)

const childrenOf = (field: FieldPlan): FieldPlan[] => {
  const shown = 'childColumns' in field ? (field.childColumns as FieldPlan[] | null) : null
  return shown ?? field.children ?? []
}

const line = (row: SheetRow, field: FieldPlan, context: TextContext) =>
  childrenOf(field)
    .map((child) => valueText(row[child.propertyCode], child, context) || '—')
    .join(' · ')

/** The same with the names of its values, for people who hover over it. */
const namedLine = (row: SheetRow, field: FieldPlan, context: TextContext) =>
  childrenOf(field)
    .map((child) => `${localName(child, context.locale)}: ${valueText(row[child.propertyCode], child, context) || '—'}`)
    .join('\n')

function Lines({ rows, field }: { rows: SheetRow[]; field: FieldPlan }) {
  const context = useTextContext()
  return (
    <span className={styles.lines}>
      {rows.map((row) => (
        <span key={String(row.id)} className={styles.line} title={namedLine(row, field, context)}>
          {line(row, field, context)}
        </span>
      ))}
    </span>
  )
}

/** The first rows under the names of their columns. */
function Preview({ rows, field }: { rows: SheetRow[]; field: FieldPlan }) {
  const context = useTextContext()
  const columns = childrenOf(field)
  return (
    <table className={styles.named}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.propertyCode}>{localName(column, context.locale)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={String(row.id)}>
            {columns.map((column) => (
              <td key={column.propertyCode}>{valueText(row[column.propertyCode], column, context) || '—'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function paint(value: Sheet, field: FieldPlan, context: PaintContext): Node {
  const total = totalOf(value)
  const rows = rowsOf(value)
    .slice(0, INLINE)
    .map((row) =>
      element('span', { className: styles.line, title: namedLine(row, field, context) }, line(row, field, context)),
    )
  const lines = element('span', { className: styles.lines }, ...rows)
  if (total === 0) return document.createDocumentFragment()
  if (total <= INLINE) return element('span', { className: styles.sheet }, lines)
  const label = context.t('list.moreRows', { count: total - INLINE })
  const more = element('button', { type: 'button', tabIndex: -1, className: styles.more, 'aria-label': label })
  more.append(`+${total - INLINE}`)
  return element('span', { className: styles.sheet }, lines, more)
}

function Cell({ value, field, onMore }: CellProps<Sheet>) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const total = totalOf(value)
  if (total === 0) return null
  const rows = rowsOf(value)
  const more = (event: MouseEvent) => {
    event.stopPropagation()
    setOpen(false)
    onMore?.()
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      mouseEnterDelay={0.4}
      arrow={false}
      destroyOnHidden
      content={
        <div className={styles.preview}>
          <Preview rows={rows.slice(0, PREVIEW)} field={field} />
          {total > PREVIEW && (
            <button type="button" className={styles.more} onClick={more}>
              {t('common.more')}
            </button>
          )}
        </div>
      }
    >
      <span className={styles.sheet}>
        <Lines rows={rows.slice(0, INLINE)} field={field} />
        {total > INLINE && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.more}
            aria-label={t('list.moreRows', { count: total - INLINE })}
            onClick={more}
          >
            +{total - INLINE}
          </button>
        )}
      </span>
    </Popover>
  )
}

/** Rows, head and sums as far as the grid shows them at once, and the tools below. */
const room = (value: Sheet | null) =>
  Math.min(((value ? totalOf(value) : 1) + 2) * 34, window.innerHeight * 0.62, 680) + 42

const ReadRows = lazy(() => import('./read').then((m) => ({ default: m.ReadRows })))

/** In a record a table; in a list's cards, which know some rows only, a line for each. */
function ReadValue({ value, field }: { value: Sheet; field: FieldPlan }) {
  const context = useTextContext()
  if (Array.isArray(value) && (field.children?.length ?? 0) > 0)
    return (
      <Suspense fallback={<div style={{ height: 120 }} />}>
        <ReadRows value={value} field={field} />
      </Suspense>
    )
  return (
    <ol className={styles.all}>
      {rowsOf(value).map((row) => (
        <li key={String(row.id)}>{namedLine(row, field, context)}</li>
      ))}
    </ol>
  )
}

export const property = defineProperty<Sheet>({
  name: 'Sheet',
  wire: 8,
  nested: true,
  wide: true,
  room,
  text: (value, field, context) =>
    rowsOf(value)
      .map((row) => line(row, field, context))
      .join('\n'),
  Cell,
  paint,
  ReadValue,
})
