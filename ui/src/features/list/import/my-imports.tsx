import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { Notice } from '@/components/notice'
import { OptionDot } from '@/components/option-dot'
import { formatInstant } from '@/lib/dates'
import { Failure } from '@/sdk/failure'
import { Pages } from '@/sdk/pages'
import { Sheet } from '@/sdk/sheet'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { errorFileAddress, type ImportContext, type ImportResult, importsQuery } from './api'
import { useDownload } from './download'
import styles from './import.module.css'
import { correctable, statusOf } from './import-state'
import { useUndo } from './import-views'
import { isLiveImport } from './use-import'

const SIZE = 10

interface Props {
  context: ImportContext
  onClose: () => void
  /** Shows one of them. */
  onOpen: (id: string) => void
  onUndo: (begun: ImportResult) => void
}

/** What the reader has imported into this model. */
export function MyImports({ context, onClose, onOpen, onUndo }: Props) {
  const t = useText()
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useQuery({
    ...importsQuery(context.schemaCode, page, SIZE),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.content.some(isLiveImport) ? 2000 : false),
  })
  return (
    <Sheet
      title={t('import.mine')}
      width={900}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <span />
          <Button type="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </div>
      }
    >
      {error && <Failure error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active title={false} />}
      {data?.totalElements === 0 && <Notice icon="inbox" title={t('import.noImports')} />}
      <ul className={styles.imports}>
        {data?.content.map((one) => (
          <Entry key={one.id} {...{ one, onOpen, onUndo }} />
        ))}
      </ul>
      {data && data.totalElements > SIZE && (
        <Pages
          size="small"
          align="end"
          current={page + 1}
          pageSize={SIZE}
          total={data.totalElements}
          showSizeChanger={false}
          showTotal={(count) => t('list.total', { count })}
          onChange={(next) => setPage(next - 1)}
        />
      )}
    </Sheet>
  )
}

function Entry({ one, onOpen, onUndo }: Pick<Props, 'onOpen' | 'onUndo'> & { one: ImportResult }) {
  const t = useText()
  const texts = useTextContext()
  const download = useDownload()
  const askUndo = useUndo()
  const live = isLiveImport(one)
  const status = statusOf(one)
  const cancelled = one.state === 'cancelled'
  const half = correctable(one)
  const color = live ? 'blue' : cancelled || half ? 'orange' : status === 'Success' ? 'green' : 'red'
  const label = live
    ? t(`import.phases.${one.phase}`)
    : cancelled
      ? t('import.cancelled')
      : one.phase === 'undo'
        ? t('import.undone')
        : t(`import.short.${status as 'Success'}`)
  const counts = (['added', 'changed', 'failed'] as const)
    .map((name) => [name, { added: one.addedCount, changed: one.changedCount, failed: one.errorCount }[name]] as const)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${t(`import.figures.${name}`)} ${count.toLocaleString('en-US')}`)
  return (
    <li>
      <div>
        <button type="button" className={styles.choose} onClick={() => onOpen(one.id)}>
          {one.originalFilename}
        </button>
        <p className={`${styles.note} tabular`}>
          {[formatInstant(one.createdTime, 'yyyy-MM-dd HH:mm', texts), ...counts].join(' · ')}
        </p>
      </div>
      <OptionDot label={label} color={color} />
      <div className={styles.acts}>
        {half && (
          <Button
            size="small"
            loading={download.running}
            onClick={() => void download.start(errorFileAddress(one.fileName))}
          >
            {t('import.errorFileShort')}
          </Button>
        )}
        {one.undoable && (
          <Button
            size="small"
            aria-label={`${t('import.undo')} ${one.originalFilename}`}
            onClick={() => askUndo(one, onUndo)}
          >
            {t('import.undoShort')}
          </Button>
        )}
      </div>
    </li>
  )
}
