import type { FilterValue } from '@sluice/sdk'
import { Checkbox, Radio } from 'antd'
import styles from './flat-choice.module.css'

interface Props {
  id: string
  options: { value: string; label: string }[]
  value: FilterValue | null
  onChange: (value: FilterValue | null) => void
  multiple?: boolean
}

/** Options side by side; choosing the chosen one again takes it back. */
export function FlatChoice({ id, options, value, onChange, multiple = false }: Props) {
  const chosen = value?.value ? value.value.split(';') : []
  if (multiple) {
    return (
      <Checkbox.Group
        className={styles.choices ?? ''}
        options={options}
        value={chosen}
        onChange={(next) => onChange(next.length ? { value: next.join(';') } : null)}
      />
    )
  }
  return (
    <Radio.Group id={id} className={styles.choices ?? ''} value={chosen[0] ?? null}>
      {options.map((option) => (
        <Radio
          key={option.value}
          value={option.value}
          onClick={() => onChange(chosen[0] === option.value ? null : { value: option.value })}
        >
          {option.label}
        </Radio>
      ))}
    </Radio.Group>
  )
}
