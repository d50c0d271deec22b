import { Button, Segmented, Tooltip } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { readStored, writeStored } from '@/lib/stored'
import type { ViewProps } from '@/sdk/pack'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import { Chart } from './chart'
import styles from './gantt.module.css'
import { fittingZoom, isZoom, ZOOMS, type Zoom } from './scales'
import { type GanttPlan, STATES, type State, type Task, wallNow } from './tasks'
import { useEvents } from './use-chart-events'
import { useColumns, useTexts } from './use-chart-texts'
import { isSortable, useTasks } from './use-tasks'

/** As many roots are opened at once when the chart is first shown: each is a call. */
const OPEN_AT_FIRST = 12
const OPEN_AT_ONCE = 60
/** Branches that do not come hold back the others for so long, in milliseconds. */
const PATIENCE = 4000
const NONE: Task[] = []

/** The list as a table with a bar for each row. */
export default function Gantt({ list }: ViewProps<ListController>) {
  const plan = list.config.queryPresentation.gantt
  return plan ? <GanttChart controller={list} plan={plan} /> : null
}

function GanttChart({ controller, plan }: { controller: ListController; plan: GanttPlan }) {
  const t = useText()
  const locale = useLocale()
  const { config, shownColumns } = controller
  const zoomKey = `${config.schemaCode}_gantt_zoom`
  const [chosen, setZoom] = useState<Zoom | null>(() => readStored(zoomKey, isZoom) ?? null)
  const tasks = useTasks(controller, plan)
  const fitting = useRef<Zoom | null>(null)
  if (tasks.length > 0) fitting.current ??= fittingZoom(tasks.filter((task) => !task.dateless))
  const zoom = chosen ?? fitting.current ?? 'week'
  const chart = useRef<Chart | null>(null)
  const columns = shownColumns.map((column) => column.propertyCode).join()
  const steady = useOpenRoots(controller)
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <Legend shown={plan.progressPropertyCode !== null} />
        <span className={styles.gap} />
        <Tooltip title={t('gantt.keys')} placement="bottom">
          <Button type="text" aria-label={t('gantt.keys')} icon={<Icon name="keyboard" />} />
        </Tooltip>
        {controller.tree && <Levels controller={controller} />}
        <Button onClick={() => chart.current?.toToday()}>{t('gantt.today')}</Button>
        <Segmented<Zoom>
          aria-label={t('gantt.zoom')}
          value={zoom}
          options={ZOOMS.map((value) => ({ value, label: t(`gantt.${value}`) }))}
          onChange={(value) => {
            setZoom(value)
            writeStored(zoomKey, value)
          }}
        />
      </div>
      <Bars
        key={`${locale}/${columns}/${isSortable(controller, plan)}`}
        {...{ controller, plan, tasks: steady ? tasks : NONE, zoom, chart }}
      />
    </div>
  )
}

function Legend({ shown }: { shown: boolean }) {
  const t = useText()
  if (!shown) return null
  return (
    <ul className={styles.legend}>
      {(Object.keys(STATES) as State[]).map((state) => (
        <li key={state} className={`gantt-state gantt-${state}`}>
          {t(`gantt.states.${state}`)}
        </li>
      ))}
    </ul>
  )
}

function Levels({ controller }: { controller: ListController }) {
  const t = useText()
  const closed = controller.rows.filter((row) => row.branch === 'closed')
  const { toggleRow } = controller.store.getState()
  return (
    <>
      <Button
        type="text"
        disabled={closed.length === 0}
        onClick={() => {
          for (const row of closed.slice(0, OPEN_AT_ONCE)) toggleRow(row.id)
        }}
      >
        {t('gantt.expandLevel')}
      </Button>
      <Button
        type="text"
        disabled={controller.expanded.size === 0}
        onClick={() => {
          for (const id of controller.expanded) toggleRow(id)
        }}
      >
        {t('gantt.collapseAll')}
      </Button>
    </>
  )
}

/**
 * A closed tree shows too few bars to say anything: a few roots are opened at the start, unless somebody arranged them before. Tells whether
 * what is below them is there, or does not come: until then nothing is drawn that it would move.
 */
function useOpenRoots(controller: ListController): boolean {
  const { rows, tree, store, query } = controller
  const done = useRef(false)
  const [steady, setSteady] = useState(false)
  useEffect(() => {
    if (steady || !query.data) return
    if (!tree) return setSteady(true)
    if (done.current) {
      if (rows.every((row) => row.branch !== 'loading')) setSteady(true)
      return
    }
    done.current = true
    const roots = rows.filter((row) => row.branch === 'closed')
    if (store.getState().arranged || roots.length > OPEN_AT_FIRST || roots.length === 0) return setSteady(true)
    for (const row of roots) store.getState().toggleRow(row.id)
  }, [rows, tree, store, query.data, steady])
  useEffect(() => {
    const patience = setTimeout(() => setSteady(true), PATIENCE)
    return () => clearTimeout(patience)
  }, [])
  return steady
}

interface BarsProps {
  controller: ListController
  plan: GanttPlan
  tasks: Task[]
  zoom: Zoom
  chart: React.RefObject<Chart | null>
}

function Bars({ controller, plan, tasks, zoom, chart }: BarsProps) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const host = useRef<HTMLElement>(null)
  const columns = useColumns(controller, plan)
  const texts = useTexts(controller, plan)
  const events = useEvents(controller, plan, tasks, chart)
  const live = useRef(events)
  live.current = events
  const { config } = controller

  // The chart lives as long as this component; what may change is handed to it below or read through `live`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns, texts and locale make the key of this component
  useEffect(() => {
    if (!host.current) return
    const made = new Chart(host.current, zoom, {
      columns,
      locale,
      texts,
      sortable: isSortable(controller, plan),
      now: () => wallNow(context.zone),
      events: {
        open: (id) => live.current.open(id),
        toggle: (id) => live.current.toggle(id),
        span: (...args) => live.current.span(...args),
        progress: (...args) => live.current.progress(...args),
        order: (...args) => live.current.order(...args),
        busy: (id) => live.current.busy(id),
      },
    })
    chart.current = made
    const watch = new ResizeObserver(() => made.resize())
    watch.observe(host.current)
    return () => {
      watch.disconnect()
      chart.current = null
      made.destroy()
    }
  }, [])
  useEffect(() => chart.current?.show(tasks), [chart, tasks])
  useEffect(() => chart.current?.zoom(zoom), [chart, zoom])
  return (
    <section ref={host} className={styles.chart} aria-label={t('gantt.label', { name: localName(config, locale) })} />
  )
}
