import { RelatedRecords } from '@/features/form/record/related-records'
import { SentForm } from '@/features/form/submit/sent-form'
import { RehearsalPage } from '@/features/workflow/rehearsal/rehearsal-page'
import { RecordCreator } from './record-creator'
import './record-parts'

/** The page that rehearses a workflow, with the forms of records. */
export function WorkflowRehearsal() {
  return (
    <RehearsalPage
      form={(load, sender, onClose) => (
        <RecordCreator>
          <SentForm
            load={load}
            sender={sender}
            inDrawer
            onClose={onClose}
            related={(item, id) => <RelatedRecords item={item} objectId={id} />}
          />
        </RecordCreator>
      )}
    />
  )
}
