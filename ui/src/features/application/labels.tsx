import type { ReactNode } from 'react'
import styles from './application.module.css'

interface Props {
  id: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  required?: boolean
  children: ReactNode
}

/** A field of a dialog: its label above, its hint or what is wrong below. */
export function Labelled({ id, label, hint, error, required = false, children }: Props) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {required && <span className={styles.required}> *</span>}
      </label>
      {children}
      {error ? (
        <p className={styles.fault} role="alert">
          {error}
        </p>
      ) : (
        hint && <p className={styles.note}>{hint}</p>
      )}
    </div>
  )
}
