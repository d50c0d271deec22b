import { element, useOpenRecord } from '@sluice/sdk'
import styles from './relation.module.css'

export interface Related {
  id: string
  name: string
}

/** A link to the related record. */
export function RelationLink({ value, relativeCode }: { value: Related; relativeCode: string | null | undefined }) {
  const openRecord = useOpenRecord()
  if (!relativeCode) return <span className={styles.link}>{value.name}</span>
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.link}
      title={value.name}
      onClick={(event) => {
        event.stopPropagation()
        openRecord({ schemaCode: relativeCode, id: value.id })
      }}
    >
      {value.name}
    </button>
  )
}

/** The same as a plain element, which opens nothing. */
export function relationLink({ name }: Related, relativeCode: string | null | undefined): HTMLElement {
  const className = styles.link
  if (!relativeCode) return element('span', { className }, name)
  return element('button', { type: 'button', tabIndex: -1, className, title: name }, name)
}
