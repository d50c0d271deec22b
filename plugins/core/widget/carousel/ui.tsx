import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Carousel',
  label: { zh: '轮播', en: 'Carousel' },
  icon: 'copy',
  group: 'content',
  bare: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.Carousel }))),
})
