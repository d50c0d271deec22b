import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Radio, Segmented, Skeleton } from 'antd'
import { useId, useState } from 'react'
import { Choice } from '@/components/choice'
import { useLocale } from '@/i18n/locale'
import { useIsPhone } from '@/lib/use-media'
import type { ActionContext } from '@/sdk/action'
import { useErrorText } from '@/sdk/error-text'
import styles from '@/sdk/exports/export.module.css'
import { useExportText } from '@/sdk/exports/texts'
import { useTeller } from '@/sdk/exports/use-teller'
import { watch } from '@/sdk/exports/watch'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import { type ExportColumn, type ExportField, fieldsQuery, historyQuery, startExport } from './api'
import { type Chosen, chosenOf, columnsOf, countOf, firstSource, type Source } from './choice'
import { ChosenList } from './chosen-list'
import { FieldPicker } from './field-picker'

const WIDTH = 866
/** More ticked records than a call can name. */
const MOST = 5000

interface Props {
  context: ActionContext<ListController>
  onClose: () => void
  onStarted: () => void
  onRecords: () => void
}

/** What a file holds: which fields in which order, which records, and its format. */
export function ChoiceDialog(props: Props) {
  const { schemaCode, queryCode } = props.context
  const fields = useQuery(fieldsQuery(schemaCode, queryCode ?? ''))
  const history = useQuery(historyQuery(schemaCode, queryCode ?? ''))
  const errorText = useErrorText()
  const t = useExportText()
  const common = useText()
  const lost = fields.error
  // Without the last choice the list's is a good one.
  if (!lost && fields.data && !history.isPending) {
    return <Form {...props} fields={fields.data} last={history.data?.columns ?? null} lastID={history.data?.id ?? ''} />
  }
  return (
    <Sheet
      title={t('title')}
      width={WIDTH}
      onClose={props.onClose}
      footer={<Button onClick={props.onClose}>{common('common.cancel')}</Button>}
    >
      {lost ? <p role="alert">{errorText(lost)}</p> : <Skeleton active title={false} paragraph={{ rows: 10 }} />}
    </Sheet>
  )
}

interface FormProps extends Props {
  fields: ExportField[]
  last: ExportColumn[] | null
  lastID: string
}

function Form({ context, fields, last, lastID, onClose, onStarted, onRecords }: FormProps) {
  const t = useExportText()
  const common = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const teller = useTeller()
  const phone = useIsPhone()
  const id = useId()
  const { list, ids } = context
  const [source, setSource] = useState<Source>(firstSource(last))
  const [chosen, setChosen] = useState<Chosen[]>(() => chosenOf(fields, source, last))
  const [all, setAll] = useState(context.all || ids.length === 0 || ids.length > MOST)
  const [fileType, setFileType] = useState<'xlsx' | 'csv'>('xlsx')
  const [withId, setWithId] = useState(false)
  const [side, setSide] = useState<'fields' | 'chosen'>('fields')
  const starting = useMutation({
    mutationFn: () => {
      const { filters, keyword, orderByFields, orderType } = list?.request ?? {}
      return startExport({
        schemaCode: context.schemaCode,
        queryCode: context.queryCode ?? '',
        ...(all
          ? { allObjectId: true, filters: filters ?? [], ...(keyword ? { keyword } : {}) }
          : { allObjectId: false, objectIds: ids }),
        ...(orderByFields && orderType ? { orderByFields, orderType } : {}),
        columns: columnsOf(fields, chosen),
        languageType: locale,
        fileType,
        ...(fileType === 'csv' && withId ? { withId } : {}),
        options: { isUpdateExportFields: true, userCommonQueryId: lastID, showParticipant: false },
      })
    },
    onSuccess: (started) => {
      watch(started, teller)
      onStarted()
    },
  })
  const count = countOf(chosen)
  const found = list?.nested ? null : (list?.total ?? null)
  const sources = [
    { value: 0 as Source, label: t('sources.all') },
    { value: 1 as Source, label: t('sources.list') },
    ...(last ? [{ value: 2 as Source, label: t('sources.last') }] : []),
  ]
  const from = (
    <div className={styles.source}>
      <label htmlFor={`${id}-source`}>{t('source')}</label>
      <Choice
        id={`${id}-source`}
        value={source}
        options={sources}
        onChange={(next: Source) => {
          setSource(next)
          setChosen(chosenOf(fields, next, last))
        }}
      />
    </div>
  )
  const picker = <FieldPicker fields={fields} chosen={chosen} onChange={setChosen} head={from} />
  const order = <ChosenList fields={fields} chosen={chosen} onChange={setChosen} />
  return (
    <Sheet
      title={t('title')}
      width={WIDTH}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button type="link" className={styles.toRecords ?? ''} onClick={onRecords}>
            {t('records')}
          </Button>
          <Button onClick={onClose}>{common('common.cancel')}</Button>
          <Button type="primary" disabled={count === 0} loading={starting.isPending} onClick={() => starting.mutate()}>
            {t('start')}
          </Button>
        </div>
      }
    >
      <div className={styles.form}>
        {phone && (
          <Segmented
            block
            value={side}
            onChange={setSide}
            options={[
              { value: 'fields', label: t('fields') },
              { value: 'chosen', label: t('chosenCount', { count }) },
            ]}
          />
        )}
        <div className={styles.sides}>
          {(!phone || side === 'fields') && picker}
          {(!phone || side === 'chosen') && order}
        </div>
        <div className={styles.choices}>
          <div role="radiogroup" aria-labelledby={`${id}-rows`} className={styles.choice}>
            <span id={`${id}-rows`}>{t('rows')}</span>
            <Radio.Group
              value={all}
              onChange={(event) => setAll(event.target.value as boolean)}
              options={[
                {
                  value: false,
                  label: t('rowsTicked', { count: ids.length }),
                  disabled: ids.length === 0 || ids.length > MOST,
                },
                { value: true, label: found === null ? t('rowsAllFound') : t('rowsAll', { count: found }) },
              ]}
            />
          </div>
          <div role="radiogroup" aria-labelledby={`${id}-file`} className={styles.choice}>
            <span id={`${id}-file`}>{t('file')}</span>
            <Radio.Group
              value={fileType}
              onChange={(event) => setFileType(event.target.value as 'xlsx' | 'csv')}
              options={[
                { value: 'xlsx', label: t('xlsx') },
                { value: 'csv', label: t('csv') },
              ]}
            />
            {fileType === 'csv' && (
              <Checkbox checked={withId} onChange={(event) => setWithId(event.target.checked)}>
                {t('withId')}
              </Checkbox>
            )}
          </div>
        </div>
        {(starting.error || count === 0) && (
          <p role="alert" className={styles.error}>
            {starting.error ? errorText(starting.error) : t('noneChosen')}
          </p>
        )}
      </div>
    </Sheet>
  )
}
