import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Chart',
  label: { zh: '图表', en: 'Chart' },
  icon: 'chart',
  group: 'figures',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.Chart }))),
})
