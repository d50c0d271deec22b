import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import type { QueryAction, Row } from '@/api/types'
import type { IconName } from '@/components/icon'
import type { Locale } from '@/lib/local-name'
import type { useFeedback } from './feedback'
import type { ListHandle } from './list-handle'
import type { RecordAddress } from './record-link'

/** What an action gets: for what it was pressed, and what it can do. */
export interface ActionContext<L extends ListHandle = ListHandle> {
  /** The button as the definition makes it. */
  button: QueryAction
  schemaCode: string
  /** Null in a form. */
  queryCode: string | null
  sheetCode: string | null
  /** The list that it was pressed in; null in a form. */
  list: L | null
  /** The records: ticked rows, the row it is in, or the record of the form; none for a button of the page. */
  rows: Row[]
  ids: string[]
  /** Not only `rows`: everything that the list's filters match. */
  all: boolean
  t: TFunction
  locale: Locale
  say: ReturnType<typeof useFeedback>
  /** Opens a record: over the list on a desktop, as a page on a phone. */
  openRecord: (address: Partial<RecordAddress>) => void
  /** Opens a record in edit mode. */
  editRecord: (id: string) => Promise<void>
  /** Asks whether the records shall be deleted, and deletes them. */
  remove: () => Promise<unknown>
  /**
   * Runs the action of the button on the server, for the records and with an input that it knows, says that it was done, and reads lists and
   * record again. It fails with an `ApiError`.
   */
  call: (input?: Record<string, unknown>) => Promise<unknown>
  /** Reads the rows and the record again. */
  refresh: () => Promise<void>
  /** Draws the action's dialog or another one, for these rows or some of them. */
  open: (dialog?: ComponentType<ActionDialogProps<L>>, rows?: Row[]) => void
}

export interface ActionDialogProps<L extends ListHandle = ListHandle> {
  context: ActionContext<L>
  onClose: () => void
}

/** How a list shows an action. */
export interface ActionInList {
  /** At the top of the page, in the bar of ticked rows, or in each row. */
  place: 'page' | 'selection' | 'row'
  /** The main button of a phone's list. */
  primary?: boolean
  /** Also for everything that the filters match, not only for ticked rows. */
  all?: boolean
  /** For many records only: a single row does not offer it. */
  bulk?: boolean
  /** A key that runs it for the ticked rows. */
  shortcut?: string
  /** A tool of the title row too. It waits for ticked rows; this is what its hint says while there are none. */
  tool?: (t: TFunction) => string
  /** The tool works with no ticked rows too: for everything that the filters match. */
  unticked?: boolean
  /** What it brings besides, behind More. */
  more?: { name: string; text: (t: TFunction) => string; run: (context: ActionContext<never>) => unknown }[]
}

/** What a button of lists and forms does, by its word in documents. */
export interface ActionUI<L extends ListHandle = ListHandle> {
  /** As documents name it: `queryActionType` of lists, a word in `actions` of forms. */
  name: string
  /** Its name where the definition gives none. */
  label?: Record<Locale, string> | ((t: TFunction) => string)
  icon?: IconName
  danger?: boolean
  /** Missing: lists do not offer it. */
  list?: ActionInList
  /** Forms offer it. */
  form?: boolean
  /** Whether it can be used for these rows. Default: every row tells of it. */
  enabled?: (rows: Row[], button: QueryAction) => boolean
  /** What pressing does; default: it opens `Dialog`, or runs the action on the server where there is none. */
  run?: (context: ActionContext<L>) => unknown
  /** Drawn while it is open; `lazy` keeps it out of the first load. */
  Dialog?: ComponentType<ActionDialogProps<L>>
}

/** The registry's form: which sort of list it needs is the action's own affair. */
export type AnyActionUI = ActionUI<never>

/** Declares a button of lists and forms. */
export function defineAction<L extends ListHandle = ListHandle>(action: ActionUI<L>): AnyActionUI {
  return action as unknown as AnyActionUI
}

/** Whether a property of a row can be changed in place: what a workflow has approved is changed in the form, with a reason. */
export const writesInPlace = (row: Row, code: string) =>
  (!row.actions || row.actions.includes('edit')) && (!row.open || row.open.includes(code))

/** Whether every row tells that the button may be used for it; rows that tell nothing do not forbid it. */
export const everyRowTakes = (rows: Row[], button: Pick<QueryAction, 'actionCode'>) =>
  rows.length > 0 && rows.every((row) => !row.actions || row.actions.includes(button.actionCode))
