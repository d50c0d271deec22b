import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'Embed',
  label: { zh: '嵌入页面', en: 'Embedded page' },
  icon: 'external',
  group: 'content',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.Embed }))),
})
