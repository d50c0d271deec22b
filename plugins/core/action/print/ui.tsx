import { defineAction } from '@sluice/sdk'
import { lazy } from 'react'

/** Puts the ticked records, or the record of the form, on paper. */
export const action = defineAction({
  name: 'print',
  label: (t) => t('bulk.print'),
  icon: 'print',
  list: { place: 'selection', all: true, tool: (t) => t('bulk.printHint') },
  form: true,
  enabled: (rows) => rows.length > 0,
  Dialog: lazy(() => import('./dialog').then((m) => ({ default: m.PrintDialog }))),
})
