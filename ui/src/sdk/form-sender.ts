import type { ReactNode } from 'react'
import type { FormLoad } from '@/api/types'

/** What a form sends: the properties that were changed, and the version of the record that they belong to. */
export interface FormChange {
  version: number | null
  data: Record<string, unknown>
}

/** What a form reports to what is around it. */
export interface FormHandle extends FormChange {
  /** What goes on, in words, and whether it is a fault. */
  state: { text: string; faulty: boolean }
  sending: boolean
  /** Puts a form of a new record aside; null where there is a record already. */
  keep: { run: () => void; going: boolean; done: boolean } | null
  /** Sends what was changed, with `checked` only when all fields are right. */
  send: (checked: boolean) => void
}

/** What is around a form that something else than its own bar sends, such as a task. */
export interface FormSender {
  /** Tells what is typed here from what is typed into other forms of the record. */
  place: string
  title: string
  note: string
  /** The workflow that the form starts, for its draft. */
  workflowCode?: string
  /** Its fields can be edited now. */
  editing: boolean
  /** Something besides the fields was typed and would be lost. */
  dirty?: boolean
  /** What Ctrl+S does. */
  onSaveKey?: () => void
  send: (change: FormChange) => Promise<{ id: string; version: number }>
  /** The form as it is now, after somebody else changed the record. */
  reload: () => Promise<FormLoad>
  onSent: () => void
  head?: ReactNode
  below?: ReactNode
  foot: (handle: FormHandle) => ReactNode
}
