import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { formatInstant } from '@/lib/dates'
import { useReturnFocus } from '@/lib/return-focus'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { readJson } from '../shared/json'
import { printHistoryQuery, readVersion } from './api'
import styles from './paper.module.css'
import { isTemplate, type Template } from './template'

interface Props {
  appCode: string
  printCode: string
  onTake: (template: Template, version: number) => void
  onClose: () => void
}

/** The versions of a template; each can be taken over as the draft. */
export function HistoryDialog({ appCode, printCode, onTake, onClose }: Props) {
  useReturnFocus()
  const t = useText()
  const say = useFeedback()
  const context = useTextContext()
  const errorText = useErrorText()
  const { data, error } = useQuery(printHistoryQuery(appCode, printCode))
  const [busy, setBusy] = useState<number | null>(null)
  const take = (version: number) => {
    setBusy(version)
    readVersion(appCode, printCode, version)
      .then(({ text }) => {
        const template = readJson(text)
        if (isTemplate(template)) onTake(template, version)
        else say.warning(t('paper.notATemplate'))
      })
      .catch(say.error)
      .finally(() => setBusy(null))
  }
  const own = data !== undefined && data.length > 0 && data[0] !== undefined
  return (
    <Modal open width={560} footer={null} title={t('paper.history')} onCancel={onClose}>
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <Skeleton active title={false} />}
      {data?.length === 0 && <p>{t('paper.noHistory')}</p>}
      <ol className={styles.versions}>
        {data?.map((one, i) => (
          <li key={one.version}>
            <span>
              <strong>{t('paper.version', { version: one.version })}</strong>
              <small>
                {[formatInstant(one.time, 'yyyy-MM-dd HH:mm', context), one.name].filter(Boolean).join(' · ')}
              </small>
            </span>
            {i === 0 ? (
              <small>{t('paper.current')}</small>
            ) : (
              <Button size="small" loading={busy === one.version} onClick={() => take(one.version)}>
                {t('paper.takeVersion')}
              </Button>
            )}
          </li>
        ))}
        {own && (
          <li>
            <strong>{t('paper.delivered')}</strong>
            <Button size="small" loading={busy === 0} onClick={() => take(0)}>
              {t('paper.takeVersion')}
            </Button>
          </li>
        )}
      </ol>
    </Modal>
  )
}
