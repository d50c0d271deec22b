import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'LayoutSider',
  label: { zh: '布局侧栏', en: 'Layout sidebar' },
  icon: 'panel',
  group: 'layout',
  bare: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.LayoutSider }))),
})
