import { useQuery } from '@tanstack/react-query'
import { Drawer, Empty, Skeleton } from 'antd'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { historyQuery } from './api'
import styles from './form.module.css'

interface HistoryProps {
  schemaCode: string
  id: string
  open: boolean
  onClose: () => void
}

/** Who changed what and when, newest first. */
export function History({ schemaCode, id, open, onClose }: HistoryProps) {
  const t = useText()
  const locale = useLocale()
  const { zone } = useTextContext()
  const history = useQuery({ ...historyQuery(schemaCode, id), enabled: open })
  const time = new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  const entries = history.data?.content ?? []
  return (
    <Drawer open={open} onClose={onClose} title={t('form.history')} size={440}>
      {history.isPending && <Skeleton active />}
      {history.isSuccess && entries.length === 0 && <Empty description={t('form.historyEmpty')} />}
      <div className={styles.history}>
        {entries.map((entry) => (
          <article key={entry.id} className={styles.entry}>
            <header>
              {entry.creatorName !== null && `${entry.creatorName} · `}
              {entry.kind === 'create'
                ? t('form.historyCreate')
                : entry.kind === 'delete'
                  ? t('form.historyDelete')
                  : entry.kind === 'derive'
                    ? t('form.historyDerive')
                    : t('form.historyUpdate', { count: entry.changes.length })}
              <br />
              {entry.modifiedTime && (
                <time dateTime={entry.modifiedTime}>{time.format(new Date(entry.modifiedTime))}</time>
              )}
            </header>
            {entry.remark && <p>{entry.remark}</p>}
            {(entry.kind === 'update' || entry.kind === 'derive') && (
              <dl>
                {entry.changes.map((change) => (
                  <FieldChange
                    key={change.propertyCode ?? change.name}
                    name={localName(change, locale)}
                    before={change.beforeValue}
                    after={change.afterValue}
                  />
                ))}
              </dl>
            )}
          </article>
        ))}
      </div>
    </Drawer>
  )
}

function FieldChange({ name, before, after }: { name: string; before: string | null; after: string | null }) {
  const t = useText()
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <del>{before ?? t('form.emptyValue')}</del> →{' '}
        <ins style={{ textDecoration: 'none' }}>{after ?? t('form.emptyValue')}</ins>
      </dd>
    </>
  )
}
