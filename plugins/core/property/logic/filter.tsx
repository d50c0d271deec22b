import { type FilterProps, useText } from '@sluice/sdk'
import { Select } from 'antd'
import { FlatChoice } from '../shared/flat-choice'

/** Yes, no, or both. */
export function Filter({ id, field, value, onChange }: FilterProps) {
  const t = useText()
  const options = [
    { value: 'true', label: t('common.yes') },
    { value: 'false', label: t('common.no') },
  ]
  if (field.displayType === 'flat') return <FlatChoice id={id} options={options} value={value} onChange={onChange} />
  return (
    <Select
      id={id}
      allowClear
      style={{ width: '100%' }}
      placeholder={t('list.choose')}
      {...(value ? { value: value.value } : {})}
      onChange={(next: string | undefined) => onChange(next ? { value: next } : null)}
      options={options}
    />
  )
}
