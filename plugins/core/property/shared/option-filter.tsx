import { type FilterProps, localName, useLocale, useText } from '@sluice/sdk'
import { Select } from 'antd'
import { FlatChoice } from './flat-choice'
import { optionCode } from './options'

/** Whether one value can equal several options: only sets do. */
const single = ({ field, operator }: FilterProps, holdsOne: boolean) =>
  field.choiceType === 'single' || (holdsOne && (operator === 'Equal' || operator === 'NotEqual'))

/** One option or several, in a drop-down or side by side. */
function Choices(props: FilterProps & { holdsOne: boolean }) {
  const { id, field, value, onChange, holdsOne } = props
  const t = useText()
  const locale = useLocale()
  const codes = value?.value ? value.value.split(';').map((word) => optionCode(field, word)) : []
  const options = (field.options ?? []).map((option) => ({ value: option.code, label: localName(option, locale) }))
  const one = single(props, holdsOne)
  if (field.displayType === 'flat') {
    const chosen = codes.length ? { value: codes.join(';') } : null
    return <FlatChoice id={id} options={options} value={chosen} onChange={onChange} multiple={!one} />
  }
  return (
    <Select<string | string[]>
      id={id}
      {...(one ? {} : { mode: 'multiple' as const, maxTagCount: 'responsive' as const })}
      allowClear
      style={{ width: '100%' }}
      placeholder={t('list.choose')}
      notFoundContent={t('list.nothingToChoose')}
      showSearch={{ optionFilterProp: 'label' }}
      value={one ? (codes[0] ?? (null as unknown as string)) : codes}
      onChange={(next) => {
        const chosen = next === undefined || next === null ? [] : [next].flat()
        onChange(chosen.length ? { value: chosen.join(';') } : null)
      }}
      options={options}
    />
  )
}

/** For a field with one option. */
export const OptionFilter = (props: FilterProps) => <Choices {...props} holdsOne />

/** For a field with several options. */
export const OptionsFilter = (props: FilterProps) => <Choices {...props} holdsOne={false} />
