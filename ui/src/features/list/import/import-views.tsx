import { useQueryClient } from '@tanstack/react-query'
import { Button, Progress } from 'antd'
import { Icon } from '@/components/icon'
import { useErrorText, useRequestNote } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { cancelJob } from '@/sdk/jobs'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { errorFileAddress, type ImportResult, undo } from './api'
import { Diff } from './check-result'
import { useDownload } from './download'
import { FoundNotes } from './found-notes'
import styles from './import.module.css'
import { buttonsOf, correctable, isHalf, statusOf } from './import-state'
import { SheetCounts } from './sheet-counts'

/** Figures of an import with their words. */
export function Figures({ result }: { result: ImportResult }) {
  const t = useText()
  const figures =
    result.phase === 'undo'
      ? ([
          ['undone', result.undoneCount, 'good'],
          ['kept', result.keptCount, 'bad'],
        ] as const)
      : ([
          ['added', result.addedCount, 'good'],
          ['changed', result.changedCount, 'good'],
          ['unchanged', result.unchangedCount, 'plain'],
          ['removed', result.removedLines, 'bad'],
          ['failed', result.errorCount, 'bad'],
          ['skipped', result.skippedCount, 'plain'],
        ] as const)
  return (
    <dl className={styles.figures}>
      {figures
        .filter(([name, count]) => count > 0 || name === 'added' || name === 'changed' || name === 'undone')
        .map(([name, count, look]) => (
          <div key={name} data-look={count > 0 ? look : 'plain'}>
            <dt>{t(`import.figures.${name}`)}</dt>
            <dd className="tabular">{count.toLocaleString('en-US')}</dd>
          </div>
        ))}
    </dl>
  )
}

/** An import under way. It goes on when the dialog is closed. */
export function Running({ result, onClose }: { result: ImportResult; onClose: () => void }) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const percent = result.total > 0 ? Math.min(99, Math.floor((result.done / result.total) * 100)) : 0
  const words =
    result.state === 'queued'
      ? result.ahead > 0
        ? t('import.ahead', { count: result.ahead })
        : t('import.queued')
      : result.total > 0
        ? t(`import.running.${result.phase}`, { done: result.done, total: result.total })
        : t('import.reading', { done: result.done })
  const stop = () =>
    void cancelJob(result.jobId).then(
      () => client.invalidateQueries({ queryKey: ['import', result.id] }),
      (error) => say.error(error),
    )
  return (
    <Sheet
      title={t(`import.phases.${result.phase}`)}
      width={640}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <span className={styles.note}>{t('import.kept')}</span>
          <Button danger onClick={stop}>
            {t('import.stop')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t('import.background')}
          </Button>
        </div>
      }
    >
      <div className={styles.form}>
        <p className={styles.fileLine}>
          <Icon name="file" size={16} /> <span title={result.originalFilename}>{result.originalFilename}</span>
        </p>
        <Progress percent={percent} status="active" aria-label={t(`import.phases.${result.phase}`)} />
        <p className={`${styles.note} tabular`} role="status">
          {words}
        </p>
      </div>
    </Sheet>
  )
}

interface EndedProps {
  result: ImportResult | null
  error: unknown
  onClose: () => void
  onAgain: () => void
  onCorrect: () => void
  onMine: () => void
  onUndo: (begun: ImportResult) => void
}

/** How an import ended, and what can be done about it. */
export function Ended({ result, error, onClose, onAgain, onCorrect, onMine, onUndo }: EndedProps) {
  const t = useText()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  const download = useDownload()
  const askUndo = useUndo()
  const status = statusOf(result)
  const cancelled = result?.state === 'cancelled'
  const undone = result?.phase === 'undo'
  const title = cancelled
    ? t('import.cancelled')
    : undone && status !== 'SystemError'
      ? t('import.undone')
      : status === 'DataNumExceed'
        ? t('import.status.DataNumExceed', { count: result?.importSize ?? 0 })
        : t(`import.status.${status as 'Success'}`)
  const words = error
    ? [errorText(error), requestNote(error)].filter(Boolean).join(' ')
    : cancelled
      ? t('import.cancelledText')
      : (result?.errorMsg ?? '')
  const look = cancelled || isHalf(status) ? 'warn' : status === 'Success' ? 'good' : 'bad'
  const buttons = cancelled ? (['cancel', 'again'] as const) : buttonsOf(status)
  return (
    <Sheet
      title={t('import.result')}
      width={640}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button type="text" icon={<Icon name="history" />} onClick={onMine}>
            {t('import.mine')}
          </Button>
          {result?.undoable && <Button onClick={() => askUndo(result, onUndo)}>{t('import.undo')}</Button>}
          {buttons.map((button) =>
            button === 'cancel' ? (
              <Button key={button} onClick={onClose}>
                {t('common.cancel')}
              </Button>
            ) : button === 'again' ? (
              <Button key={button} type="primary" onClick={onAgain}>
                {t('import.again')}
              </Button>
            ) : (
              <Button key={button} type="primary" onClick={onClose}>
                {t('import.confirm')}
              </Button>
            ),
          )}
        </div>
      }
    >
      <div className={styles.form}>
        <p className={styles.ending} data-look={look} role="status">
          <Icon name={look === 'good' ? 'check' : 'alert'} size={20} />
          <strong>{title}</strong>
        </p>
        {words && <p className={look === 'bad' ? styles.error : styles.note}>{words}</p>}
        {result && <Figures result={result} />}
        {result && !undone && <SheetCounts sheets={result.sheets} />}
        {result && !undone && <FoundNotes result={result} />}
        {result && undone && result.keptCount > 0 && <Diff id={result.id} kind="kept" head={result.headColumns} />}
        {result && correctable(result) && (
          <p className={styles.next}>
            <Button type="primary" ghost onClick={onCorrect}>
              {t('import.correct')}
            </Button>
            <Button
              type="link"
              loading={download.running}
              onClick={() => void download.start(errorFileAddress(result.fileName))}
            >
              {t('import.errorFile')}
            </Button>
          </p>
        )}
      </div>
    </Sheet>
  )
}

/** Asks whether a whole import shall be taken back. */
export function useUndo() {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  return (result: Pick<ImportResult, 'id' | 'addedCount' | 'changedCount'>, begun: (result: ImportResult) => void) =>
    say.modal.confirm({
      title: t('import.undoTitle'),
      content: t('import.undoText', { added: result.addedCount, changed: result.changedCount }),
      okText: t('import.undo'),
      okButtonProps: { danger: true },
      onOk: async () => {
        try {
          begun(await undo(result.id))
        } catch (error) {
          return void say.error(error)
        }
        await client.invalidateQueries({ queryKey: ['import', 'list'] })
      },
    })
}
