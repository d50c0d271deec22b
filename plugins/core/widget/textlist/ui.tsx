import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'TextList',
  label: { zh: '文本列表', en: 'Text list' },
  icon: 'file',
  group: 'work',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.TextList }))),
})
