import { useState } from 'react'
import type { ActionDialogProps } from '@/sdk/action'
import { ProgressDialog } from '@/sdk/exports/progress-dialog'
import { RecordsDialog } from '@/sdk/exports/records-dialog'
import type { ListController } from '../use-list-controller'
import { ChoiceDialog } from './choice-dialog'

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
