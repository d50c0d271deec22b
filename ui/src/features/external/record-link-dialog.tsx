import { useState } from 'react'
import type { ActionDialogProps } from '@/sdk/action'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { MadeLink } from './made-link'
import { NewLink } from './new-link'

/** Asks whom a link to the record is for and how long it lasts, and shows its address. */
export function RecordLinkDialog({ context, onClose }: ActionDialogProps) {
  const t = useText()
  const [made, setMade] = useState<string | null>(null)
  return (
    <Sheet width={520} title={t('form.externalLink')} footer={null} onClose={onClose}>
      {made ? (
        <MadeLink address={made} shows onClose={onClose} />
      ) : (
        <NewLink form={context.sheetCode ?? ''} objectId={context.ids[0]} onClose={onClose} onMade={setMade} />
      )}
    </Sheet>
  )
}
