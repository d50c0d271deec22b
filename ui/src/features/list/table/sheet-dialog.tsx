import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useReturnFocus } from '@/lib/return-focus'
import { propertyUI } from '@/registry/properties'
import { useErrorText } from '@/sdk/error-text'
import { Pages } from '@/sdk/pages'
import { isEmptyValue, type PropertyUI } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { SkeletonRows } from '../components/list-skeleton'
import { sheetQuery } from '../data/queries'
import { SheetFilter } from '../filters/sheet-filter'
import { type RowFilters, rowFilters } from '../filters/sheet-filters'
import type { OpenSheet } from '../list-store'
import type { ListController } from '../use-list-controller'
import styles from './sheet-dialog.module.css'

const SIZE = 20

/** All rows of a sub-table. */
export function SheetDialog({ controller, sheet }: { controller: ListController; sheet: OpenSheet }) {
  useReturnFocus()
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const errorText = useErrorText()
  const [page, setPage] = useState(0)
  const [filters, setFilters] = useState<RowFilters>({})
  const { schemaCode, queryCode } = controller.config
  const { data, error } = useQuery(
    sheetQuery(
      { schemaCode, queryCode, objectId: sheet.row.id, propertyCode: sheet.column.propertyCode },
      page,
      SIZE,
      rowFilters(sheet.column, filters),
    ),
  )
  const columns = (sheet.column.childColumns ?? sheet.column.children ?? []).map((column) => ({
    column,
    property: propertyUI(column.propertyType),
  }))
  const draw = (property: PropertyUI<unknown>, value: unknown, column: (typeof columns)[number]['column']) =>
    isEmptyValue(value) ? null : property.Cell ? (
      <property.Cell value={value} field={column} />
    ) : (
      property.text(value, column, context)
    )
  return (
    <Modal
      open
      width="min(1200px, 94vw)"
      footer={null}
      onCancel={() => controller.store.getState().openSheet(null)}
      title={localName(sheet.column, locale)}
    >
      <SheetFilter
        schemaCode={schemaCode}
        sheet={sheet.column}
        filters={filters}
        onChange={(next) => {
          setFilters(next)
          setPage(0)
        }}
      />
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <SkeletonRows rows={6} />}
      {data?.totalElements === 0 && <p role="status">{t('table.noSheetRows')}</p>}
      {data && (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th className={styles.number}>#</th>
                {columns.map(({ column, property }) => (
                  <th key={column.propertyCode} data-align={property.align}>
                    {localName(column, locale)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {(data.content as Record<string, unknown>[]).map((row, i) => (
                <tr key={String(row.id ?? i)}>
                  <td className={styles.number}>{page * SIZE + i + 1}</td>
                  {columns.map(({ column, property }) => (
                    <td key={column.propertyCode} data-align={property.align}>
                      {draw(property, row[column.propertyCode], column)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && (
        <div className={styles.foot}>
          <Pages
            size="small"
            current={page + 1}
            pageSize={SIZE}
            total={data.totalElements}
            showSizeChanger={false}
            showTotal={(count) => t('list.sheetRows', { count })}
            onChange={(next) => setPage(next - 1)}
          />
        </div>
      )}
    </Modal>
  )
}
