import type { FieldProps } from '@rjsf/utils'
import { memo, Suspense, useCallback, useRef } from 'react'
import { Placeholder } from '@/components/placeholder'
import { formWidget } from '@/registry/properties'
import { useFormContext } from './context'
import { ReadValue } from './read-value'

/** rjsf's field of every property: it looks the widget up by the type's number and hands it wire values. */
export const PropertyField = memo(
  EditField,
  (a, b) =>
    a.formData === b.formData &&
    a.rawErrors?.[0] === b.rawErrors?.[0] &&
    a.disabled === b.disabled &&
    a.uiSchema === b.uiSchema,
)

function EditField({ name, formData, onChange, onBlur, fieldPathId, rawErrors, uiSchema }: FieldProps) {
  const context = useFormContext()
  const field = context.field(name)
  const id = fieldPathId.$id
  const latest = useRef(onChange)
  latest.current = onChange
  const path = fieldPathId.path
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path of a flat schema never changes
  const change = useCallback((value: unknown) => latest.current(value ?? undefined, path), [])
  if (!field) return <Placeholder name={name} />
  if (field.readOnly) return <ReadValue field={field} value={formData ?? null} />
  const Widget = formWidget(field.propertyType)
  if (!Widget) return <Placeholder name={`propertyType ${field.propertyType}`} />
  const extra = uiSchema?.['ui:placeholder']
  return (
    <Suspense fallback={<div style={{ height: 32 }} />}>
      <Widget
        id={id}
        field={field}
        schemaCode={context.schemaCode}
        value={formData ?? null}
        onChange={change}
        onBlur={() => onBlur(id, formData)}
        values={context.values}
        fill={context.fill}
        invalid={(rawErrors?.length ?? 0) > 0}
        describedBy={`${id}-note`}
        {...(typeof extra === 'string' ? { placeholder: extra } : {})}
        autoFocus={name === context.firstCode}
      />
    </Suspense>
  )
}
