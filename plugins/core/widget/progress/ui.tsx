import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Progress',
  label: { zh: '进度', en: 'Progress' },
  icon: 'rotate',
  group: 'figures',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.Progress }))),
})
