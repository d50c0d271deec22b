import { type ReactNode, useId } from 'react'
import styles from './rights.module.css'

interface Props {
  label: string
  problem?: string | false | undefined
  hint?: string | undefined
  /** It takes two columns where there are several: for long texts. */
  wide?: boolean
  /** Draws the control, which gets the id. */
  children: (id: string) => ReactNode
}

/** A control with its label above and what is wrong with it below. */
export function Field({ label, problem, hint, wide, children }: Props) {
  const id = useId()
  return (
    <div className={wide ? `${styles.field} ${styles.wide}` : styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {problem ? (
        <span className={styles.wrong} role="alert">
          {problem}
        </span>
      ) : (
        hint && <small>{hint}</small>
      )}
    </div>
  )
}
