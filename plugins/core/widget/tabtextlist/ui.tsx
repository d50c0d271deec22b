import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'TabTextList',
  label: { zh: '页签列表', en: 'Lists in tabs' },
  icon: 'panel',
  group: 'work',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.TabTextList }))),
})
