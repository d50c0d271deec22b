import {
  type FieldPlan,
  localName,
  type Option,
  OptionDot,
  OptionTag,
  OverflowRow,
  optionDot,
  optionTag,
  overflowRow,
  shortList,
  type TextContext,
  useText,
  useTextContext,
  WrappedRow,
} from '@sluice/sdk'
import { lazy } from 'react'

const find = (field: FieldPlan, code: string): Option | undefined =>
  field.options?.find((option) => option.code === code)

export function optionLabel(field: FieldPlan, code: string, { locale }: TextContext): string {
  const option = find(field, code)
  return option ? localName(option, locale) : code
}

export function OptionCell({ value, field }: { value: string; field: FieldPlan }) {
  const context = useTextContext()
  return <OptionDot label={optionLabel(field, value, context)} color={find(field, value)?.color ?? null} />
}

export const paintOption = (value: string, field: FieldPlan, context: TextContext) =>
  optionDot(optionLabel(field, value, context), find(field, value)?.color)

const INLINE = 2

const setLabel = (value: string[], field: FieldPlan, context: TextContext) =>
  shortList(value.map((code) => optionLabel(field, code, context)))

export const paintOptions = (value: string[], field: FieldPlan, context: TextContext) =>
  overflowRow(
    value.slice(0, INLINE).map((code) => optionTag(optionLabel(field, code, context), find(field, code)?.color)),
    value.length,
    setLabel(value, field, context),
  )

const optionItems = (value: string[], field: FieldPlan, context: TextContext) =>
  value.map((code) => ({
    key: code,
    node: <OptionTag label={optionLabel(field, code, context)} color={find(field, code)?.color ?? null} />,
  }))

export function OptionsCell({ value, field, onMore }: { value: string[]; field: FieldPlan; onMore?: () => void }) {
  const context = useTextContext()
  const t = useText()
  return (
    <OverflowRow
      items={optionItems(value.slice(0, OverflowRow.limit + 1), field, context)}
      count={value.length}
      inline={INLINE}
      label={setLabel(value, field, context)}
      more={t('common.viewMore')}
      onMore={onMore}
    />
  )
}

/** All of them, for the reader of a record. */
export const OptionsRead = ({ value, field }: { value: string[]; field: FieldPlan }) => (
  <WrappedRow items={optionItems(value, field, useTextContext())} />
)

export const optionsText = (value: string[], field: FieldPlan, context: TextContext) =>
  value.map((code) => optionLabel(field, code, context)).join(context.locale === 'zh' ? '、' : ', ')

/** The code of an option that is named by its code or, as in addresses that people write, by its label in any language. */
export function optionCode(field: FieldPlan, word: string): string {
  if (find(field, word)) return word
  const named = field.options?.filter(
    (option) => option.name === word || Object.values(option.name_i18n ?? {}).includes(word),
  )
  return named?.length === 1 ? (named[0]?.code ?? word) : word
}

/** An option as it is read back: by its label, or by its code where two are called alike. */
export const optionCopy = (value: string, field: FieldPlan, context: TextContext) => {
  const label = optionLabel(field, value, context)
  return optionCode(field, label) === value ? label : value
}

export function optionsCopy(value: string[], field: FieldPlan, context: TextContext): string {
  const labels = value.map((code) => optionCopy(code, field, context))
  if (labels.some((label) => /[;；\n]/.test(label))) return value.join(';')
  return labels.join(labels.some((label) => /[、，,|]/.test(label)) ? ';' : context.locale === 'zh' ? '、' : ', ')
}

export const optionFilterText = (value: { value: string }, field: FieldPlan, context: TextContext) =>
  optionsText(
    value.value.split(';').map((word) => optionCode(field, word)),
    field,
    context,
  )

/** For a field with one option. */
export const OptionFilter = lazy(() => import('./option-filter').then((m) => ({ default: m.OptionFilter })))

/** For a field with several options. */
export const OptionsFilter = lazy(() => import('./option-filter').then((m) => ({ default: m.OptionsFilter })))
