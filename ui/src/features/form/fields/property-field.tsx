import type { FieldProps } from '@rjsf/utils'
import { memo, Suspense, useCallback, useContext } from 'react'
import { Placeholder } from '@/components/placeholder'
import { propertyUI } from '@/registry/properties'
import { choicesDependOn } from '@/sdk/form-place'
import { useWidget } from '@/sdk/resolve'
import { TypingContext } from '@/sdk/typing'
import { useFormContext } from '../context'
import { useValue } from '../rules/value-store'
import { useFieldFault } from '../submit/field-faults'
import { LaterControl } from './later-control'
import { ReadValue } from './read-value'
import { useTurn } from './render-queue'

/**
 * rjsf's field of every property: it looks the widget up by the type's number and hands it wire values. The value comes from
 * the form's store and not through rjsf, which is told of all values when it has to validate them.
 */
export const PropertyField = memo(
  EditField,
  (a, b) =>
    a.name === b.name &&
    a.rawErrors?.[0] === b.rawErrors?.[0] &&
    a.disabled === b.disabled &&
    a.uiSchema === b.uiSchema,
)

const NONE: string[] = []

function EditField({ name, fieldPathId, rawErrors, uiSchema }: FieldProps) {
  const { field: fieldOf, store, change, fill, schemaCode, firstCode } = useFormContext()
  const field = fieldOf(name)
  const value = useValue(store, name, field ? choicesDependOn(field) : NONE) ?? null
  const id = fieldPathId.$id
  const turn = useTurn(name, name === firstCode || field?.readOnly === true)
  const fault = useFieldFault(name)
  const Widget = useWidget(field?.propertyType ?? -1)
  const put = useCallback((next: unknown) => change(name, next), [change, name])
  const form = useContext(TypingContext)
  const note = useCallback<typeof form>((box, read) => form(box, read, name), [form, name])
  if (!field) return <Placeholder name={name} />
  if (field.readOnly) return <ReadValue field={field} value={value} />
  if (!Widget) return <Placeholder name={`propertyType ${field.propertyType}`} />
  if (!turn.drawn)
    return (
      <LaterControl
        id={id}
        field={field}
        value={value}
        nested={propertyUI(field.propertyType).nested === true}
        describedBy={`${id}-note`}
        stand={turn.stand}
        onMeant={turn.now}
      />
    )
  const extra = uiSchema?.['ui:placeholder']
  return (
    <Suspense fallback={<div style={{ height: 32 }} />}>
      <TypingContext value={note}>
        <Widget
          id={id}
          field={field}
          schemaCode={schemaCode}
          value={value}
          onChange={put}
          values={store.all}
          fill={fill}
          invalid={(rawErrors?.length ?? 0) > 0 || fault !== null}
          describedBy={`${id}-note`}
          {...(typeof extra === 'string' ? { placeholder: extra } : {})}
          autoFocus={name === firstCode}
        />
      </TypingContext>
    </Suspense>
  )
}
