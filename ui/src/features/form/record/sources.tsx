import { get } from '@/api/client'
import { Icon } from '@/components/icon'
import { formatInstant } from '@/lib/dates'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from '../form.module.css'

export const sourcesQuery = (schemaCode: string, bizObjectId: string) => ({
  queryKey: ['record', schemaCode, bizObjectId, 'sources'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get('/api/runtime/import/source', { schemaCode, bizObjectId }, { signal }),
})

type Source = Awaited<ReturnType<ReturnType<typeof sourcesQuery>['queryFn']>>[number]

/** Which imports wrote the record: file, row, who and when. Nothing where none did. */
export function Sources({ sources }: { sources: Source[] }) {
  const t = useText()
  const context = useTextContext()
  if (sources.length === 0) return null
  return (
    <section className={styles.sources} aria-label={t('import.source.title')}>
      <h2>{t('import.source.title')}</h2>
      <ul>
        {sources.map((one) => (
          <li key={`${one.importId} ${one.sheet} ${one.rowNumber}`}>
            <Icon name="upload" size={14} />
            <div>
              {one.sheet
                ? t('import.source.in', { file: one.fileName, place: `${one.sheet}!${one.rowNumber}` })
                : t('import.source.from', { file: one.fileName, row: one.rowNumber })}
              <p>
                {[
                  t(one.created ? 'import.source.created' : 'import.source.changed'),
                  one.userName,
                  formatInstant(one.time, 'yyyy-MM-dd HH:mm', context),
                  one.undone && t('import.source.undone'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
