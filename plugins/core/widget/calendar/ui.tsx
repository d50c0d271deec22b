import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Calendar',
  label: { zh: '日历', en: 'Calendar' },
  icon: 'calendar',
  group: 'work',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.Calendar }))),
})
