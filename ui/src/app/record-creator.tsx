import { useQueryClient } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { type ReactNode, useCallback, useId, useState } from 'react'
import { RecordPage } from '@/features/form/record/record-page'
import { type CreateRecord, CreateRecordContext, FormIdContext } from '@/sdk/create-record'
import { useText } from '@/sdk/use-text'

interface Asked {
  schemaCode: string
  done: (id: string) => void
}

/** Lets forms below it open a form of a new record over themselves, which may do the same. */
export function RecordCreator({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const create = useCallback<CreateRecord>((schemaCode, done) => setAsked({ schemaCode, done }), [])
  return (
    <CreateRecordContext value={create}>
      {children}
      {asked && <NewRecord key={asked.schemaCode} {...asked} onClose={() => setAsked(null)} />}
    </CreateRecordContext>
  )
}

function NewRecord({ schemaCode, done, onClose }: Asked & { onClose: () => void }) {
  const t = useText()
  const client = useQueryClient()
  const prefix = useId()
  /** Counts the records that were added one after the other. */
  const [turn, setTurn] = useState(0)
  return (
    <Drawer
      open
      size="min(720px, 96vw)"
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      styles={{ body: { padding: 0 } }}
      aria-label={t('common.open')}
    >
      <FormIdContext value={`new${prefix}`}>
        <RecordCreator>
          <RecordPage
            key={turn}
            schemaCode={schemaCode}
            onClose={onClose}
            onChanged={(id) => {
              void client.invalidateQueries({ queryKey: ['list', schemaCode] })
              void client.invalidateQueries({ queryKey: ['options'] })
              if (id === '') return setTurn((n) => n + 1)
              onClose()
              if (id) done(id)
            }}
          />
        </RecordCreator>
      </FormIdContext>
    </Drawer>
  )
}
