import { lazy } from 'react'
import type { Row } from '@/api/types'
import { defineAction, everyRowTakes } from '@/sdk/action'
import type { ListController } from '../use-list-controller'

const inWorkflow = (row: Row) => Boolean(row.workflowInstanceId)

/** Gives a field of many records one value; records of workflows are left out. Its log comes with it. */
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
  enabled: (rows, button) => rows.some((row) => !inWorkflow(row) && everyRowTakes([row], button)),
  run: (context) => {
    const rows = context.rows.filter((row) => !inWorkflow(row))
    if (rows.length < context.rows.length) context.say.warning(context.t('bulk.workflow'))
    context.open(undefined, rows)
  },
  Dialog: lazy(() => import('./batch-dialog').then((m) => ({ default: m.BatchDialog }))),
})
