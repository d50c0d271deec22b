import Form from '@rjsf/core/lib/components/Form.js'
import type { ErrorSchema, RJSFSchema, UiSchema } from '@rjsf/utils'
import { Skeleton } from 'antd'
import {
  type FormEvent,
  type RefObject,
  startTransition,
  useContext,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { FormField, FormLoad, LayoutItem } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { loadWidgets, widgetsLoaded } from '@/registry/properties'
import { FormIdContext } from '@/sdk/create-record'
import { CellCheckContext, RefusalsContext, RowErrorsContext } from '@/sdk/errors'
import { useDebounced } from '@/sdk/field-options'
import { type FormPlace, FormPlaceContext } from '@/sdk/form-place'
import { RowDefaultsContext } from '@/sdk/row-defaults'
import { useTextContext } from '@/sdk/system'
import { TypingContext, useTypedBoxes } from '@/sdk/typing'
import { useText } from '@/sdk/use-text'
import { FormContextValue, LiveRulesContext, RenderQueueContext } from '../context'
import { PropertyField } from '../fields/property-field'
import { useRenderQueue } from '../fields/render-queue'
import { LabelledField, type LayoutContext, LayoutTemplate } from '../fields/templates'
import { type Describe, type FaultyCell, makeValidator } from '../fields/validator'
import { useNarrowed } from '../rules/use-narrowed'
import type { Values } from '../rules/values'
import { useFieldCheck } from '../submit/field-check'
import { makeFieldFaults } from '../submit/field-faults'
import type { ShownIssue } from '../submit/form-faults'
import { useCellCheck } from '../submit/use-cell-check'
import type { RecordController } from './use-record'

const fields = { property: PropertyField }
const templates = { ObjectFieldTemplate: LayoutTemplate, FieldTemplate: LabelledField }
const nothing: Values = {}
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
          case 'maxItems':
            return t('form.tooMany', { count: Number(limit) })
          case 'minItems':
            return t('form.tooFew', { count: Number(limit) })
        }
        return t('form.type')
      },
    [all, t, locale],
  )
}

/** The schema without what rules hide, with what they require now. */
function useLiveSchema(load: FormLoad, { hidden, required }: RecordController['rules']): RJSFSchema {
  return useMemo(() => {
    const schema = load.form.schema as RJSFSchema
    const writable = load.form.fields.filter((field) => !field.readOnly).map((field) => field.propertyCode)
    return { ...schema, required: writable.filter((code) => required.has(code) && !hidden.has(code)) }
  }, [load, hidden, required])
}

/** Which groups are shown now, as a word that changes with them: the layout is drawn again then. */
function shownGroups({ layout, shown }: LayoutContext): string {
  const words = (items: LayoutItem[]): string =>
    items.map((item) => (item.displayRule ? Number(shown(item)) : '') + words(item.items ?? [])).join('')
  return words(layout)
}

/** What rjsf is told of: it would walk through all rows of a sub-table, which draws and checks them itself. */
const withoutRows = (schema: RJSFSchema): RJSFSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([code, one]) => {
      if (typeof one !== 'object' || !('items' in one)) return [code, one]
      const { items: _, minItems: __, maxItems: ___, ...rest } = one
      return [code, rest]
    }),
  ),
})

/** What a choice may fill in: fields of the form that people may write. Empty values are missing ones. */
function fillable(more: Values, fields: Map<string, FormField>): Values {
  const out: Values = {}
  for (const [code, value] of Object.entries(more)) {
    const field = fields.get(code)
    if (field && !field.readOnly) out[code] = value ?? undefined
  }
  return out
}

const shownIssues = (
  errors: { property?: string; message?: string; params?: { cells?: FaultyCell[] } }[],
): ShownIssue[] =>
  errors.map(({ property = '', message = '', params }) => ({
    code: property.replace(/^\./, '').split('.')[0] ?? '',
    message,
    ...(params?.cells ? { cells: params.cells } : {}),
  }))

interface RecordFormProps {
  load: FormLoad
  record: RecordController
  form: RefObject<Submit | null>
  layout: LayoutContext
  onSubmit: () => void
  /** Saving was refused: the form goes to the first of these fields. */
  onFaults: (codes: string[]) => void
  /** What the form's own check finds now, once it has refused a save. */
  onFound: (found: ShownIssue[]) => void
  /** Something is being typed that the values do not say yet. */
  onTyping?: (typing: boolean) => void
}

