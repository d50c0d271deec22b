import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Map',
  label: { zh: '地图', en: 'Map' },
  icon: 'pin',
  group: 'figures',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.PlaceMap }))),
})
