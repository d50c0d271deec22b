import { Button, Skeleton } from 'antd'
import { lazy, type Ref, Suspense, useImperativeHandle, useMemo, useRef } from 'react'
import { Notice } from '@/components/notice'
import { localName } from '@/lib/local-name'
import type { DataSet, Row, SetData } from '@/sdk/report/api'
import { combine, measureText } from '@/sdk/report/figures'
import type { Words } from '@/sdk/report/words'
import { useText } from '@/sdk/use-text'
import { CHART_TYPES, type Chart, groupAt, linesIn, measureAt, measuresOf, missingOf } from './chart'
import type { Look } from './draw/look'
import { isUndated, MANY } from './draw/scene'
import type { ChartHandle } from './drawn-chart'
import type { DrillPlace } from './drill'
import { Figure } from './figure'
import { FlatTable } from './flat-table'
import { pictureOf } from './paint'
import { PivotTable } from './pivot-table'
import styles from './report.module.css'
import { useTurn } from './use-turn'

const DrawnChart = lazy(() => import('./drawn-chart').then((m) => ({ default: m.DrawnChart })))

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

/** How many groups the server reads, and how many it answers. */
const READ = 100_000
const ANSWERED = 10_000

/** Whether there are more groups than rows, none of which has what the others have together. */
const hides = ({ groups, rows }: SetData) =>
  groups !== null && groups > rows.length && !rows.at(-1)?.groups.some(({ others }) => others)

/** The first step of time that there are rows of. */
function beginOf(set: DataSet, rows: Row[]): string | undefined {
  const at = set.groups.findIndex(({ timeStep }) => timeStep)
  return rows
    .map(({ groups }) => groups[at]?.from ?? groups[at]?.value)
    .reduce<string | undefined>((first, step) => (step && (!first || step < first) ? step : first), undefined)
}

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
  const shared = { chart, set, rows: data.rows, name, words, place: { ...place, begin: beginOf(set, data.rows) } }
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
          <DrawnChart ref={drawn} scene={scene} name={name} place={shared.place} />
        </Suspense>
      )}
      {turn && view === 'chart' && <Undated {...shared} />}
      <Cut data={data} />
    </div>
  )
}

/** What has no time is on no line: how much that is is written below it. */
function Undated({ chart, set, rows, words }: { chart: Chart; set: DataSet; rows: Row[]; words: Words }) {
  const t = useText()
  const place = groupAt(set, chart.category)
  const without = rows.filter(({ groups }) => isUndated(set, chart.category, groups[place] ?? null))
  const figures = linesIn(chart).flatMap((code) => {
    const measure = set.measures[measureAt(set, code)]
    const value = combine(without, measureAt(set, code), set) ?? null
    return measure && value !== null ? `${localName(measure, words.locale)} ${measureText(value, measure, words)}` : []
  })
  const group = set.groups[place]
  if (!group || figures.length === 0) return null
  const name = localName(group, words.locale)
  return <p className={styles.note}>{t('report.undated', { name, figures: figures.join(' · ') })}</p>
}

/** Of how many groups there are those that are shown. */
function Cut({ data }: { data: SetData }) {
  const t = useText()
  const count = data.rows.length
  if (hides(data)) return <p className={styles.note}>{t('report.firstOf', { count, all: data.groups })}</p>
  if (!data.truncated) return null
  const text = count < ANSWERED ? t('report.truncated', { count: READ }) : t('report.firstOfMore', { count, all: READ })
  return <p className={styles.note}>{text}</p>
}

const Nothing = ({ text }: { text: string }) => <p className={styles.nothing}>{text}</p>
