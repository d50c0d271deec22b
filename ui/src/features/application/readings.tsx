import { useQuery } from '@tanstack/react-query'
import { get } from '@/api/client'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import styles from './application.module.css'

/** Kinds of documents that are kept in files, and looked at here. */
type Kind = 'report' | 'dictionary'

const listQuery = (kind: Kind, appCode: string) => ({
  queryKey: ['managed', kind, appCode] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/design/list', { kind, appCode }, { signal }),
})

/** The reports or dictionaries of an application; each opens in a tab of its own. */
export function Readings({ kind, appCode }: { kind: Kind; appCode: string }) {
  const t = useText()
  const locale = useLocale()
  const { data } = useQuery(listQuery(kind, appCode))
  if (!data || data.length === 0) return null
  const title = t(kind === 'report' ? 'desk.reports' : 'desk.dictionaries')
  return (
    <section aria-label={title}>
      <div className={styles.group}>
        <h2>{title}</h2>
      </div>
      <ul className={styles.rows}>
        {data.map(({ code, label }) => (
          <li key={code} className={styles.row}>
            <Icon name={kind === 'report' ? 'chart' : 'table'} />
            <div className={styles.main}>
              <a
                className={styles.name}
                href={`/document/${kind}/${encodeURIComponent(appCode)}/${encodeURIComponent(code)}`}
                target="_blank"
                rel="noopener"
              >
                {label.i18n?.[locale] || label.zh}
              </a>
              <p className={styles.facts}>{code}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
