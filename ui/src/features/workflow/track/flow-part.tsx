import { lazy, Suspense } from 'react'
import { loadLaterTexts } from '@/i18n/i18n'
import { defineRecordPart, type RecordPartProps } from '@/sdk/pack'
import styles from './record-flow.module.css'

const RecordFlow = lazy(() =>
  Promise.all([import('./record-flow'), loadLaterTexts()]).then(([m]) => ({ default: m.RecordFlow })),
)

/** The workflow of a record, above its form. */
function FlowPart({ schemaCode, objectId, workflowInstanceId }: RecordPartProps) {
  return (
    <Suspense fallback={<div className={styles.bar} />}>
      <RecordFlow key={workflowInstanceId} schemaCode={schemaCode} objectId={objectId} />
    </Suspense>
  )
}

export const flowPart = defineRecordPart({
  name: 'workflow',
  place: 'above',
  when: ({ workflowInstanceId }) => workflowInstanceId !== null,
  Part: FlowPart,
})
