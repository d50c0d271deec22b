import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useErrorText } from '@/sdk/error-text'
import { Pages } from '@/sdk/pages'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { type HeadColumn, type ImportResult, rowsQuery } from './api'
import { columnsByCode, rowWords } from './correction'
import { FoundNotes } from './found-notes'
import styles from './import.module.css'

const SIZE = 20

interface Props {
  result: ImportResult
  starting: boolean
  failed: unknown
  /** Null where it is not known any more how the check was asked for. */
  onStart: (() => void) | null
  onBack: () => void
  onClose: () => void
}

/** What an import would do, row by row and cell by cell. Nothing has been written. */
export function CheckResult({ result, starting, failed, onStart, onBack, onClose }: Props) {
  const t = useText()
  const errorText = useErrorText()
  const counts = {
    added: result.addedCount,
    changed: result.changedCount,
    unchanged: result.unchangedCount,
    failed: result.errorCount,
  }
  const kinds = ['added', 'changed', 'failed'] as const
  const [kind, setKind] = useState<(typeof kinds)[number]>(() => kinds.find((one) => counts[one] > 0) ?? 'added')
  const nothing = counts.added + counts.changed === 0
  return (
    <Sheet
      title={t('import.checkTitle')}
      width={900}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <span className={styles.note}>{t('import.nothingWritten')}</span>
          <Button onClick={onBack}>{t('import.back')}</Button>
          {onStart && (
            <Button type="primary" disabled={nothing && counts.failed === 0} loading={starting} onClick={onStart}>
              {t('import.start')}
            </Button>
          )}
        </div>
      }
    >
      <div className={styles.form}>
        {failed !== null && failed !== undefined && (
          <p className={styles.error} role="alert">
            {errorText(failed)}
          </p>
        )}
        {result.errorMsg && result.errorCount === 0 && <p className={styles.error}>{result.errorMsg}</p>}
        <p className={styles.note} role="status">
          {t('import.checkCounts', counts)}
        </p>
        <FoundNotes result={result} />
        <Segmented
          aria-label={t('import.checkTitle')}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`import.would.${value}`, { count: counts[value] }) }))}
          onChange={setKind}
        />
        <Diff key={kind} id={result.id} kind={kind} head={result.headColumns} count={counts[kind]} />
      </div>
    </Sheet>
  )
}

interface DiffProps {
  id: string
  kind: 'added' | 'changed' | 'failed' | 'kept'
  head: HeadColumn[]
  /** How many rows there are, where only the first of them are kept. */
  count?: number
}

export function Diff({ id, kind, head, count = 0 }: DiffProps) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const [page, setPage] = useState(0)
  const { data, error } = useQuery({
    ...rowsQuery(id, kind, page, SIZE),
    placeholderData: keepPreviousData,
  })
  const names = useMemo(
    () => new Map([...columnsByCode(head)].map(([code, column]) => [code, localName(column, locale)])),
    [head, locale],
  )
  if (error)
    return (
      <p className={styles.error} role="alert">
        {errorText(error)}
      </p>
    )
  if (!data) return <Skeleton active title={false} />
  if (data.totalElements === 0) return <p className={styles.none}>{t('import.noneOfThem')}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the part that scrolls is reached by keyboard */}
      <section className={styles.diff} tabIndex={0} aria-label={t('import.checkTitle')}>
        <table>
          <thead>
            <tr>
              <th className={styles.number}>{t('import.row')}</th>
              <th>{t('import.record')}</th>
              <th>{t(kind === 'failed' || kind === 'kept' ? 'import.reason' : 'import.changes')}</th>
            </tr>
          </thead>
          <tbody>
            {data.content.map((row) => (
              <tr key={row.id}>
                <td className={`${styles.number} tabular`}>{row.rowNumber}</td>
                <td>{row.name ?? rowWords(row.data, head, locale)}</td>
                <td>
                  <ul>
                    {row.errors.map((one, at) => (
                      <li key={at} className={styles.bad}>
                        {names.get(one.propertyCode) && (
                          <span className={styles.what}>{names.get(one.propertyCode)}</span>
                        )}
                        {one.errmsg}
                      </li>
                    ))}
                    {(row.changes ?? []).map((one, at) => (
                      <li key={at}>
                        <span className={styles.what}>
                          {localName({ name: one.name, name_i18n: one.name_i18n ?? null }, locale)}
                        </span>
                        {kind === 'changed' && (
                          <>
                            <del>{one.beforeValue || t('import.emptyCell')}</del>
                            <span aria-hidden="true"> → </span>
                          </>
                        )}
                        <ins>{one.afterValue || t('import.emptyCell')}</ins>
                      </li>
                    ))}
                  </ul>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {data.totalElements < count && (
        <p className={styles.note}>{t('import.firstOnly', { shown: data.totalElements, count })}</p>
      )}
      {data.totalElements > SIZE && (
        <Pages
          size="small"
          align="end"
          current={page + 1}
          pageSize={SIZE}
          total={data.totalElements}
          showSizeChanger={false}
          showTotal={(rows) => t('list.total', { count: rows })}
          onChange={(next) => setPage(next - 1)}
        />
      )}
    </>
  )
}
