import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'ShortcutList',
  label: { zh: '最近使用', en: 'Recently used' },
  icon: 'clock',
  group: 'navigation',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.ShortcutList }))),
})
