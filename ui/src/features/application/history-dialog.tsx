import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { formatInstant } from '@/lib/dates'
import { AccessReport } from '@/sdk/access/report'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { historyQuery, restoreApp } from './api'
import styles from './application.module.css'
import { Flows, Steps } from './import-dialog'
import { Problems, Refusal } from './refusal'

/** What was published of an application; each version can be restored. */
export function HistoryDialog({ app, onClose }: { app: { code: string; delivered: boolean }; onClose: () => void }) {
  const t = useText()
  const context = useTextContext()
  const errorText = useErrorText()
  const { data, error } = useQuery(historyQuery(app.code))
  const [version, setVersion] = useState<number | null>(null)
  if (version !== null)
    return <Restore code={app.code} version={version} onBack={() => setVersion(null)} onClose={onClose} />
  return (
    <Modal open width={640} footer={null} title={t('application.history')} onCancel={onClose}>
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <Skeleton active title={false} />}
      {data?.length === 0 && <p>{t('application.noHistory')}</p>}
      <ol className={styles.versions}>
        {data?.map((one, i) => (
          <li key={one.version}>
            <div>
              <strong>{one.note || t('application.version', { version: one.version })}</strong>
              <p className={styles.facts}>
                {[
                  t('application.version', { version: one.version }),
                  formatInstant(one.time, 'yyyy-MM-dd HH:mm', context),
                  one.name || t('application.operator'),
                ].join(' · ')}
              </p>
            </div>
            {i === 0 ? (
              <span className={styles.faint}>{t('application.current')}</span>
            ) : (
              <Button size="small" onClick={() => setVersion(one.version)}>
                {t('application.restore')}
              </Button>
            )}
          </li>
        ))}
        {app.delivered && data && data.length > 0 && (
          <li>
            <strong>{t('application.asDelivered')}</strong>
            <Button size="small" onClick={() => setVersion(0)}>
              {t('application.restore')}
            </Button>
          </li>
        )}
      </ol>
    </Modal>
  )
}

interface RestoreProps {
  code: string
  version: number
  onBack: () => void
  onClose: () => void
}

function Restore({ code, version, onBack, onClose }: RestoreProps) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const [allow, setAllow] = useState(false)
  const check = useQuery({
    queryKey: ['restoration', code, version],
    queryFn: () => restoreApp({ code, version, check: true }),
    retry: false,
    gcTime: 0,
  })
  const found = check.data
  const restore = useMutation({
    mutationFn: () => restoreApp({ code, version, confirm: found?.digest ?? '', allowDestructive: allow }),
    onSuccess: () => {
      say.success(version === 0 ? t('application.saved') : t('application.restored', { version }))
      onClose()
    },
    onSettled: () =>
      Promise.all(['managed', 'apps', 'menu'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  const faulty = found?.diagnostics.some((one) => one.severity === 'error') ?? false
  const ready = found && !faulty && found.class !== 'impossible' && (found.class !== 'destructive' || allow)
  return (
    <Modal
      open
      title={version === 0 ? t('application.restoreDelivered') : t('application.restoreAsk', { version })}
      okText={t('application.restore')}
      cancelText={t('common.back')}
      okButtonProps={{ disabled: !ready, danger: found?.class === 'destructive' }}
      confirmLoading={restore.isPending}
      onOk={() => ready && restore.mutate()}
      onCancel={onBack}
    >
      <div className={styles.form}>
        <p>{t('application.restoreFine')}</p>
        {check.isPending && <p role="status">{t('application.checking')}</p>}
        <Refusal error={check.error ?? restore.error} />
        {found && <Problems diagnostics={found.diagnostics} />}
        {found && <Steps steps={found.steps} />}
        {found && <Flows workflows={found.workflows} />}
        {found?.access && <AccessReport report={found.access} />}
        {found?.class === 'destructive' && (
          <Checkbox checked={allow} onChange={(event) => setAllow(event.target.checked)}>
            {t('application.allowLoss')}
          </Checkbox>
        )}
      </div>
    </Modal>
  )
}
