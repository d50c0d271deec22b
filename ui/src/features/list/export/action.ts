import { type ComponentType, lazy } from 'react'
import { type ActionDialogProps, defineAction } from '@/sdk/action'
import type { ListController } from '../use-list-controller'

const dialogs = () => import('./export-dialog')
const Records = lazy(() => import('@/sdk/exports/records-dialog').then((m) => ({ default: m.RecordsDialog })))

/** Writes the ticked records, or all that the filters find, into a file. */
export const exportRecords = defineAction<ListController>({
  name: 'export',
  label: (t) => t('bulk.export'),
  icon: 'download',
  list: {
    place: 'selection',
    all: true,
    unticked: true,
    tool: (t) => t('bulk.exportHint'),
    more: [
      {
        name: '#exports',
        text: (t) => t('bulk.exports'),
        run: (context) => context.open(Records as unknown as ComponentType<ActionDialogProps<never>>),
      },
    ],
  },
  enabled: (rows) => rows.length > 0,
  Dialog: lazy(() => dialogs().then((m) => ({ default: m.ExportDialog }))),
})
