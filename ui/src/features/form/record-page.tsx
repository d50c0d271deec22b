import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { ApiError, get } from '@/api/client'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { useErrorText } from '@/sdk/feedback'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from './record-page.module.css'

export interface RecordPageProps {
  schemaCode: string
  sheetCode: string | null
  queryCode: string | null
  /** null: a new record. */
  objectId: string | null
  inDrawer: boolean
  onClose: () => void
  /** The record was saved or deleted: lists behind it are stale. */
  onChanged: () => void
}

/** A record, as its form shows it. */
export function RecordPage({ schemaCode, sheetCode, objectId }: RecordPageProps) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const errorText = useErrorText()
  const query = { schemaCode, ...(sheetCode ? { sheetCode } : {}), ...(objectId ? { objectId } : {}) }
  const { data, error, refetch } = useQuery({
    queryKey: ['form', schemaCode, sheetCode, objectId],
    queryFn: ({ signal }) => get('/api/runtime/form/load', query, { signal }),
  })
  if (error) {
    const note =
      error instanceof ApiError && error.requestId ? t('common.requestId', { id: error.requestId }) : undefined
    return (
      <Notice
        role="alert"
        icon="alert"
        title={errorText(error)}
        note={note}
        actions={<Button onClick={() => refetch()}>{t('common.retry')}</Button>}
      />
    )
  }
  if (!data) return <Skeleton active style={{ padding: 24 }} paragraph={{ rows: 8 }} />
  return (
    <article className={styles.page}>
      <h1 className={styles.title}>
        {data.name || localName({ name: data.form.modelName, name_i18n: data.form.modelName_i18n }, locale)}
      </h1>
      <dl className={styles.fields}>
        {data.form.fields.map((field) => {
          const property = propertyUI(field.propertyType)
          const value = data.data[field.propertyCode]
          return (
            <div key={field.propertyCode} className={property.wide ? styles.wide : undefined}>
              <dt>{localName(field, locale)}</dt>
              <dd>
                {!isEmptyValue(value) &&
                  (property.ReadValue ? (
                    <property.ReadValue value={value} field={field} />
                  ) : (
                    property.text(value, field, context)
                  ))}
              </dd>
            </div>
          )
        })}
      </dl>
    </article>
  )
}
