import type { ListConfig } from '@/api/types'
import type { ListAction } from '../actions/list-action'

/** Rows are ticked when something can be done with ticked rows, by a button or by the list's script. */
export const takesTicks = (
  { queryPresentation: { rowSelectable, script } }: Pick<ListConfig, 'queryPresentation'>,
  actions: Pick<ListAction, 'place'>[],
) =>
  rowSelectable !== false &&
  (actions.some((action) => action.place === 'selection') || (rowSelectable === true && Boolean(script)))
