import { ChoiceSelect, type FormWidgetProps, localName, OptionDot, useLocale, useOptions } from '@sluice/sdk'
import { Radio } from 'antd'

/** One of a few options, all in sight; in a sub-table cell a list. */
export function FormWidget(props: FormWidgetProps<string>) {
  const { id, field, schemaCode, value, onChange, values, describedBy, inCell } = props
  const locale = useLocale()
  const options = useOptions(field, schemaCode, value ? [value] : [], values)
  if (inCell || options.length > 8) return <ChoiceSelect {...props} />
  return (
    <Radio.Group
      id={id}
      value={value ?? undefined}
      onChange={(event) => onChange(event.target.value)}
      aria-describedby={describedBy}
    >
      {options.map((option) => (
        <Radio key={option.code} value={option.code}>
          {option.color ? (
            <OptionDot label={localName(option, locale)} color={option.color} />
          ) : (
            localName(option, locale)
          )}
        </Radio>
      ))}
    </Radio.Group>
  )
}
