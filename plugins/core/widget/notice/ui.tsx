import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Notice',
  label: { zh: '公告', en: 'Notice' },
  icon: 'bell',
  group: 'content',
  low: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.Notice }))),
})
