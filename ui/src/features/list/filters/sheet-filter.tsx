import { Button } from 'antd'
import { Suspense } from 'react'
import type { ColumnPlan } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { useText } from '@/sdk/use-text'
import styles from '../table/sheet-dialog.module.css'
import { operatorOf, type RowFilters, sheetColumns } from './sheet-filters'

interface Props {
  schemaCode: string
  sheet: ColumnPlan
  filters: RowFilters
  onChange: (filters: RowFilters) => void
}

/** The filter panel of a sub-table: a control for each property that can be compared. */
export function SheetFilter({ schemaCode, sheet, filters, onChange }: Props) {
  const t = useText()
  const locale = useLocale()
  const columns = sheetColumns(sheet).filter(
    (column) => column.operators?.length && propertyUI(column.propertyType).Filter,
  )
  if (columns.length === 0) return null
  return (
    <search className={styles.filters} aria-label={t('table.sheetFilter')}>
      {columns.map((column) => {
        const code = column.propertyCode
        const { Filter } = propertyUI(column.propertyType)
        const id = `sheet-filter-${code}`
        return (
          <div key={code} className={styles.filter}>
            <label htmlFor={id}>{localName(column, locale)}</label>
            <Suspense fallback={null}>
              {Filter && (
                <Filter
                  id={id}
                  field={{
                    ...column,
                    propertyCode: `${sheet.propertyCode}.${code}`,
                    queryFilterType: operatorOf(column),
                  }}
                  schemaCode={schemaCode}
                  operator={operatorOf(column)}
                  value={filters[code] ?? null}
                  onChange={(value) => {
                    const { [code]: _, ...others } = filters
                    onChange(value ? { ...others, [code]: value } : others)
                  }}
                  onSubmit={() => {}}
                />
              )}
            </Suspense>
          </div>
        )
      })}
      <Button disabled={Object.keys(filters).length === 0} onClick={() => onChange({})}>
        {t('list.reset')}
      </Button>
    </search>
  )
}
