import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Image',
  label: { zh: '图片', en: 'Image' },
  icon: 'camera',
  group: 'content',
  bare: true,
  Widget: lazy(() => import('./view').then((m) => ({ default: m.Image }))),
})
