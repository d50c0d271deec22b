import { Button, Input } from 'antd'
import { useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { AccessReport } from '@/sdk/access/report'
import { useText } from '@/sdk/use-text'
import type { Publication } from './api'
import { Field } from './field'
import styles from './rights.module.css'

interface Props {
  publication: Publication
  onPublish: (note: string) => Promise<void>
  onClose: () => void
}

/** What a change would do, before it is made: its problems, or whose rights it changes. */
export function Review({ publication, onPublish, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const errors = publication.diagnostics.filter((one) => one.severity === 'error')
  const conflict = publication.conflicts.length > 0
  if (errors.length > 0 || conflict)
    return (
      <div role="alert" className={styles.report}>
        <p>{conflict ? t('rights.conflict') : t('rights.faulty')}</p>
        <ul>
          {errors.map((one) => (
            <li key={`${one.file}${one.line}${one.column}${one.code}`}>{locale === 'zh' ? one.zh : one.en}</li>
          ))}
        </ul>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </div>
    )
  return (
    <>
      {publication.access && <AccessReport report={publication.access} />}
      <div className={styles.note}>
        <Field label={t('rights.note')}>
          {(id) => (
            <Input
              id={id}
              value={note}
              maxLength={1000}
              placeholder={t('rights.noteHint')}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className={styles.buttons}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button
          type="primary"
          loading={busy}
          onClick={() => {
            setBusy(true)
            void onPublish(note).finally(() => setBusy(false))
          }}
        >
          {t('rights.publish')}
        </Button>
      </div>
    </>
  )
}
