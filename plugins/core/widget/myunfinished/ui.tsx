import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'MyUnfinished',
  label: { zh: '我的待办', en: 'My tasks' },
  icon: 'inbox',
  group: 'work',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.MyUnfinished }))),
})
