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
import { portalHistoryQuery, readVersion } from './api'
import { isPage, type Page } from './page'
import styles from './portal.module.css'

interface Props {
  portalCode: string
  appCode: string | null
  readOnly: boolean
  onTake: (page: Page, version: number) => void
  onClose: () => void
}

/** The versions of a page; each can be taken over as the draft. */
export function HistoryDialog({ portalCode, appCode, readOnly, onTake, onClose }: Props) {
  useReturnFocus()
  const t = useText()
  const say = useFeedback()
  const context = useTextContext()
  const errorText = useErrorText()
  const { data, error } = useQuery(portalHistoryQuery(portalCode, appCode))
  const [busy, setBusy] = useState<number | null>(null)
  const take = (version: number) => {
    setBusy(version)
    readVersion(portalCode, appCode, version)
      .then(({ text }) => {
        const page = readJson(text)
        if (isPage(page)) onTake(page, version)
        else say.warning(t('portalDesign.notAPage'))
      })
      .catch(say.error)
      .finally(() => setBusy(null))
  }
  const button = (version: number) => (
    <Button size="small" disabled={readOnly} loading={busy === version} onClick={() => take(version)}>
      {t('paper.takeVersion')}
    </Button>
  )
  return (
    <Modal open width={560} footer={null} title={t('paper.history')} onCancel={onClose}>
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <Skeleton active title={false} />}
      {data?.length === 0 && <p>{t('portalDesign.noHistory')}</p>}
      <ol className={styles.versions}>
        {data?.map((one, i) => (
          <li key={one.version}>
            <span>
              <strong>{t('paper.version', { version: one.version })}</strong>
              <small>
                {[formatInstant(one.time, 'yyyy-MM-dd HH:mm', context), one.name].filter(Boolean).join(' · ')}
              </small>
            </span>
            {i === 0 ? <small>{t('paper.current')}</small> : button(one.version)}
          </li>
        ))}
        {data && data.length > 0 && (
          <li>
            <strong>{t('paper.delivered')}</strong>
            {button(0)}
          </li>
        )}
      </ol>
    </Modal>
  )
}