/** How the page asks for the form to be checked and sent. */
export interface Submit {
  /** Without the check what is in boxes is read and sent as it is: the server looks at what it is for. */
  submit: (unchecked?: boolean) => void
}

/** After a save was refused, faults follow what is typed when it pauses. */
const PAUSE = 200

/**
 * The form of a record in edit mode: rjsf over the flat schema, widgets by property type, layout by the definition. Values
 * live in the record's store: rjsf draws once and is told of them when they have to be validated.
 */
export function RecordForm(props: RecordFormProps) {
  const { fields } = props.load.form
  const types = useMemo(
    () => fields.flatMap((field) => [field, ...(field.children ?? [])]).map((field) => field.propertyType),
    [fields],
  )
  const [ready, setReady] = useState(() => widgetsLoaded(types))
  useEffect(() => {
    if (!ready) void loadWidgets(types).then(() => setReady(true))
  }, [ready, types])
  // Hundreds of fields that each wait for their control would be drawn twice.
  return ready ? <ReadyForm {...props} /> : <Skeleton active title={false} paragraph={{ rows: 10 }} />
}

function ReadyForm({ load, record, form, layout, onSubmit, onFaults, onFound, onTyping }: RecordFormProps) {
  const { store, rules, latest, change } = record
  const inner = useRef<Form>(null)
  const [attempts, setAttempts] = useState(0)
  const [checked, setChecked] = useState<Values>(record.values)
  const byCode = useMemo(() => new Map(load.form.fields.map((field) => [field.propertyCode, field])), [load])
  const locale = useLocale()
  const texts = useTextContext()
  const describe = useDescribe(byCode)
  const schema = useLiveSchema(load, rules)
  const drawn = useMemo(() => withoutRows(schema), [schema])
  const valueCheck = useFieldCheck(load.form.fields, describe, store, load.id === null ? nothing : record.base)
  const cells = useCellCheck(load.form.fields, valueCheck, store, attempts)
  const judge = useMemo(() => {
    const schemas = (load.form.schema as { properties?: Record<string, object> }).properties ?? {}
    return (code: string, value: unknown) => {
      const field = byCode.get(code)
      return field && !field.children ? valueCheck(field, schemas[code], value) : null
    }
  }, [load, byCode, valueCheck])
  const judged = useRef<ShownIssue[]>([])
  const validator = useMemo(() => {
    const own = (data: Values) =>
      Object.entries(data).flatMap(([code, value]) => {
        const fault = rules.hidden.has(code) ? null : judge(code, value)
        return fault ? [{ code, message: fault.message }] : []
      })
    const made = makeValidator(describe, schema, own, cells.faults)
    const validateFormData: typeof made.validateFormData = (...of) => {
      const result = made.validateFormData(...of)
      judged.current = shownIssues(result.errors)
      return result
    }
    return { ...made, validateFormData }
  }, [describe, schema, judge, rules.hidden, cells.faults])
  const [left] = useState(() => new Set<string>())
  const faults = useMemo(() => makeFieldFaults((code) => judge(code, store.get(code)), left), [judge, store, left])
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
  const open = load.form.fields.filter((field) => !field.readOnly && !rules.hidden.has(field.propertyCode))
  const firstCode = (open.find((field) => uiSchema[field.propertyCode]?.['ui:autofocus']) ?? open[0])?.propertyCode
  const context = useMemo(
    () => ({
      schemaCode: load.form.schemaCode,
      field: (code: string) => byCode.get(code),
      store,
      change: (code: string, value: unknown) => change({ ...latest.current, [code]: value ?? undefined }),
      fill: (more: Values) => change({ ...latest.current, ...fillable(more, byCode) }),
      firstCode,
      texts,
      faults,
    }),
    [load, byCode, store, change, latest, firstCode, texts, faults],
  )
  const { hidden, required } = rules
  const groups = shownGroups(layout)
  const live = useMemo(() => ({ hidden, required, groups }), [hidden, required, groups])
  const place = useMemo<FormPlace>(
    () => ({ sheetCode: load.form.sheetCode, ...(load.id === null ? {} : { objectId: load.id }) }),
    [load],
  )
  const unmatched = useText()('form.unmatched')
  const now = useRef({ layout, onSubmit, onFaults, onFound, unmatched })
  now.current = { layout, onSubmit, onFaults, onFound, unmatched }
  const { layout: items, columns } = layout
  const formContext = useMemo<LayoutContext>(
    () => ({
      layout: items,
      columns,
      related: (item) => now.current.layout.related(item),
      shown: (item) => now.current.layout.shown(item),
    }),
    [items, columns],
  )
  const turns = useRenderQueue(items, columns)
  useNarrowed(load, record)
  const own = useRef(false)
  const { typing, note, readAll } = useTypedBoxes()
  useEffect(() => {
    onTyping?.(typing)
    return () => onTyping?.(false)
  }, [typing, onTyping])
  const send = () => {
    flushSync(() => setChecked(latest.current))
    own.current = true
    inner.current?.submit()
    own.current = false
  }
  /** Texts in boxes that chose nothing: the save stops, and says where. */
  const stop = (codes: string[]) => {
    const t = now.current.unmatched
    now.current.onFound([...judged.current, ...codes.map((code) => ({ code, message: t }))])
    now.current.onFaults(codes)
  }
  const submit = (unchecked = false) => {
    const go = unchecked ? () => now.current.onSubmit() : send
    // Saved by a key from within a box: what is in it counts.
    const read = flushSync(readAll)
    const then = (blocked: string[]) => (blocked.length === 0 ? go() : stop(blocked))
    if (read instanceof Promise) void read.then(then)
    else then(read)
  }
  useImperativeHandle(form, () => ({ submit }))
  /** A submission that the browser began (Enter in the only field) has to tell rjsf of the values first. */
  const intercept = (event: FormEvent) => {
    if (own.current) return
    event.preventDefault()
    event.stopPropagation()
    submit()
  }
  // What boxes refused is said until something else is typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it forgets when values change
  useEffect(() => {
    if (attempts === 0) now.current.onFound([])
  }, [record.changes])
  const typed = useDebounced(record.values, PAUSE)
  useEffect(() => {
    if (attempts > 0) startTransition(() => setChecked(typed))
  }, [typed, attempts])
  // rjsf has judged by now what it was told of.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it judges when one of these changes
  useEffect(() => {
    if (attempts > 0) now.current.onFound(judged.current)
  }, [checked, validator, attempts])
  const { extraErrors } = record
  const idPrefix = useContext(FormIdContext)
  // The one element with hundreds of fields below it: typing must not draw it again.
  const element = useMemo(
    () => (
      <Form
        ref={inner}
        idPrefix={idPrefix}
        schema={drawn}
        uiSchema={uiSchema}
        formData={checked}
        formContext={formContext}
        validator={validator}
        fields={fields}
        templates={templates}
        extraErrors={extraErrors as ErrorSchema}
        experimental_defaultFormStateBehavior={noDefaults}
        onSubmit={() => now.current.onSubmit()}
        onError={(errors) => {
          setAttempts((n) => n + 1)
          now.current.onFaults(shownIssues(errors).map(({ code }) => code))
        }}
        {...(attempts > 0 ? { liveValidate: 'onChange' as const } : {})}
        showErrorList={false}
        noHtml5Validate
        extraErrorsBlockSubmit={false}
      />
    ),
    [idPrefix, drawn, uiSchema, checked, formContext, validator, extraErrors, attempts],
  )
  return (
    <FormContextValue value={context}>
      <LiveRulesContext value={live}>
        <FormPlaceContext value={place}>
          <RowErrorsContext value={record.rowErrors}>
            <CellCheckContext value={cells.check}>
              <RefusalsContext value={attempts + record.refusals}>
                <RowDefaultsContext value={record.newRow}>
                  <TypingContext value={note}>
                    <div onSubmitCapture={intercept}>
                      {turns ? <RenderQueueContext value={turns}>{element}</RenderQueueContext> : element}
                    </div>
                  </TypingContext>
                </RowDefaultsContext>
              </RefusalsContext>
            </CellCheckContext>
          </RowErrorsContext>
        </FormPlaceContext>
      </LiveRulesContext>
    </FormContextValue>
  )
}
