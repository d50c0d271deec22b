import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'RowMenu',
  label: { zh: '横向导航', en: 'Horizontal menu' },
  icon: 'menu',
  group: 'navigation',
  low: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.RowMenu }))),
})
