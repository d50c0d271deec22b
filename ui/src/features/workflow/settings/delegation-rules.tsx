import { Switch } from 'antd'
import { useId } from 'react'
import { useText } from '@/sdk/use-text'
import styles from '../workflow.module.css'

/** What a delegation does with tasks besides the new ones. */
export interface Rules {
  keepCopy: boolean
  moveOpen: boolean
  returnOpen: boolean
}

const NAMES = ['moveOpen', 'returnOpen', 'keepCopy'] as const

export function DelegationRules({ value, onChange }: { value: Rules; onChange: (value: Rules) => void }) {
  const t = useText()
  const id = useId()
  return NAMES.map((name) => (
    <div key={name} className={styles.switchRow}>
      <span>
        <label htmlFor={`${id}-${name}`}>{t(`delegation.${name}`)}</label>
        <small id={`${id}-${name}-note`}>{t(`delegation.notes.${name}`)}</small>
      </span>
      <Switch
        id={`${id}-${name}`}
        aria-describedby={`${id}-${name}-note`}
        checked={value[name]}
        onChange={(on) => onChange({ ...value, [name]: on })}
      />
    </div>
  ))
}
