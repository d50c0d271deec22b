import { type ReactNode, useEffect, useState } from 'react'
import styles from '../design.module.css'
import { useFieldPlace } from './fields'
import { at } from './problems'

/** A part of a panel; it opens where something is wrong in it. `keys` are paths below what the panel is of. */
export function Section({
  title,
  keys,
  open = false,
  children,
}: {
  title: string
  keys: string[]
  open?: boolean
  children: ReactNode
}) {
  const { problems } = useFieldPlace()
  const wrong = keys.some((key) => at(problems, key.split('/')).length > 0)
  const [opened, setOpened] = useState(open || wrong)
  // It stays open when all is right again: nobody loses the field that they are in.
  useEffect(() => {
    if (wrong) setOpened(true)
  }, [wrong])
  return (
    <details className={styles.section} open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        {title}
        {wrong && <span className={styles.dot} />}
      </summary>
      <div className={styles.fields}>{children}</div>
    </details>
  )
}
