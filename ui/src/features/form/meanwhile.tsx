import { Alert, Button } from 'antd'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { followEvents } from '@/api/events'
import type { components } from '@/api/schema.gen'
import { useText } from '@/sdk/use-text'
import styles from './form.module.css'
import type { RecordController } from './use-record'

type Changes = components['schemas']['Changes']
type News = 'changed' | 'deleted' | null

const RECORD_GONE = 302000

/** What the events of a model say of one record: the last word counts, and nothing changes what is gone. */
export function newsOf(before: News, changes: Changes['changes'], id: string): News {
  const of = changes.filter((change) => change.id === id)
  const last = of[of.length - 1]
  if (!last) return before
  if (last.kind === 'delete') return 'deleted'
  return last.kind === 'update' ? 'changed' : null
}

interface Props {
  schemaCode: string
  id: string
  version: number | null
  record: RecordController
}

/** Says that others have changed or deleted the record that is being edited. What was typed is not lost with it. */
export function Meanwhile({ schemaCode, id, version, record }: Props) {
  const t = useText()
  const [news, setNews] = useState<{ of: number | null; kind: News }>({ of: version, kind: null })
  useEffect(
    () =>
      followEvents(
        {
          changes: (event) => {
            const { schemaCode: of, changes } = JSON.parse(event.data) as Changes
            if (of !== schemaCode) return
            setNews((before) => ({
              of: version,
              kind: newsOf(before.of === version ? before.kind : null, changes, id),
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
  const kind = gone ? 'deleted' : news.of === version ? news.kind : null
  if (!kind || record.conflict) return null
  return (
    <Alert
      className={styles.unsent ?? ''}
      type={kind === 'deleted' ? 'warning' : 'info'}
      showIcon
      role="status"
      title={t(kind === 'deleted' ? 'form.meanwhileDeleted' : 'form.meanwhileChanged')}
      action={
        kind === 'deleted' && (
          <Button size="small" type="primary" loading={record.saving.isPending} onClick={record.saveAsNew}>
            {t('form.saveAsNew')}
          </Button>
        )
      }
    />
  )
}
