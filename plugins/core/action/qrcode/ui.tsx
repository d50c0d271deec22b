import { defineAction } from '@sluice/sdk'
import { lazy } from 'react'

/** Prints labels with codes that open the ticked records. */
export const action = defineAction({
  name: 'qr_code',
  label: (t) => t('bulk.labels'),
  icon: 'qrCode',
  list: { place: 'selection', tool: (t) => t('bulk.labelsHint') },
  enabled: (rows) => rows.length > 0,
  Dialog: lazy(() => import('./dialog').then((m) => ({ default: m.LabelsDialog }))),
})
