import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { get } from '@/api/client'
import type { FormLoad } from '@/api/types'
import { useReturnFocus } from '@/lib/return-focus'
import { Failure } from '@/sdk/failure'
import type { FormHandle, FormSender } from '@/sdk/form-sender'
import { useText } from '@/sdk/use-text'
import type { RehearsalBasis } from '../api'
import styles from './rehearsal.module.css'

interface Props {
  basis: RehearsalBasis
  form: (load: FormLoad, sender: FormSender, onClose: () => void) => ReactNode
  onClose: () => void
  onTake: (values: Record<string, unknown>) => void
}

/** The form of the model, for a record that is never saved. */
export function RehearsalForm({ basis, form, onClose, onTake }: Props) {
  const t = useText()
  useReturnFocus()
  const { schemaCode, sheetCode } = basis
  const load = () => get('/api/runtime/form/load', { schemaCode, ...(sheetCode ? { sheetCode } : {}) })
  const { data, error } = useQuery({
    queryKey: ['rehearsal-form', schemaCode, sheetCode],
    queryFn: load,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const handle: { current: FormHandle | null } = { current: null }
  const taken: { current: Record<string, unknown> } = { current: {} }
  const sender: FormSender = {
    place: `rehearsal/${basis.workflowCode}`,
    title: t('rehearsal.fillTitle'),
    note: '',
    editing: true,
    onSaveKey: () => handle.current?.send(false),
    send: async ({ data: changed }) => {
      taken.current = changed
      return { id: '', version: 0 }
    },
    reload: load,
    onSent: () => onTake(taken.current),
    foot: (now) => {
      handle.current = now
      return (
        <footer className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" loading={now.sending} onClick={() => now.send(false)}>
            {t('rehearsal.take')}
          </Button>
        </footer>
      )
    },
  }
  return (
    <Drawer
      open
      size="min(960px, 100vw)"
      title={t('rehearsal.fillTitle')}
      onClose={onClose}
      styles={{ body: { padding: 0, display: 'flex', flexDirection: 'column' } }}
    >
      {error && <Failure error={error} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />}
      {data && form(data, sender, onClose)}
    </Drawer>
  )
}
