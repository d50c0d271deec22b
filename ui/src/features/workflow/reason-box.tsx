import { Input } from 'antd'
import { useId } from 'react'
import { useText } from '@/sdk/use-text'
import styles from './task.module.css'

const LONGEST = 200

/** Why an administrator does something: the log shows it. */
export function ReasonBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useText()
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {t('flowAdmin.reason')}
      </label>
      <Input.TextArea
        id={id}
        value={value}
        maxLength={LONGEST}
        showCount
        placeholder={t('flowAdmin.reasonHint')}
        autoSize={{ minRows: 2, maxRows: 6 }}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
