import type { FieldTemplateProps, ObjectFieldTemplateProps } from '@rjsf/utils'
import { type ReactNode, useMemo } from 'react'
import type { LayoutItem } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useFormContext, useLiveRules } from '../context'
import styles from '../form.module.css'
import { fieldHeight } from '../record/room'
import { useFieldFault } from '../submit/field-faults'
import { WhyButton } from '../why/why-button'
import { codesIn, FormLayout } from './layout'

/** Forms with more fields leave those far from sight to the browser to skip. */
const LARGE = 60

export interface LayoutContext {
  layout: LayoutItem[]
  columns: number
  related: (item: LayoutItem) => ReactNode
  /** Whether a group is shown for the values that the form has now. */
  shown: (item: LayoutItem) => boolean
}

/** The root object: rjsf's fields, placed where the form definition says. */
export function LayoutTemplate({ properties, registry, errorSchema }: ObjectFieldTemplateProps) {
  const { layout, columns, related, shown } = registry.formContext as LayoutContext
  const { hidden } = useLiveRules()
  const { field: planOf, store } = useFormContext()
  const large = useMemo(() => codesIn(layout).length > LARGE, [layout])
  const fields = new Map(properties.map((property) => [property.name, property.content]))
  const faulty = (code: string) =>
    ((errorSchema as Record<string, { __errors?: string[] }> | undefined)?.[code]?.__errors?.length ?? 0) > 0
  return (
    <FormLayout
      items={layout}
      columns={columns}
      field={(code) => (hidden.has(code) ? null : (fields.get(code) ?? null))}
      related={related}
      shown={shown}
      faulty={faulty}
      room={large ? (code) => fieldHeight(planOf(code), store.get(code)) : undefined}
    />
  )
}

/** What controls open outside of their field. */
const POPUPS = '.ant-select-dropdown, .ant-picker-dropdown, .ant-popover, .ant-modal-root'

interface NoteProps {
  id: string
  code: string
  said: string | undefined
  help: string | undefined
}

/** What is wrong with a field, else its help. */
function FieldNote({ id, code, said, help }: NoteProps) {
  const left = useFieldFault(code)
  const fault = said ?? left
  if (!fault && !help) return null
  return (
    <div
      id={`${id}-note`}
      className={styles.note}
      data-fault={fault ? true : undefined}
      role={fault ? 'alert' : undefined}
    >
      {fault ?? help}
    </div>
  )
}

/** A field with its label above and its fault, or its help, below. */
export function LabelledField({ id, children, rawErrors, schema, uiSchema, fieldPathId }: FieldTemplateProps) {
  const { field, faults } = useFormContext()
  const { required } = useLiveRules()
  const locale = useLocale()
  const code = fieldPathId.path.at(-1)
  if (fieldPathId.path.length === 0 || typeof code !== 'string') return children
  const plan = field(code)
  const unlabelled = uiSchema?.['ui:options']?.label === false
  const said = rawErrors?.[0]
  const help = plan?.help ? localName({ name: plan.help, name_i18n: plan.help_i18n ?? null }, locale) : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the control within was left
    <div
      className={styles.field}
      data-field={code}
      data-type={schema.type}
      onBlur={({ relatedTarget: to, currentTarget }) => {
        if (to instanceof Element && (currentTarget.contains(to) || to.closest(POPUPS))) return
        faults.leave(code)
      }}
    >
      <div className={styles.labels}>
        <label className={styles.label} htmlFor={id} data-unseen={unlabelled || undefined}>
          {plan ? localName(plan, locale) : code}
          {required.has(code) && !plan?.readOnly && (
            <span className={styles.mark} aria-hidden>
              *
            </span>
          )}
        </label>
        {plan?.computed && <WhyButton field={plan} />}
      </div>
      {children}
      <FieldNote id={id} code={code} said={said} help={help} />
    </div>
  )
}
