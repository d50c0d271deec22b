import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useEffect } from 'react'
import { Icon } from '@/components/icon'
import { AskedChoice } from '@/sdk/asked-choice'
import { Drawing, type PrintPages } from '@/sdk/paper/marks'
import { useDrawn } from '@/sdk/paper/use-font'
import { useText } from '@/sdk/use-text'
import { recordsQuery } from './api'
import styles from './paper.module.css'
import { useWidth } from './use-width'

interface Props {
  schemaCode: string
  record: string | null
  onRecord: (id: string | null) => void
  print: PrintPages | null
  /** Why there are no pages; "" = there are, or will be. */
  refused: string
  faulty: boolean
  busy: boolean
  /** It has codes that need the address of the server, which that does not know. */
  noAddress: boolean
}

const EDGE = 12

/** How a record looks with the template as it is now: the pages that would be printed. */
export function Preview({ schemaCode, record, onRecord, print, refused, faulty, busy, noAddress }: Props) {
  const t = useText()
  const { ref, width } = useWidth()
  const drawn = useDrawn(print)
  const widest = Math.max(1, ...(drawn?.print.pages.map((page) => page.width) ?? []))
  const scale = Math.max(0.2, (width - 2 * EDGE) / widest)
  return (
    <section className={styles.preview} aria-label={t('paper.preview')}>
      <RecordChoice schemaCode={schemaCode} record={record} onRecord={onRecord} />
      <p className={styles.note} role="status">
        {refused || (faulty ? t('paper.faulty') : busy ? t('paper.laying') : drawn ? t('paper.upToDate') : '')}
      </p>
      {noAddress && (
        <p className={styles.note} role="note">
          <Icon name="alert" size={14} /> {t('paper.noAddress')}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrows scroll it */}
      <div ref={ref} className={styles.pages} tabIndex={0}>
        {!drawn && !refused && record && !faulty && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
        {drawn?.print.pages.map((page, i) => (
          <section
            key={i}
            className={styles.proof}
            style={{ width: page.width * scale, height: page.height * scale, opacity: refused ? 0.4 : 1 }}
            aria-label={t('print.page', { n: i + 1, total: drawn.print.pages.length })}
          >
            <Drawing page={page} images={drawn.print.images} family={drawn.family} />
          </section>
        ))}
      </div>
    </section>
  )
}

function RecordChoice({ schemaCode, record, onRecord }: Pick<Props, 'schemaCode' | 'record' | 'onRecord'>) {
  const t = useText()
  const { data, isPending } = useQuery(recordsQuery(schemaCode, ''))
  // The newest record to begin with.
  useEffect(() => {
    const first = data?.content[0]
    if (record === null && first) onRecord(first.id)
  }, [data, record, onRecord])
  return (
    <div className={styles.record}>
      <AskedChoice
        aria-label={t('paper.record')}
        value={record ? [record] : []}
        placeholder={isPending ? t('paper.laying') : t('paper.noRecord')}
        query={(keyword) => recordsQuery(schemaCode, keyword)}
        choices={({ content }) => content.map((row) => ({ value: row.id, label: nameOf(row) }))}
        onChange={([next]) => onRecord(next ?? null)}
      />
    </div>
  )
}

function nameOf(row: { id: string; data: Record<string, unknown> }): string {
  const { name, sequenceNo } = row.data
  const words = [sequenceNo, name].filter((one): one is string => typeof one === 'string' && one !== '')
  return [...new Set(words)].join(' ') || row.id
}
