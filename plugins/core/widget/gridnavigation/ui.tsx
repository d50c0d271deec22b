import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'GridNavigation',
  label: { zh: '宫格导航', en: 'Grid navigation' },
  icon: 'grid',
  group: 'navigation',
  low: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.GridNavigation }))),
})
