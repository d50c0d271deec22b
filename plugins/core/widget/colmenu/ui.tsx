import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'ColMenu',
  label: { zh: '纵向导航', en: 'Vertical menu' },
  icon: 'tree',
  group: 'navigation',
  low: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.ColMenu }))),
})
