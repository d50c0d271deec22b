import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { Suspense, useId, useState } from 'react'
import { ApiError, post } from '@/api/client'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { noun } from '@/lib/noun'
import { formWidget } from '@/registry/properties'
import type { ActionDialogProps } from '@/sdk/action'
import { useErrorText } from '@/sdk/error-text'
import { isEmptyValue, isUnread } from '@/sdk/property'
import { asksOf } from '@/sdk/resolve'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { type BatchField, checkQuery, fieldsQuery } from '../bulk/api'
import styles from '../bulk/bulk.module.css'
import { useBulkChange } from '../bulk/bulk-change'
import type { ListController } from '../use-list-controller'
import { BatchLog } from './batch-log'
import { batchValue } from './batch-value'

const WITH_LOG = 810
const WITHOUT_LOG = 480

const isBlank = (value: unknown) => isEmptyValue(value) || (typeof value === 'string' && value.trim() === '')

/** The first field's reason, where the server gives one, says more than "one field is wrong". */
function useReason() {
  const errorText = useErrorText()
  return (error: unknown) => {
    const data = error instanceof ApiError ? (error.data as { errors?: { errmsg: string }[] } | null) : null
    return data?.errors?.[0]?.errmsg || errorText(error)
  }
}

/** Picks a field and its new value for the ticked records, or for all that match; the log is one click away. */
export function BatchDialog({ context, onClose }: ActionDialogProps<ListController>) {
  const t = useText()
  const locale = useLocale()
  const reason = useReason()
  const errorText = useErrorText()
  const id = useId()
  const { config, onFinish, selection, count } = useBulkChange(context)
  const fields = useQuery(fieldsQuery(config.schemaCode, config.queryCode))
  const counts = useQuery(checkQuery(selection, 'batch_update'))
  const targets = counts.data?.total ?? count
  const lost = fields.error ?? counts.error
  const [field, setField] = useState<BatchField | null>(null)
  const [value, setValue] = useState<unknown>(null)
  const [tried, setTried] = useState(false)
  const [log, setLog] = useState(false)
  const saving = useMutation({
    mutationFn: () =>
      post('/api/runtime/batch/update', {
        ...selection,
        propertyCode: field?.propertyCode ?? '',
        modifiedValue: batchValue(value),
      }),
    onSuccess: (outcome) => onFinish(outcome, t('bulk.updated', { count: outcome.successCount })),
  })
  if (log) {
    return (
      <Sheet
        title={
          <>
            <Button type="text" aria-label={t('bulk.back')} icon={<Icon name="left" />} onClick={() => setLog(false)} />{' '}
            {t('bulk.log')}
          </>
        }
        width={WITH_LOG}
        onClose={onClose}
        footer={null}
      >
        <BatchLog config={config} onFinish={onFinish} />
      </Sheet>
    )
  }
  const nameOf = (one: BatchField) =>
    one.sheetCode
      ? t('bulk.sheetField', {
          sheet: localName({ name: one.sheetName ?? '', name_i18n: one.sheetName_i18n }, locale),
          field: localName(one, locale),
        })
      : localName(one, locale)
  const Widget = field && formWidget(field.propertyType)
  const blank = tried && isBlank(value)
  const asks = field && isUnread(value) ? asksOf(field) : undefined
  const save = () => {
    setTried(true)
    if (field && !isBlank(value) && !isUnread(value)) saving.mutate()
  }
  return (
    <Sheet
      title={t('bulk.batchUpdate')}
      width={WITHOUT_LOG}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button type="text" icon={<Icon name="history" />} onClick={() => setLog(true)}>
            {t('bulk.log')}
          </Button>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" disabled={!field || lost !== null} loading={saving.isPending} onClick={save}>
            {t('bulk.update')}
          </Button>
        </div>
      }
    >
      <div className={styles.fields}>
        {lost ? (
          <p role="alert" className={styles.error}>
            {errorText(lost)}
          </p>
        ) : (
          <p className={styles.note}>
            {t('bulk.target', {
              count: targets,
              name: noun(config, targets, locale),
            })}{' '}
            {counts.data && counts.data.refused > 0 && t('bulk.refusedCount', { count: counts.data.refused })}{' '}
            {counts.data && counts.data.workflow > 0 && t('bulk.workflowDropped', { count: counts.data.workflow })}
          </p>
        )}
        <div className={styles.field}>
          <label htmlFor={`${id}-field`}>{t('bulk.field')}</label>
          <Choice
            id={`${id}-field`}
            autoFocus
            loading={fields.isPending}
            placeholder={t('list.choose')}
            notFoundContent={fields.data?.length ? t('bulk.noSuchField') : t('bulk.noFields')}
            value={field?.propertyCode ?? null}
            options={fields.data?.map((one) => ({ value: one.propertyCode, label: nameOf(one) }))}
            onChange={(code) => {
              const next = fields.data?.find((one) => one.propertyCode === code) ?? null
              setField(next)
              setValue(next?.initial ?? null)
              setTried(false)
              saving.reset()
            }}
          />
        </div>
        {field && Widget && (
          <div className={styles.field}>
            <label htmlFor={`${id}-value`}>{t('bulk.value')}</label>
            <Suspense fallback={<Skeleton.Input active block />}>
              <Widget
                key={field.propertyCode}
                id={`${id}-value`}
                field={field}
                schemaCode={config.schemaCode}
                value={value}
                onChange={setValue}
                values={() => ({})}
                invalid={blank || isUnread(value) || saving.isError}
                describedBy={`${id}-note`}
              />
            </Suspense>
            <p id={`${id}-note`} className={styles.error} role="alert">
              {asks ? t(`date.enter.${asks}`) : blank ? t('bulk.emptyValue') : saving.error ? reason(saving.error) : ''}
            </p>
          </div>
        )}
      </div>
    </Sheet>
  )
}
