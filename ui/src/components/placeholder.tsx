import styles from './placeholder.module.css'

/** Names a part that is asked for and not there, so that nobody looks for a blank. */
export function Placeholder({ name }: { name: string }) {
  return <code className={styles.placeholder}>{name}?</code>
}
