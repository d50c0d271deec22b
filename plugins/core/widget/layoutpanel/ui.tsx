import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'LayoutPanel',
  label: { zh: '布局面板', en: 'Layout panel' },
  icon: 'table',
  group: 'layout',
  bare: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.LayoutPanel }))),
})
