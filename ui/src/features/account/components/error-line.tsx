import styles from './error-line.module.css'

/** Why the last try failed; its place is kept, so that nothing jumps. */
export function ErrorLine({ text }: { text: string | null }) {
  return (
    <p className={styles.line} role="alert">
      {text}
    </p>
  )
}
