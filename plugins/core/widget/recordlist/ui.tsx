import { defineWidget } from '@sluice/sdk'
import { lazy } from 'react'

export const widget = defineWidget({
  name: 'RecordList',
  label: { zh: '数据列表', en: 'Record list' },
  icon: 'table',
  group: 'work',
  Widget: lazy(() => import('./view').then((m) => ({ default: m.RecordList }))),
})
