import Form from '@rjsf/core/lib/components/Form.js'
import type { ErrorSchema, RJSFSchema, UiSchema } from '@rjsf/utils'
import { type RefObject, useMemo, useState } from 'react'
import type { FormField, FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { RowErrorsContext } from '@/sdk/errors'
import { type FormPlace, FormPlaceContext } from '@/sdk/form-place'
import { useText } from '@/sdk/use-text'
import { FormContextValue } from './context'
import { PropertyField } from './property-field'
import { LabelledField, type LayoutContext, LayoutTemplate } from './templates'
import type { RecordController } from './use-record'
import { type Describe, makeValidator } from './validator'
import type { Values } from './values'

const fields = { property: PropertyField }
const templates = { ObjectFieldTemplate: LayoutTemplate, FieldTemplate: LabelledField }
/** rjsf must not invent values: what is missing is empty. */
const noDefaults = { arrayMinItems: { populate: 'never' as const }, emptyObjectFields: 'skipDefaults' as const }

function useDescribe(all: Map<string, FormField>): Describe {
  const t = useText()
  const locale = useLocale()
  return useMemo(
    () =>
      ({ code, keyword, limit }) => {
        const field = all.get(code)
        const name = field ? localName(field, locale) : code
        switch (keyword) {
          case 'required':
            return t('form.required', { name })
          case 'maxLength':
            return t('form.tooLong', { count: Number(limit) })
          case 'minimum':
          case 'maximum':
            return t('form.range')
          case 'maxItems':
            return t('form.tooMany')
          case 'pattern':
            return t('form.pattern')
        }
        return t('form.invalid')
      },
    [all, t, locale],
  )
}

/** The schema without what rules hide, with what they require now. */
function useLiveSchema(load: FormLoad, record: RecordController): RJSFSchema {
  const required = [...record.rules.required]
    .filter((code) => !record.rules.hidden.has(code))
    .sort()
    .join(';')
  return useMemo(() => {
    const schema = load.form.schema as RJSFSchema
    const writable = new Set(load.form.fields.filter((field) => !field.readOnly).map((field) => field.propertyCode))
    return { ...schema, required: required === '' ? [] : required.split(';').filter((code) => writable.has(code)) }
  }, [load, required])
}

/** What a choice may fill in: fields of the form that people may write. Empty values are missing ones. */
function fillable(more: Values, fields: Map<string, FormField>): Values {
  const out: Values = {}
  for (const [code, value] of Object.entries(more)) {
    const field = fields.get(code)
    if (field && !field.readOnly) out[code] = value ?? undefined
  }
  return out
}

interface RecordFormProps {
  load: FormLoad
  record: RecordController
  form: RefObject<Form | null>
  layout: LayoutContext
  onSubmit: () => void
  onFaults: (codes: string[]) => void
}

/** The form of a record in edit mode: rjsf over the flat schema, widgets by property type, layout by the definition. */
export function RecordForm({ load, record, form, layout, onSubmit, onFaults }: RecordFormProps) {
  const [attempted, setAttempted] = useState(false)
  const byCode = useMemo(() => new Map(load.form.fields.map((field) => [field.propertyCode, field])), [load])
  const locale = useLocale()
  const describe = useDescribe(byCode)
  const validator = useMemo(() => makeValidator(describe), [describe])
  const schema = useLiveSchema(load, record)
  const uiSchema = useMemo(() => {
    const given = load.form.uiSchema as Record<string, object>
    const out: UiSchema = { 'ui:submitButtonOptions': { norender: true } }
    for (const code of byCode.keys()) {
      const field = byCode.get(code)
      const placeholder =
        field?.placeholder && localName({ name: field.placeholder, name_i18n: field.placeholder_i18n ?? null }, locale)
      out[code] = { ...given[code], ...(placeholder ? { 'ui:placeholder': placeholder } : {}), 'ui:field': 'property' }
    }
    return out
  }, [load, byCode, locale])
  const open = load.form.fields.filter((field) => !field.readOnly && !record.rules.hidden.has(field.propertyCode))
  const firstCode = (open.find((field) => uiSchema[field.propertyCode]?.['ui:autofocus']) ?? open[0])?.propertyCode
  const context = useMemo(
    () => ({
      schemaCode: load.form.schemaCode,
      field: (code: string) => byCode.get(code),
      visible: (code: string) => !record.rules.hidden.has(code),
      required: (code: string) => record.rules.required.has(code),
      values: () => record.latest.current,
      fill: (more: Values) => record.change({ ...record.latest.current, ...fillable(more, byCode) }),
      firstCode,
    }),
    [load, byCode, record, firstCode],
  )
  const place = useMemo<FormPlace>(
    () => ({ sheetCode: load.form.sheetCode, ...(load.id === null ? {} : { objectId: load.id }) }),
    [load],
  )
  return (
    <FormContextValue value={context}>
      <FormPlaceContext value={place}>
        <RowErrorsContext value={record.rowErrors}>
          <Form
            ref={form}
            schema={schema}
            uiSchema={uiSchema}
            formData={record.values}
            formContext={layout}
            validator={validator}
            fields={fields}
            templates={templates}
            extraErrors={record.extraErrors as ErrorSchema}
            experimental_defaultFormStateBehavior={noDefaults}
            onChange={({ formData }) => record.change((formData ?? {}) as Values)}
            onSubmit={onSubmit}
            onError={(errors) => {
              setAttempted(true)
              onFaults(errors.map((error) => (error.property ?? '').replace(/^\./, '').split('.')[0] ?? ''))
            }}
            {...(attempted ? { liveValidate: 'onChange' as const } : {})}
            showErrorList={false}
            noHtml5Validate
            extraErrorsBlockSubmit={false}
          />
        </RowErrorsContext>
      </FormPlaceContext>
    </FormContextValue>
  )
}
