import { definePack, definePage } from '@sluice/sdk'
import { lazy } from 'react'

export default definePack({
  pack: 'quality',
  pages: [
    definePage({ name: 'qualityTree', Page: lazy(() => import('./quality-tree')) }),
    definePage({ name: 'QualityInspection', Page: lazy(() => import('./quality-inspection')) }),
    definePage({ name: 'SubprojectInspection', Page: lazy(() => import('./subproject-inspection')) }),
    definePage({ name: 'QualityEvaluation', Page: lazy(() => import('./quality-evaluation')) }),
    definePage({
      name: 'QIEvaluation',
      Page: lazy(() => import('./quality-evaluation').then((m) => ({ default: m.LotEvaluation }))),
    }),
    definePage({ name: 'JBSSetting', Page: lazy(() => import('./jbs-setting')) }),
    definePage({ name: 'QualityRelevance', Page: lazy(() => import('./quality-relevance')) }),
    definePage({ name: 'QualityModule', Page: lazy(() => import('./quality-module')) }),
    definePage({ name: 'CodeMbsManagement', Page: lazy(() => import('./code-mbs')) }),
    definePage({ name: 'archiveCatalogue', Page: lazy(() => import('./archive-catalogue')) }),
    definePage({ name: 'systemConfig', Page: lazy(() => import('./system-config')) }),
  ],
})
