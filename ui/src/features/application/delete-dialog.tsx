import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Checkbox, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import type { Managed } from './api'
import styles from './application.module.css'
import { Labelled } from './labels'
import { Refusal } from './refusal'

export interface Intent {
  check?: boolean
  confirm?: string
  allowDestructive?: boolean
}

interface Props {
  name: string
  /** What is typed to confirm that records are lost. */
  code: string
  /** Deletes, or tells what that would do. */
  run: (intent: Intent, withModel: boolean) => Promise<Managed>
  /** A menu item that is the only one of a model of the application: the model can go too. */
  model?: string | null
  onClose: () => void
}

/** Deletes after it has said what goes with it, and what keeps it. */
export function DeleteDialog({ name, code, run, model, onClose }: Props) {
  const t = useText()
  const id = useId()
  const client = useQueryClient()
  const say = useFeedback()
  const errorText = useErrorText()
  const [withModel, setWithModel] = useState(false)
  const [typed, setTyped] = useState('')
  const check = useQuery({
    queryKey: ['deletion', code, withModel],
    queryFn: () => run({ check: true }, withModel),
    retry: false,
    gcTime: 0,
  })
  const found = check.data
  const records = found?.records ?? 0
  const deletion = useMutation({
    mutationFn: () => run({ confirm: found?.digest ?? '', allowDestructive: true }, withModel),
    onSuccess: () => {
      say.success(t('application.deleted', { name }))
      onClose()
    },
    onSettled: () =>
      Promise.all(['managed', 'apps', 'menu'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  const ready = found && found.references.length === 0 && (records === 0 || typed === code)
  return (
    <Modal
      open
      title={t('application.deleteAsk', { name })}
      okText={t('application.delete')}
      okButtonProps={{ danger: true, disabled: !ready }}
      confirmLoading={deletion.isPending}
      onOk={() => ready && deletion.mutate()}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <Refusal error={deletion.error} />
        {check.error && <Alert type="error" showIcon title={errorText(check.error)} />}
        {model && (
          <Checkbox checked={withModel} onChange={(e) => setWithModel(e.target.checked)}>
            {t('application.withModel', { name: model })}
          </Checkbox>
        )}
        {check.isPending && <p role="status">{t('application.checking')}</p>}
        {found && <Found found={found} entry={model !== undefined && !withModel} />}
        {found && records > 0 && found.references.length === 0 && (
          <Labelled id={`${id}code`} label={t('application.typeCode', { code })}>
            <Input id={`${id}code`} autoComplete="off" value={typed} onChange={(e) => setTyped(e.target.value)} />
          </Labelled>
        )}
      </div>
    </Modal>
  )
}

function Found({ found, entry }: { found: Managed; entry: boolean }) {
  const t = useText()
  const locale = useLocale()
  const word = (label: { zh: string; i18n?: Record<string, string> }) => label.i18n?.[locale] || label.zh
  if (found.references.length > 0)
    return (
      <div role="alert">
        <p>{t('application.referenced', { count: found.references.length })}</p>
        <ul className={styles.plain}>
          {found.references.map((one) => (
            <li key={`${one.pack}/${one.path}`}>
              {t('application.reference', { kind: word(one.kind), name: word(one.name) })}{' '}
              <span className={styles.faint}>
                {one.pack}/{one.path}
              </span>
            </li>
          ))}
        </ul>
      </div>
    )
  if (entry) return <p>{t('application.deleteEntryHint')}</p>
  if (found.records > 0)
    return <Alert type="warning" showIcon title={t('application.records', { count: found.records })} />
  return <p>{t('application.noRecords')}</p>
}
