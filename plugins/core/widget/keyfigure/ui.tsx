import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'KeyFigure',
  label: { zh: '关键指标', en: 'Key figure' },
  icon: 'star',
  group: 'figures',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.KeyFigure }))),
})
