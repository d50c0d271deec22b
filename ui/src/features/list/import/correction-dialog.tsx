import { Button, Drawer, Modal, Popover, Skeleton } from 'antd'
import { lazy, Suspense, useId, useState } from 'react'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useReturnFocus } from '@/lib/return-focus'
import { useIsPhone } from '@/lib/use-media'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { Pages } from '@/sdk/pages'
import { useText } from '@/sdk/use-text'
import {
  errorFileAddress,
  type FailedRow,
  type HeadColumn,
  type ImportContext,
  type ImportResult,
  type Replacement,
  type SubRow,
} from './api'
import { childCode, subRows } from './correction'
import styles from './correction.module.css'
import { CorrectionCards } from './correction-cards'
import { CorrectionsContext } from './correction-store'
import { useDownload } from './download'
import { ReplaceForm } from './replace-popover'
import { rowTitle } from './row-place'
import { useCorrection } from './use-correction'

const CorrectionGrid = lazy(() => import('./correction-grid'))

const SIZES = [10, 20, 50, 100]

interface Props {
  context: ImportContext
  onClose: () => void
  result: ImportResult
  /** Takes what a second import has come to. */
  onSecond: (result: ImportResult) => Promise<void>
}

/** The rows that an import refused, to be corrected here and imported again. */
export function CorrectionDialog({ context, result, onSecond, onClose }: Props) {
  const t = useText()
  const say = useFeedback()
  const phone = useIsPhone()
  const download = useDownload()
  const { schemaCode } = context
  const work = useCorrection(result, onSecond)
  const { rows, columns, ticked, running, total, query } = work
  const blockedId = useId()
  const [replacing, setReplacing] = useState(false)
  const [replaced, setReplaced] = useState(0)
  const [sheet, setSheet] = useState<{ row: string; column: HeadColumn } | null>(null)
  useReturnFocus()
  const ids = [...ticked]
  const skip = () => {
    const some = ids.length > 0
    const leave = () =>
      work.skip(some ? ids : null).then((done) => {
        if (done && (!some || ids.length >= total)) onClose()
      })
    if (some) return void leave()
    say.modal.confirm({
      title: t('import.skipTitle', { count: total }),
      content: t('import.skipText'),
      okText: t('import.skip'),
      onOk: leave,
    })
  }
  const confirm = () =>
    void work.confirm().then((done) => {
      if (done) onClose()
    })
  const all = columns.flatMap((column) => [
    { code: column.propertyCode, column },
    ...(column.childColumns ?? []).map((child) => ({ code: childCode(column, child), column: named(column, child) })),
  ])
  const withRows = (given: Omit<Replacement, 'rows'>) => ({ ...given, rows: given.all ? [] : ids })
  const replace = (given: Omit<Replacement, 'rows'>) =>
    void work
      .replace(withRows(given), (count) => say.success(t('import.replaced', { count })))
      .then((done) => {
        if (!done) return
        setReplacing(false)
        setReplaced((times) => times + 1)
      })
  const blocked = work.unresolved > 0
  const skipLabel = ids.length > 0 ? t('import.skipSome', { count: ids.length }) : t('import.skip')
  const footer = (
    <div className={styles.foot}>
      <Button
        type="link"
        loading={download.running}
        onClick={() => void download.start(errorFileAddress(result.fileName))}
      >
        {phone ? t('import.errorFileShort') : t('import.errorFile')}
      </Button>
      <Button disabled={running !== null || total === 0} loading={running === 'skip'} onClick={skip}>
        {skipLabel}
      </Button>
      <Button
        type="primary"
        aria-describedby={blocked ? blockedId : undefined}
        disabled={blocked || total === 0 || (running !== null && running !== 'second')}
        loading={running === 'second'}
        onClick={confirm}
      >
        {t('import.confirmImport')}
      </Button>
    </div>
  )
  const pages = total > 10 && (
    <Pages
      size="small"
      align="end"
      current={work.page + 1}
      pageSize={work.size}
      total={total}
      showSizeChanger
      pageSizeOptions={SIZES}
      showTotal={(count) => t('list.total', { count })}
      onChange={(next, size) => work.show(next - 1, size)}
    />
  )
  const body = (
    <CorrectionsContext value={work.store}>
      <div className={styles.body}>
        <div className={styles.head}>
          <p role="status">
            <span className={styles.good}>{t('import.successCount', { count: result.successCount })}</span>
            <span className={styles.bad}>{t('import.errorCount', { count: total })}</span>
            {result.skippedCount > 0 && <span>{t('import.skippedCount', { count: result.skippedCount })}</span>}
          </p>
          {blocked && (
            <p id={blockedId} className={styles.blocked}>
              {t('import.blocked', { count: work.unresolved })}
            </p>
          )}
          <span className={styles.gap} />
          <Popover
            open={replacing}
            onOpenChange={setReplacing}
            trigger="click"
            placement="bottomRight"
            arrow={false}
            destroyOnHidden
            content={
              <ReplaceForm
                columns={all}
                schemaCode={schemaCode}
                count={ids.length}
                total={total}
                running={running === 'replace'}
                onReplace={replace}
                preview={(given) => work.preview(withRows(given))}
              />
            }
          >
            <Button aria-haspopup="dialog" aria-expanded={replacing}>
              {t('import.replaceTitle')}
            </Button>
          </Popover>
        </div>
        {query.error && !query.data && <Failure error={query.error} onRetry={query.refetch} />}
        {!query.data && !query.error && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
        {query.data && rows.length === 0 && <Notice icon="check" title={t('import.noneLeft')} />}
        {rows.length > 0 && (
          <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 6 }} />}>
            {phone ? (
              // A control keeps what its cell began with: after a replacement the cells begin again.
              <CorrectionCards
                key={replaced}
                {...{ rows, columns, schemaCode, ticked }}
                onTick={(next) => work.setTicked(new Set(next))}
              />
            ) : (
              <CorrectionGrid
                {...{ rows, columns, schemaCode, ticked }}
                onTick={(next) => work.setTicked(tickedOn(ticked, rows, next))}
                onSheet={(row, column) => setSheet({ row: row.id, column })}
              />
            )}
          </Suspense>
        )}
        {pages}
        {sheet && (
          <SheetDialog
            row={rows.find((one) => one.id === sheet.row)}
            column={sheet.column}
            schemaCode={schemaCode}
            work={work}
            onClose={() => setSheet(null)}
          />
        )}
      </div>
    </CorrectionsContext>
  )
  const title = (
    <span className={styles.title}>
      {t('import.correctTitle')} <small>{result.originalFilename}</small>
    </span>
  )
  if (phone) {
    return (
      <Drawer open placement="bottom" size="100dvh" title={title} onClose={onClose} footer={footer}>
        {body}
      </Drawer>
    )
  }
  return (
    <Modal
      open
      title={title}
      width="80%"
      centered
      keyboard={!replacing}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={footer}
      destroyOnHidden
    >
      {body}
    </Modal>
  )
}

