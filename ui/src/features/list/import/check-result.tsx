import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useErrorText } from '@/sdk/error-text'
import { useRowName } from '@/sdk/history-rows'
import { Pages } from '@/sdk/pages'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { type DiffRow, type HeadColumn, type ImportResult, rowsQuery } from './api'
import { columnsByCode, rowWords } from './correction'
import { FoundNotes } from './found-notes'
import styles from './import.module.css'
import { rowPlace } from './row-place'
import { SheetCounts } from './sheet-counts'

const SIZE = 20

const KINDS = ['removed', 'added', 'changed', 'failed'] as const

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
    removed: result.removedLines,
  }
  // What would be lost comes first.
  const kinds = KINDS.filter((one) => one !== 'removed' || counts.removed > 0)
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
        {counts.removed > 0 && (
          <p className={styles.warning}>
            <Icon name="alert" size={14} />
            {t('import.removes', { count: counts.removed })}
          </p>
        )}
        <FoundNotes result={result} />
        <SheetCounts sheets={result.sheets} />
        <Segmented
          aria-label={t('import.checkTitle')}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`import.would.${value}`, { count: counts[value] }) }))}
          onChange={setKind}
        />
        <Diff
          key={kind}
          id={result.id}
          kind={kind}
          head={result.headColumns}
          count={kind === 'removed' ? 0 : counts[kind]}
        />
      </div>
    </Sheet>
  )
}

type One = NonNullable<DiffRow['changes']>[number]

/** A property with its value before and after; of a sub-table each of its rows that changes. */
function Change({ change, from }: { change: One; from: boolean }) {
  const t = useText()
  const locale = useLocale()
  const nameOf = useRowName()
  const name = localName({ name: change.name, name_i18n: change.name_i18n ?? null }, locale)
  if (change.rows?.length)
    return (
      <li>
        <span className={styles.what}>{name}</span>
        <ul className={styles.lines}>
          {change.rows.map((row) => (
            <li key={row.id} className={row.kind === 'delete' ? styles.bad : undefined}>
              {nameOf(row)} <span className={styles.what}>{t(`life.rowKinds.${row.kind}`)}</span>
              {row.changes.length > 0 && (
                <ul>
                  {row.changes.map((cell, at) => (
                    <Change key={at} change={cell} from={row.kind !== 'create'} />
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      </li>
    )
  return (
    <li>
      <span className={styles.what}>{name}</span>
      {from && (
        <>
          <del>{change.beforeValue || t('import.emptyCell')}</del>
          <span aria-hidden="true"> → </span>
        </>
      )}
      <ins>{change.afterValue || t('import.emptyCell')}</ins>
    </li>
  )
}

interface DiffProps {
  id: string
  kind: 'added' | 'changed' | 'removed' | 'failed' | 'kept'
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
                <td className={`${styles.number} tabular`}>{rowPlace(row)}</td>
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
                      <Change key={at} change={one} from={kind === 'changed' || kind === 'removed'} />
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
