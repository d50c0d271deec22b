import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'MyApplication',
  label: { zh: '我的应用', en: 'My applications' },
  icon: 'folder',
  group: 'navigation',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.MyApplication }))),
})
