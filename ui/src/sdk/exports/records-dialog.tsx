import { Sheet } from '@/sdk/sheet'
import { TaskList } from './task-list'
import { useExportText } from './texts'
import { RECORDS_WIDTH } from './use-teller'

/** The reader's exports and other files that jobs made. */
export function RecordsDialog({ onClose }: { onClose: () => void }) {
  const t = useExportText()
  return (
    <Sheet title={t('records')} width={RECORDS_WIDTH} onClose={onClose} footer={null}>
      <TaskList />
    </Sheet>
  )
}
