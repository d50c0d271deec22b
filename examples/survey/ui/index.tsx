import { defineAction, definePack, definePage, defineRecordPart } from '@sluice/sdk'
import { lazy } from 'react'
import { angle } from './angle'
import { codes } from './codes'
import './look.css'
import { texts } from './texts'

export default definePack({
  pack: 'survey',
  texts,
  properties: [angle],
  actions: [
    defineAction({
      name: 'remeasure',
      label: { zh: '复测', en: 'Remeasure' },
      icon: 'refresh',
      list: { place: 'row' },
      form: true,
      Dialog: lazy(() => import('./remeasure-dialog')),
    }),
  ],
  pages: [definePage({ name: 'overview', Page: lazy(() => import('./overview')) })],
  parts: [
    defineRecordPart({
      name: 'observations',
      place: 'below',
      models: [codes.controlPoint],
      Part: lazy(() => import('./observations')),
    }),
  ],
})
