import { useState } from 'react'
import type { ActionDialogProps } from '@/sdk/action'
import { Sheet } from '@/sdk/sheet'
import type { ListController } from '../use-list-controller'
import { ChoiceDialog } from './choice-dialog'
import { ProgressDialog } from './progress-dialog'
import { TaskList } from './task-list'
import { useExportText } from './texts'
import { RECORDS_WIDTH } from './use-teller'

/** From the choice of fields to the file; one dialog takes the place of the other. */
export function ExportDialog({ context, onClose }: ActionDialogProps<ListController>) {
  const [view, setView] = useState<'choice' | 'progress' | 'records'>('choice')
  if (view === 'records') return <RecordsDialog onClose={onClose} />
  if (view === 'progress') return <ProgressDialog onClose={onClose} onRecords={() => setView('records')} />
  return (
    <ChoiceDialog
      context={context}
      onClose={onClose}
      onStarted={() => setView('progress')}
      onRecords={() => setView('records')}
    />
  )
}

/** The reader's exports. */
export function RecordsDialog({ onClose }: { onClose: () => void }) {
  const t = useExportText()
  return (
    <Sheet title={t('records')} width={RECORDS_WIDTH} onClose={onClose} footer={null}>
      <TaskList />
    </Sheet>
  )
}
