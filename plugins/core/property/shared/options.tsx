import {
  type FieldPlan,
  type FilterProps,
  localName,
  type Option,
  OptionDot,
  OptionTag,
  OverflowRow,
  shortList,
  type TextContext,
  useLocale,
  useText,
  useTextContext,
  WrappedRow,
} from '@sluice/sdk'
import { Select } from 'antd'

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
      inline={2}
      label={shortList(value.map((code) => optionLabel(field, code, context)))}
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

/** Several may be ticked when the condition asks for one of a set. */
export function OptionFilter({ id, field, value, onChange }: FilterProps) {
  const t = useText()
  const locale = useLocale()
  const codes = value?.value.split(';') ?? []
  return (
    <Select
      id={id}
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      style={{ width: '100%' }}
      placeholder={t('list.choose')}
      notFoundContent={t('list.nothingToChoose')}
      showSearch={{ optionFilterProp: 'label' }}
      value={codes}
      onChange={(next: string[]) =>
        onChange(
          next.length
            ? {
                value: next.join(';'),
                ...(field.queryFilterType === 'Equal' && next.length > 1 ? { operator: 'In' } : {}),
              }
            : null,
        )
      }
      options={(field.options ?? []).map((option) => ({ value: option.code, label: localName(option, locale) }))}
    />
  )
}

export const optionFilterText = (value: { value: string }, field: FieldPlan, context: TextContext) =>
  optionsText(value.value.split(';'), field, context)
