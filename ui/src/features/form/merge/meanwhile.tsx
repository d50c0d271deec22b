import { Alert, Button } from 'antd'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { followEvents } from '@/api/events'
import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import styles from '../form.module.css'
import type { RecordController } from '../record/use-record'
import { type Changes, type RemoteChange, remoteChangeOf } from './remote-change'

const RECORD_GONE = ERROR.RecordNotFound

interface Props {
  schemaCode: string
  id: string
  version: number | null
  record: RecordController
}

/** Says that others have changed or deleted the record that is being edited. What was typed is not lost with it. */
export function Meanwhile({ schemaCode, id, version, record }: Props) {
  const t = useText()
  const locale = useLocale()
  const [news, setNews] = useState<{ of: number | null; what: RemoteChange }>({ of: version, what: null })
  useEffect(
    () =>
      followEvents(
        {
          changes: (event) => {
            const { schemaCode: of, changes } = JSON.parse(event.data) as Changes
            if (of !== schemaCode) return
            setNews((before) => ({
              of: version,
              what: remoteChangeOf(before.of === version ? before.what : null, changes, id),
            }))
          },
        },
        () => {},
        schemaCode,
      ),
    [schemaCode, id, version],
  )
  const { error } = record.saving
  const gone = error instanceof ApiError && error.code === RECORD_GONE
  const heard = news.of === version ? news.what : null
  const what: RemoteChange = gone && heard?.kind !== 'deleted' ? { kind: 'deleted', by: null } : heard
  if (!what || record.conflict) return null
  const deleted = what.kind === 'deleted'
  const said = deleted
    ? what.by
      ? t('form.meanwhileDeletedBy', { name: what.by })
      : t('form.meanwhileDeleted')
    : what.by
      ? t('form.meanwhileChangedBy', { names: new Intl.ListFormat(locale).format(what.by) })
      : t('form.meanwhileChanged')
  return (
    <Alert
      className={styles.unsent ?? ''}
      type={deleted ? 'warning' : 'info'}
      showIcon
      role="status"
      title={said}
      action={
        deleted && (
          <Button size="small" type="primary" loading={record.saving.isPending} onClick={record.saveAsNew}>
            {t('form.saveAsNew')}
          </Button>
        )
      }
    />
  )
}
