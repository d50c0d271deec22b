import { definePack, definePage } from '@sluice/sdk'
import { lazy } from 'react'
import { texts } from './texts'

export default definePack({
  pack: 'quality',
  texts,
  pages: [
    definePage({ name: 'qualityTree', Page: lazy(() => import('./quality-tree')) }),
    definePage({ name: 'QualityInspection', Page: lazy(() => import('./quality-inspection')) }),
    definePage({ name: 'SubprojectInspection', Page: lazy(() => import('./subproject-inspection')) }),
    definePage({ name: 'QualityEvaluation', Page: lazy(() => import('./quality-evaluation')) }),
    definePage({ name: 'QIEvaluation', Page: lazy(() => import('./quality-evaluation')) }),
  ],
})
