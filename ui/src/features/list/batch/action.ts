import { lazy } from 'react'
import type { QueryAction, Row } from '@/api/types'
import { defineAction, everyRowTakes } from '@/sdk/action'
import type { ListController } from '../use-list-controller'

/** Records of workflows take none; of lists that do not tell, the server decides. */
const takes = (row: Row, button: QueryAction) => !row.workflowInstanceId && everyRowTakes([row], button)

/** Gives a field of many records one value; those that do not take it are left out. Its log comes with it. */
export const batchUpdate = defineAction<ListController>({
  name: 'batch_update',
  label: (t) => t('bulk.batchUpdate'),
  icon: 'sliders',
  list: {
    place: 'selection',
    all: true,
    bulk: true,
    shortcut: 'b',
    more: [
      {
        name: '#log',
        text: (t) => t('bulk.logOf'),
        run: ({ list }: { list: ListController | null }) => list?.store.getState().openBulk({ kind: 'log' }),
      },
    ],
  },
  enabled: (rows, button) => rows.some((row) => takes(row, button)),
  run: (context) => {
    const { t, say, button } = context
    const rows = context.all ? context.rows : context.rows.filter((row) => takes(row, button))
    const left = context.rows.filter((row) => !rows.includes(row))
    if (left.some((row) => row.workflowInstanceId)) say.warning(t('bulk.workflow'))
    else if (left.length > 0) say.warning(t('bulk.refusedCount', { count: left.length }))
    context.open(undefined, rows)
  },
  Dialog: lazy(() => import('./batch-dialog').then((m) => ({ default: m.BatchDialog }))),
})
