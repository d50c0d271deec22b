import type { Row } from '@/api/types'
import type { IconName } from '@/components/icon'

/** One object for toolbar, row menu, selection bar and shortcut. */
export interface ListAction {
  name: string
  label: string
  icon: IconName | null
  hint: string | null
  danger: boolean
  /** Where it is offered. */
  place: 'page' | 'selection' | 'row'
  /** The definition puts it in each row. */
  inRow: boolean
  /** The main button of a phone's list. */
  primary: boolean
  /** Also for everything that the filters match, not only for ticked rows. */
  all: boolean
  /** Offered in the selection bar only: for one row there is the form. */
  bulk: boolean
  /** A key that runs it for the ticked rows. */
  shortcut: string | null
  /** A tool of the title row too; its hint while no rows are ticked. */
  tool: string | null
  /** The tool works with no rows ticked: for everything that the filters match. */
  unticked: boolean
  /** What it brings besides, behind More. */
  more: { name: string; label: string; run: () => unknown }[]
  enabled: (rows: Row[]) => boolean
  run: (rows: Row[]) => unknown
}

/** A button at the top of the list that can always be pressed. */
export const plainAction = (action: {
  name: string
  label: string
  icon?: IconName | null
  run: (rows: Row[]) => unknown
}): ListAction => ({
  icon: null,
  hint: null,
  danger: false,
  place: 'page',
  inRow: false,
  primary: false,
  all: false,
  bulk: false,
  shortcut: null,
  tool: null,
  unticked: false,
  more: [],
  enabled: () => true,
  ...action,
})
