import {
  exactSum,
  type FormField,
  type FormWidgetProps,
  Icon,
  localName,
  useAskedPlace,
  useCellCheck,
  useLocale,
  useRowErrors,
  useText,
  useTextContext,
  valueText,
} from '@sluice/sdk'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import styles from './cards.module.css'
import { wrongText } from './clipboard'
import { at } from './range'
import { RowPanel } from './row-panel'
import { isNothing, keyOf, type SheetRow } from './rows'
import type { GridState } from './use-grid'

type CardsProps = GridState & Pick<FormWidgetProps<SheetRow[]>, 'id' | 'field' | 'schemaCode' | 'values'>

/** A card names a row by its first column and shows some of the others. */
const FACTS = 4

/** The rows on a phone: a card each, and a panel to edit one of them. */
export function RowCards(props: CardsProps) {
  const { id, field, grid, rows, columns } = props
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const check = useCellCheck()
  const errors = useRowErrors()
  const [edited, setEdited] = useState<string | null>(null)
  const { minRows, maxRows, rights } = grid.now()
  const index = rows.findIndex((row, i) => keyOf(row, i) === edited)
  const fault = (column: FormField, row: SheetRow, i: number) =>
    errors(`${field.propertyCode}.${column.propertyCode}`, { id: row.id, key: row.key, index: i }) ?? check(column, row)
  const show = (i: number) => {
    const row = grid.now().rows[i]
    if (!row) return setEdited(null)
    grid.point(at(i, 0))
    setEdited(keyOf(row, i))
  }
  const add = () => {
    grid.add()
    show(grid.now().rows.length - 1)
  }
  const asked = useAskedPlace()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that somebody asks, and not when rows change
  useEffect(() => {
    if (asked?.code === field.propertyCode && asked.row !== undefined) show(asked.row)
  }, [asked])
  const sums = columns.filter((column) => field.sumRow?.includes(column.propertyCode))
  return (
    <div className={styles.cards} id={id}>
      {rows.length === 0 && <p className={styles.empty}>{t(rights.add ? 'sheet.emptyPhone' : 'sheet.emptyPhone')}</p>}
      <ul className={styles.list}>
        {rows.map((row, i) => {
          const [title, ...facts] = columns.filter((column) => !isNothing(row[column.propertyCode]))
          const wrong = columns.map((column) => fault(column, row, i)).find((one) => one !== null)
          const name = title ? valueText(row[title.propertyCode], title, context) : t('sheet.blank')
          return (
            <li key={keyOf(row, i)}>
              <button
                type="button"
                className={styles.card}
                title={name}
                data-faulty={wrong ? true : undefined}
                onClick={() => show(i)}
              >
                <span className={styles.number}>{i + 1}</span>
                <span className={styles.name}>{name}</span>
                <Icon name="right" size={14} />
                {facts.length > 0 && (
                  <span className={styles.facts}>
                    {facts.slice(0, FACTS).map((column) => (
                      <span key={column.propertyCode} className={styles.fact}>
                        <span>{localName(column, locale)}</span>{' '}
                        {(fault(column, row, i) ? wrongText : valueText)(row[column.propertyCode], column, context)}
                      </span>
                    ))}
                  </span>
                )}
                {wrong && <span className={styles.fault}>{wrong}</span>}
              </button>
            </li>
          )
        })}
      </ul>
      {sums.length > 0 && rows.length > 0 && (
        <dl className={styles.sums}>
          {sums.map((column) => (
            <div key={column.propertyCode} data-sum={column.propertyCode}>
              <dt>{t('sheet.sumOf', { column: localName(column, locale) })}</dt>
              <dd>{valueText(exactSum(rows.map((row) => row[column.propertyCode])), column, context)}</dd>
            </div>
          ))}
        </dl>
      )}
      {rights.add && (
        <Button
          block
          type="dashed"
          icon={<Icon name="plus" />}
          onClick={add}
          disabled={rows.length >= maxRows}
          data-add
        >
          {t('form.addRow')}
        </Button>
      )}
      {rows.length < minRows && <p className={styles.hint}>{t('sheet.least', { count: minRows })}</p>}
      <RowPanel {...props} index={index} fault={fault} onShow={show} onAdd={add} onClose={() => setEdited(null)} />
    </div>
  )
}