/** Ticks of other pages stay. */
function tickedOn(ticked: ReadonlySet<string>, rows: FailedRow[], here: string[]): Set<string> {
  const shown = new Set(rows.map((row) => row.id))
  return new Set([...[...ticked].filter((id) => !shown.has(id)), ...here])
}

/** A column of a sub-table under its whole name. */
const named = (sheet: HeadColumn, child: HeadColumn): HeadColumn => ({
  ...child,
  name: `${sheet.name}.${child.name}`,
  name_i18n: Object.fromEntries(
    Object.entries(child.name_i18n ?? {}).map(([locale, name]) => [
      locale,
      `${localName(sheet, locale === 'en' ? 'en' : 'zh')}.${name}`,
    ]),
  ),
})

interface SheetProps {
  row: FailedRow | undefined
  column: HeadColumn
  schemaCode: string
  work: ReturnType<typeof useCorrection>
  onClose: () => void
}

/** The rows of a sub-table of one refused record. */
function SheetDialog({ row, column, schemaCode, work, onClose }: SheetProps) {
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [replacing, setReplacing] = useState(false)
  const children = column.childColumns ?? []
  if (!row) return null
  const code = column.propertyCode
  const lines = subRows(row, code).map((_, sub) => `${row.id}/${sub}`)
  const change = (to: (rows: SubRow[]) => SubRow[]) =>
    void work.changeRows(row.id, code, to).then((done) => done && setTicked(new Set()))
  const replace = ({ all, propertyCode, value, conditions }: Omit<Replacement, 'rows'>) => {
    const places = work.placesIn(row, column, all ? new Set(lines) : ticked, propertyCode, conditions)
    work.store.getState().put(places.map((place) => ({ place, input: value })))
    say.success(t('import.replaced', { count: places.length }))
    setReplacing(false)
  }
  return (
    <Modal
      open
      width="min(1000px, 76%)"
      title={`${localName(column, locale)} · ${rowTitle(t, row)}`}
      onCancel={onClose}
      footer={
        <div className={styles.foot}>
          <Button
            type="text"
            icon={<Icon name="plus" />}
            loading={work.running === 'rows' && ticked.size === 0}
            disabled={work.running !== null}
            onClick={() => change((rows) => [...rows, {}])}
          >
            {t('import.addSubRow')}
          </Button>
          <Button
            disabled={ticked.size === 0 || work.running !== null}
            loading={work.running === 'rows' && ticked.size > 0}
            onClick={() => change((rows) => rows.filter((_, sub) => !ticked.has(`${row.id}/${sub}`)))}
          >
            {ticked.size > 0 ? t('import.removeSubRows', { count: ticked.size }) : t('import.remove')}
          </Button>
          <Popover
            open={replacing}
            onOpenChange={setReplacing}
            trigger="click"
            placement="topRight"
            arrow={false}
            destroyOnHidden
            content={
              <ReplaceForm
                columns={children.map((child) => ({ code: childCode(column, child), column: child }))}
                schemaCode={schemaCode}
                count={ticked.size}
                total={lines.length}
                running={false}
                onReplace={replace}
              />
            }
          >
            <Button aria-haspopup="dialog" aria-expanded={replacing}>
              {t('import.replaceTitle')}
            </Button>
          </Popover>
          <Button type="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </div>
      }
    >
      <Suspense fallback={<Skeleton active title={false} />}>
        <CorrectionGrid
          rows={[row]}
          columns={children}
          sheet={column}
          schemaCode={schemaCode}
          ticked={ticked}
          onTick={(next) => setTicked(new Set(next))}
          onSheet={() => {}}
        />
      </Suspense>
    </Modal>
  )
}
