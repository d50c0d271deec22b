import { useQuery } from '@tanstack/react-query'
import { Alert, Modal } from 'antd'
import { useLocale } from '@/i18n/locale'
import { useReturnFocus } from '@/lib/return-focus'
import type { Way } from '@/sdk/access/api'
import { AccessWays } from '@/sdk/access/ways'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { type DocumentDraft, planQuery } from './api'
import { useProblemText } from './fields'
import type { Problem } from './problems'

interface Props {
  name: string
  draft: DocumentDraft
  /** What differs from what is published. */
  changes: string[]
  /** What becomes of what is there. */
  note: string
  problems: Problem[]
  /** What it opens besides roles. */
  ways: Way[]
  busy: boolean
  onPublish: () => void
  onClose: () => void
}

/** What is about to be published, and what becomes of what is there. */
export function PublishDialog({ name, draft, changes, note, problems, ways, busy, onPublish, onClose }: Props) {
  useReturnFocus()
  const t = useText()
  const locale = useLocale()
  const say = useProblemText()
  const { data: plan } = useQuery(planQuery(draft))
  const label = (of: { zh: string; i18n?: Record<string, string> }) => of.i18n?.[locale] || of.zh
  return (
    <Modal
      open
      title={t('design.publishTitle', { name })}
      okText={t('design.publish')}
      cancelText={t('common.cancel')}
      confirmLoading={busy}
      onOk={onPublish}
      onCancel={onClose}
    >
      <ul className={styles.changes}>
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>{note}</p>
      {plan && plan.steps.length > 0 && (
        <>
          <p>{t('desk.willDo')}</p>
          <ul className={styles.changes}>
            {plan.steps.map((one) => (
              <li key={one.zh}>{label(one)}</li>
            ))}
          </ul>
        </>
      )}
      <AccessWays ways={ways} />
      {problems.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('design.warnings', { count: problems.length })}
          description={
            <ul>
              {problems.map((one) => (
                <li key={one.code + one.pointer}>{say(one)}</li>
              ))}
            </ul>
          }
        />
      )}
    </Modal>
  )
}
