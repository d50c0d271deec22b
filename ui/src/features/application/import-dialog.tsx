import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Modal } from 'antd'
import { useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useLocale } from '@/i18n/locale'
import { AccessReport } from '@/sdk/access/report'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { type Imported, importApp } from './api'
import styles from './application.module.css'
import { Problems, Refusal } from './refusal'

/** Imports a package after it has shown what that does to documents and tables. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [update, setUpdate] = useState(false)
  const [allow, setAllow] = useState(false)
  const check = useMutation({
    mutationFn: ({ chosen, over }: { chosen: File; over: boolean }) => importApp(chosen, { check: true, update: over }),
  })
  const found = check.data
  const bring = useMutation({
    mutationFn: () =>
      importApp(file as File, {
        update,
        confirm: found?.digest ?? '',
        allowDestructive: found?.class === 'destructive',
      }),
    onSuccess: (done) => {
      say.success(t('application.imported', { name: done.name || done.code }))
      onClose()
    },
    onSettled: () =>
      Promise.all(['managed', 'apps', 'menu'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  const look = (chosen: File, over: boolean) => {
    setFile(chosen)
    setUpdate(over)
    setAllow(false)
    bring.reset()
    check.mutate({ chosen, over })
  }
  const exists = check.error instanceof ApiError && check.error.code === ERROR.AppCodeTaken && !update
  const faulty = found?.diagnostics.some((one) => one.severity === 'error') ?? false
  const changes = found ? found.added.length + found.changed.length + found.removed.length : 0
  const ready = found && !faulty && changes > 0 && (found.class !== 'destructive' || allow)
  return (
    <Modal
      open
      width={600}
      title={t('application.importTitle')}
      okText={t('application.importNow')}
      okButtonProps={{ disabled: !ready, danger: found?.class === 'destructive' }}
      confirmLoading={bring.isPending}
      onOk={() => ready && bring.mutate()}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <p className={styles.note}>{t('application.importHint')}</p>
        <input
          ref={input}
          type="file"
          hidden
          accept=".zip"
          aria-label={t('application.choose')}
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            if (chosen) look(chosen, false)
            event.target.value = ''
          }}
        />
        <div className={styles.file}>
          <Button onClick={() => input.current?.click()}>
            {t(file ? 'application.otherFile' : 'application.choose')}
          </Button>
          {file && <span>{file.name}</span>}
        </div>
        {check.isPending && <p role="status">{t('application.checking')}</p>}
        {exists && file && (
          <Alert
            type="info"
            showIcon
            title={t('application.exists')}
            action={
              <Button size="small" onClick={() => look(file, true)}>
                {t('application.update')}
              </Button>
            }
          />
        )}
        {!exists && <Refusal error={check.error} />}
        <Refusal error={bring.error} />
        {found && <Outcome found={found} />}
        {found?.class === 'destructive' && (
          <Checkbox checked={allow} onChange={(event) => setAllow(event.target.checked)}>
            {t('application.allowLoss')}
          </Checkbox>
        )}
      </div>
    </Modal>
  )
}

function Outcome({ found }: { found: Imported }) {
  const t = useText()
  const { code, from, to, added, changed, removed } = found
  const words = { name: found.name || code, code, from, to }
  const same = added.length + changed.length + removed.length === 0
  const files: [string, string[]][] = [
    [t('application.fileAdded'), added],
    [t('application.fileChanged'), changed],
    [t('application.fileRemoved'), removed],
  ]
  return (
    <>
      <p>
        {same
          ? t('application.importSame', words)
          : found.new
            ? t('application.importNew', words)
            : t('application.importUpdate', words)}
      </p>
      <Problems diagnostics={found.diagnostics} />
      <dl className={styles.files}>
        {files
          .filter(([, names]) => names.length > 0)
          .map(([word, names]) => (
            <div key={word}>
              <dt>
                {word} {names.length}
              </dt>
              <dd>{names.join(' · ')}</dd>
            </div>
          ))}
      </dl>
      {!same && <Steps steps={found.steps} />}
      {!same && found.access && <AccessReport report={found.access} />}
    </>
  )
}

/** What a change does to the tables, with the class of each step. */
export function Steps({ steps }: { steps: Imported['steps'] }) {
  const t = useText()
  const locale = useLocale()
  if (steps.length === 0) return <p className={styles.note}>{t('application.noTables')}</p>
  return (
    <div>
      <p>{t('application.tables')}</p>
      <ul className={styles.plain}>
        {steps.map((step) => (
          <li key={`${step.action}/${step.table}/${step.column ?? ''}`} data-class={step.class}>
            {step.text.i18n?.[locale] || step.text.zh}{' '}
            <span className={styles.faint}>{t(`application.stepClass.${step.class}`)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
