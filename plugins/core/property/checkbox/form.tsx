import { ChoiceSelect, type FormWidgetProps, localName, useLocale, useOptions } from '@sluice/sdk'
import { Checkbox } from 'antd'

/** Some of a few options, all in sight; in a sub-table cell a list. */
export function FormWidget(props: FormWidgetProps<string[]>) {
  const { field, schemaCode, value, onChange, values, inCell } = props
  const locale = useLocale()
  const options = useOptions(field, schemaCode, value ?? [], values)
  if (inCell || options.length > 8) return <ChoiceSelect {...props} multiple />
  return (
    <Checkbox.Group
      value={value ?? []}
      onChange={(next) => onChange(next.length === 0 ? null : next)}
      options={options.map((option) => ({ value: option.code, label: localName(option, locale) }))}
    />
  )
}
