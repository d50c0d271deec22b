import {
  ChoiceSelect,
  type FormWidgetProps,
  Icon,
  localName,
  OptionDot,
  useLocale,
  useOptions,
  useText,
} from '@sluice/sdk'
import { Button, Radio } from 'antd'

/** One of a few options, all in sight, and none again where none is asked for; in a sub-table cell a list. */
export function FormWidget(props: FormWidgetProps<string>) {
  const { id, field, schemaCode, value, onChange, values, invalid, describedBy, inCell } = props
  const locale = useLocale()
  const t = useText()
  const options = useOptions(field, schemaCode, value ? [value] : [], values)
  if (inCell || options.length > 8) return <ChoiceSelect {...props} />
  return (
    <Radio.Group
      id={id}
      value={value ?? undefined}
      onChange={(event) => onChange(event.target.value)}
      aria-invalid={invalid || undefined}
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
      {value !== null && !field.required && (
        <Button
          type="text"
          size="small"
          icon={<Icon name="close" size={14} />}
          title={t('common.clear')}
          aria-label={t('common.clear')}
          onClick={() => {
            onChange(null)
            document.getElementById(id)?.querySelector('input')?.focus()
          }}
        />
      )}
    </Radio.Group>
  )
}
