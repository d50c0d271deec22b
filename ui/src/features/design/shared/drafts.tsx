import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { type Begun, begunQuery, type DocumentName, discardDraft, lockDocument, nameOf, unlockDocument } from './api'

interface Props {
  kind: DocumentName['kind']
  appCode: string
  addressOf: (code: string) => string
}

/** New documents that were begun and not published. One that another person edits is only looked at. */
export function Drafts({ kind, appCode, addressOf }: Props) {
  const t = useText()
  const say = useFeedback()
  const locale = useLocale()
  const context = useTextContext()
  const client = useQueryClient()
  const query = begunQuery(kind, appCode)
  const { data = [] } = useQuery(query)
  if (data.length === 0) return null
  const label = ({ label: of, code }: Begun) => of.i18n?.[locale] || of.zh || code
  const drop = (code: string) => {
    const of = nameOf(kind, code, appCode)
    lockDocument(of)
      .then(() => discardDraft(of))
      .then(() => unlockDocument(of))
      .then(() => client.invalidateQueries({ queryKey: query.queryKey }))
      .catch(say.error)
  }
  return (
    <section className={styles.begun} aria-label={t('design.begun')}>
      <h2>{t('design.begun')}</h2>
      <ul>
        {data.map((one) => (
          <li key={one.code}>
            <span>
              <strong>{label(one)}</strong>
              <small>
                {[
                  one.code,
                  one.draftTime && formatInstant(one.draftTime, 'yyyy-MM-dd HH:mm', context),
                  one.draftBy,
                  one.lockedBy && one.lockedBy !== one.draftBy && t('desk.takenBy', { name: one.lockedBy }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            <span className={styles.begunActs}>
              <Button
                size="small"
                type="text"
                disabled={one.lockedBy !== null && !one.mine}
                onClick={() =>
                  say.modal.confirm({
                    title: t('desk.discardTitle'),
                    content: label(one),
                    okText: t('design.discard'),
                    okButtonProps: { danger: true },
                    cancelText: t('common.cancel'),
                    onOk: () => drop(one.code),
                  })
                }
              >
                {t('design.discard')}
              </Button>
              <Link to={addressOf(one.code)}>{t('design.continue')}</Link>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
