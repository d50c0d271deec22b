import { lazy } from 'react'
import { defineAction } from '@/sdk/action'
import type { ListController } from '../use-list-controller'

/** Shows what was changed in the ticked records. */
export const formTrack = defineAction<ListController>({
  name: 'form_track',
  label: (t) => t('table.track'),
  icon: 'history',
  list: { place: 'selection', tool: (t) => t('table.trackHint') },
  enabled: (rows) => rows.length > 0,
  Dialog: lazy(() => import('./track-dialog').then((m) => ({ default: m.TrackDialog }))),
})
