import type { RefObject } from 'react'
import type { FormField } from '@/api/types'
import { valueText } from '@/sdk/resolve'
import { useFormContext } from '../context'
import { controlHeight } from '../record/room'
import styles from './later-control.module.css'

interface LaterProps {
  id: string
  field: FormField
  value: unknown
  nested: boolean
  describedBy: string
  stand: RefObject<HTMLElement | null>
  onMeant: () => void
}

/** What is in a control's place until that is drawn: as high, with the value in it, and the keyboard can come to it. */
export function LaterControl({ id, field, value, nested, describedBy, stand, onMeant }: LaterProps) {
  const { texts } = useFormContext()
  return (
    <div
      ref={stand as RefObject<HTMLDivElement | null>}
      className={styles.later}
      style={{ height: controlHeight(field, value) }}
      data-later
      onPointerEnter={onMeant}
    >
      <input
        id={id}
        className={styles.text}
        readOnly
        value={nested ? '' : valueText(value, field, texts)}
        onFocus={onMeant}
        aria-describedby={describedBy}
      />
    </div>
  )
}
