import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Layout',
  label: { zh: '布局', en: 'Layout' },
  icon: 'table',
  group: 'layout',
  bare: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.Layout }))),
})
