import { Button, Skeleton } from 'antd'
import { lazy, type Ref, Suspense, useImperativeHandle, useMemo, useRef } from 'react'
import { Notice } from '@/components/notice'
import { loadChunk } from '@/lib/chunk'
import type { DataSet, SetData } from '@/sdk/report/api'
import type { Words } from '@/sdk/report/words'
import { useText } from '@/sdk/use-text'
import { CHART_TYPES, type Chart, measureAt, measuresOf, missingOf } from './chart'
import type { Look } from './draw/look'
import { MANY } from './draw/scene'
import type { ChartHandle } from './drawn-chart'
import type { DrillPlace } from './drill'
import { Figure } from './figure'
import { FlatTable } from './flat-table'
import { pictureOf } from './paint'
import { PivotTable } from './pivot-table'
import styles from './report.module.css'
import { useTurn } from './use-turn'

const DrawnChart = lazy(() => loadChunk(() => import('./drawn-chart')).then((m) => ({ default: m.DrawnChart })))

export interface BodyProps {
  chart: Chart
  name: string
  set: DataSet | undefined
  /** Missing while it is being read. */
  data: SetData | undefined
  view: 'chart' | 'table'
  look: Look
  words: Words
  today: string
  place: DrillPlace | null
  /** Whether somebody narrows the page. */
  filtered: boolean
  onRetry: () => void
  ref?: Ref<ChartHandle>
}

/** How many groups an answer that is cut off was made of: the largest n of all that the server read, or as many as it answers. */
const counted = (rows: number) => (rows < 10_000 ? 100_000 : rows)

/** A chart, or the reason why there is none. */
export function ChartBody(props: BodyProps) {
  const { chart, name, set, data, view, look, words, today, place, filtered, onRetry, ref } = props
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<ChartHandle>(null)
  useImperativeHandle(ref, () => ({
    picture: () => {
      const within = box.current?.querySelector<HTMLElement>('[data-scroll]') ?? box.current
      return drawn.current?.picture() ?? (within ? pictureOf(within, look.surface) : null)
    },
  }))
  const rows = data?.rows
  const turn = useTurn(box, (rows?.length ?? 0) > MANY)
  const scene = useMemo(
    () => (set && rows ? { chart, set, rows, look, words, today } : null),
    [chart, set, rows, look, words, today],
  )
  if (!CHART_TYPES.has(chart.chartType)) return <Nothing text={t('report.unknownType', { name: chart.chartType })} />
  if (!data) return <Skeleton className={styles.waiting ?? ''} active title={false} paragraph={{ rows: 4 }} />
  if (data.error) {
    return (
      <Notice
        role="alert"
        icon="alert"
        title={t('report.dataFailed')}
        text={data.error.message}
        actions={<Button onClick={onRetry}>{t('common.retry')}</Button>}
      />
    )
  }
  const waiting = <Skeleton className={styles.waiting ?? ''} active title={false} paragraph={{ rows: 4 }} />
  const [missing] = set ? missingOf(chart, set) : [chart.dataSet]
  if (!set || !scene || !place || missing) return <Nothing text={t('report.missing', { name: missing ?? '' })} />
  if (data.rows.length === 0) return <Nothing text={filtered ? t('report.noDataFilters') : t('report.noData')} />
  const places = measuresOf(chart).map((code) => measureAt(set, code))
  if (data.rows.every(({ values }) => places.every((at) => values[at] === null)))
    return <Nothing text={t('report.noValue')} />
  const shared = { chart, set, rows: data.rows, name, words, place }
  return (
    <div ref={box} className={styles.body}>
      {!turn ? (
        waiting
      ) : chart.chartType === 'pivot' ? (
        <PivotTable {...shared} />
      ) : view === 'table' ? (
        <FlatTable {...shared} />
      ) : chart.chartType === 'figure' ? (
        <Figure {...shared} />
      ) : (
        <Suspense fallback={waiting}>
          <DrawnChart ref={drawn} scene={scene} name={name} place={place} />
        </Suspense>
      )}
      {data.truncated && <p className={styles.note}>{t('report.truncated', { count: counted(data.rows.length) })}</p>}
    </div>
  )
}

const Nothing = ({ text }: { text: string }) => <p className={styles.nothing}>{text}</p>
