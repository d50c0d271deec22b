import type { ReactNode } from 'react'
import type { FormLoad } from '@/api/types'
import { RelatedRecords } from '@/features/form/record/related-records'
import { SentForm } from '@/features/form/submit/sent-form'
import { StartForm } from '@/features/workflow/task/start-form'
import { TaskPage } from '@/features/workflow/task/task-page'
import type { OpenedDraft } from '@/sdk/drafts'
import type { FormSender } from '@/sdk/form-sender'
import { RecordCreator } from './record-creator'
import './record-parts'

interface Props {
  task: { workItemId: string; workflowInstanceId: string | null } | null
  start: { workflowCode: string; objectId: string | null; draftId: string | null } | null
  inDrawer: boolean
  onClose: () => void
}

/** The form of a task, or the one that starts a workflow. */
export function WorkflowForm({ task, start, inDrawer, onClose }: Props) {
  const form = (load: FormLoad, sender: FormSender, draft?: OpenedDraft): ReactNode => (
    <RecordCreator>
      <SentForm
        load={load}
        sender={sender}
        draft={draft}
        inDrawer={inDrawer}
        onClose={onClose}
        related={(item, id) => <RelatedRecords item={item} objectId={id} />}
      />
    </RecordCreator>
  )
  if (task) return <TaskPage key={task.workItemId} {...task} onClose={onClose} form={form} />
  return (
    start && (
      <StartForm
        key={`${start.workflowCode}/${start.draftId}`}
        {...start}
        inDrawer={inDrawer}
        onClose={onClose}
        form={form}
      />
    )
  )
}
