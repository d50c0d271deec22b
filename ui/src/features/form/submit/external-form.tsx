import { Button } from 'antd'
import { useRef } from 'react'
import { ApiError, get, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { FormLoad } from '@/api/types'
import { loadWidgets } from '@/registry/properties'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import type { Save } from '../api'
import { ReadForm } from '../fields/read-form'
import { useLayout } from '../fields/use-layout'
import { RecordForm, type Submit } from '../record/record-form'
import { useRecord } from '../record/use-record'
import styles from './external-form.module.css'
import { useFocusFault } from './use-focus-fault'

/** Exchanges the text of a link for a cookie of two hours. */
export const openLink = (form: string, text: string) => post('/api/external/open', { form, text })

/** The form of the link that was opened. */
export async function externalForm(): Promise<FormLoad> {
  const load = await get('/api/external/form')
  await loadWidgets(load.form.fields.map((field) => field.propertyType))
  return load
}

/** What is sent of a record that is added by a link; its id is not answered. */
async function submit({ data }: Save, key: string) {
  await post('/api/external/submit', { data }, { headers: { 'Idempotency-Key': key } })
  return { id: '', version: 1 }
}

/** The record of a link for people who are nobody here, to read. */
export function ExternalRecord({ load }: { load: FormLoad }) {
  const record = useRecord(load, () => {}, submit)
  const layout = useLayout(load, record, undefined)
  return <ReadForm load={load} record={record} layout={layout} />
}

/** A form for people who are nobody here: its fields and one button. */
export function ExternalForm({ load, onDone }: { load: FormLoad; onDone: () => void }) {
  const t = useText()
  const errorText = useErrorText()
  const page = useRef<HTMLDivElement>(null)
  const form = useRef<Submit>(null)
  const record = useRecord(load, onDone, submit)
  const layout = useLayout(load, record, undefined)
  const focusFault = useFocusFault(page, record)
  const { error, isPending } = record.saving
  const said = error instanceof ApiError && error.code === ERROR.RecordInvalid ? null : error
  return (
    <div ref={page}>
      <RecordForm
        load={load}
        record={record}
        form={form}
        layout={layout}
        onSubmit={() => record.saving.mutate(undefined)}
        onFaults={focusFault}
        onFound={() => {}}
      />
      {said && (
        <p className={styles.error} role="alert">
          {errorText(said)}
        </p>
      )}
      <Button
        className={styles.submit ?? ''}
        type="primary"
        size="large"
        loading={isPending}
        onClick={() => form.current?.submit()}
      >
        {t('form.external.submit')}
      </Button>
    </div>
  )
}
