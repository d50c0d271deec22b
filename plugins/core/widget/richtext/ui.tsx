import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'RichText',
  label: { zh: '富文本', en: 'Rich text' },
  icon: 'edit',
  group: 'content',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.RichText }))),
})
