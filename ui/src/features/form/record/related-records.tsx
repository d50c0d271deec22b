import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useState } from 'react'
import { get, post } from '@/api/client'
import type { LayoutItem } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { Pages } from '@/sdk/pages'
import { isEmptyValue } from '@/sdk/property'
import { useOpenRecord } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from '../form.module.css'

const size = 10
const mostColumns = 6

/** The records of a list whose relation points to this one. */
export function RelatedRecords({ item, objectId }: { item: LayoutItem; objectId: string }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const open = useOpenRecord()
  const [page, setPage] = useState(0)
  const { schemaCode = '', queryCode = '', propertyCode = '' } = item
  const config = useQuery({
    queryKey: ['list-config', schemaCode, queryCode],
    queryFn: ({ signal }) => get('/api/runtime/query/config', { schemaCode, queryCode }, { signal }),
  })
  const rows = useQuery({
    queryKey: ['list', schemaCode, queryCode, 'related', propertyCode, objectId, page],
    queryFn: ({ signal }) =>
      post(
        '/api/runtime/query/list',
        {
          schemaCode,
          queryCode,
          page,
          size,
          filters: [{ propertyCode, propertyValue: objectId, queryFilterType: 'Equal' }],
        },
        { signal },
      ),
  })
  const name = localName({ name: item.name ?? '', name_i18n: item.name_i18n ?? null }, locale)
  const columns = (config.data?.queryColumns ?? [])
    .filter((column) => column.visible && column.propertyCode !== propertyCode && !column.childColumns)
    .slice(0, mostColumns)
  return (
    <section aria-label={name}>
      <h2 className={styles.heading}>
        {name} {rows.data && <small className={styles.nothing}>{rows.data.totalElements}</small>}
      </h2>
      {(rows.isPending || config.isPending) && <Skeleton active paragraph={{ rows: 3 }} title={false} />}
      {rows.data && rows.data.totalElements === 0 && <span className={styles.nothing}>{t('form.noRelated')}</span>}
      {rows.data && rows.data.totalElements > 0 && (
        <div className={styles.related}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.propertyCode} data-align={propertyUI(column.propertyType).align}>
                    {localName(column, locale)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.data.content.map((row) => (
                <tr key={row.id}>
                  {columns.map((column, index) => {
                    const ui = propertyUI(column.propertyType)
                    const value = (row.data as Record<string, unknown>)[column.propertyCode]
                    const text = isEmptyValue(value) ? '' : ui.text(value, column, context)
                    return (
                      <td key={column.propertyCode} data-align={ui.align}>
                        {index === 0 ? (
                          <button
                            type="button"
                            className={styles.link}
                            onClick={() => open({ schemaCode, queryCode, id: row.id })}
                          >
                            {text || '—'}
                          </button>
                        ) : (
                          text
                        )}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(rows.data?.totalElements ?? 0) > size && (
        <Pages
          size="small"
          current={page + 1}
          pageSize={size}
          total={rows.data?.totalElements ?? 0}
          onChange={(next) => setPage(next - 1)}
          showSizeChanger={false}
          style={{ marginTop: 12 }}
        />
      )}
    </section>
  )
}
