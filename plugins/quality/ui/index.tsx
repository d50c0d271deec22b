import { definePack, definePage } from '@sluice/sdk'
import { lazy } from 'react'
import { texts } from './texts'

export default definePack({
  pack: 'quality',
  texts,
  pages: [
    definePage({ name: 'qualityTree', Page: lazy(() => import('./quality-tree')) }),
    definePage({ name: 'QualityInspection', Page: lazy(() => import('./quality-inspection')) }),
  ],
})
