import {
  asksOf,
  type FormField,
  type FormWidgetProps,
  Icon,
  isUnread,
  localName,
  resolveWidget,
  useLocale,
  useText,
  useTextContext,
  valueText,
} from '@sluice/sdk'
import { Button, Drawer } from 'antd'
import { Suspense } from 'react'
import styles from './cards.module.css'
import type { Grid } from './grid-commands'
import { at } from './range'
import { rowActions } from './row-actions'
import { keyOf, type SheetRow } from './rows'

interface PanelProps extends Pick<FormWidgetProps<SheetRow[]>, 'id' | 'field' | 'schemaCode' | 'values'> {
  grid: Grid
  rows: SheetRow[]
  columns: FormField[]
  /** Row that is shown; -1 for none. */
  index: number
  fault: (column: FormField, row: SheetRow, index: number) => string | null
  onShow: (index: number) => void
  onAdd: () => void
  onClose: () => void
}

/** One row with all its fields, on a phone. */
export function RowPanel(props: PanelProps) {
  const { field, grid, rows, index, onShow, onAdd, onClose } = props
  const t = useText()
  const locale = useLocale()
  const row = rows[index]
  const actions = rowActions(grid, t, index, index, rows.length).filter(
    ({ name }) => name !== 'above' && name !== 'below',
  )
  return (
    <Drawer
      open={row !== undefined}
      onClose={onClose}
      placement="bottom"
      size="88%"
      destroyOnHidden
      title={t('sheet.rowTitle', { name: localName(field, locale), row: index + 1 })}
      footer={
        <div className={styles.foot}>
          <Button
            icon={<Icon name="left" />}
            aria-label={t('sheet.previous')}
            disabled={index <= 0}
            onClick={() => onShow(index - 1)}
          />
          <Button
            icon={<Icon name="right" />}
            aria-label={t('sheet.next')}
            disabled={index >= rows.length - 1}
            onClick={() => onShow(index + 1)}
          />
          <span className={styles.space} />
          {grid.now().rights.add && (
            <Button icon={<Icon name="plus" />} disabled={grid.room() === 0} onClick={onAdd}>
              {t('sheet.another')}
            </Button>
          )}
          <Button type="primary" onClick={onClose}>
            {t('sheet.done')}
          </Button>
        </div>
      }
    >
      {row && (
        <>
          <div className={styles.actions} role="toolbar" aria-label={t('form.rowActions')}>
            {actions.map((action) => (
              <Button
                key={action.name}
                type="text"
                icon={action.icon}
                aria-label={action.label}
                danger={action.danger ?? false}
                disabled={!action.enabled}
                onClick={() => {
                  grid.point(at(index, 0))
                  action.run()
                  if (action.name === 'remove') onClose()
                  else onShow(grid.now().selection.active.row)
                }}
              />
            ))}
          </div>
          <RowFields key={keyOf(row, index)} {...props} row={row} />
        </>
      )}
    </Drawer>
  )
}

function RowFields({
  id,
  field,
  schemaCode,
  values,
  grid,
  columns,
  index,
  fault,
  row,
}: PanelProps & { row: SheetRow }) {
  const locale = useLocale()
  const context = useTextContext()
  const key = keyOf(row, index)
  return columns.map((column, c) => {
    const code = column.propertyCode
    const path = `${field.propertyCode}.${code}`
    const value = row[code] ?? null
    const wrong = fault(column, row, index)
    const keeps = asksOf(column) !== undefined
    const Widget = column.readOnly || grid.fixed(row) ? undefined : resolveWidget(column.propertyType)
    const box = `${id}-panel-${c}`
    return (
      <div key={code} className={styles.field} data-column={code}>
        <label htmlFor={box} className={styles.label}>
          {localName(column, locale)}
          {column.required && Widget && <span className={styles.mark}>*</span>}
        </label>
        {Widget ? (
          <Suspense fallback={<div style={{ height: 32 }} />}>
            <Widget
              id={box}
              field={{ ...column, propertyCode: path }}
              schemaCode={schemaCode}
              value={isUnread(value) && !keeps ? (value.kept ?? null) : value}
              onChange={(next) => grid.write({ key, column: c }, { [code]: next })}
              fill={({ [path]: own, ...others }) => grid.write({ key, column: c }, { ...others, [code]: own })}
              values={() => ({ ...values(), ...row })}
              invalid={wrong !== null}
              describedBy={`${box}-note`}
            />
          </Suspense>
        ) : (
          <span>{valueText(value, column, context) || '—'}</span>
        )}
        {wrong && (
          <div id={`${box}-note`} className={styles.fault} role="alert">
            {isUnread(value) && !keeps ? `${value.unread}: ${wrong}` : wrong}
          </div>
        )}
      </div>
    )
  })
}
