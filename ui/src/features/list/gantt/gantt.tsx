import { Button, Segmented, Tooltip } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { readStored, writeStored } from '@/lib/stored'
import { propertyUI } from '@/registry/properties'
import { useFeedback } from '@/sdk/feedback'
import { isEmptyValue } from '@/sdk/property'
import { recordPath, useOpenRecord } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import { Chart, type ChartColumn, type ChartEvents, type ChartTexts } from './chart'
import styles from './gantt.module.css'
import { drop } from './order'
import { fittingZoom, isZoom, ZOOMS, type Zoom } from './scales'
import { type GanttPlan, progressText, STATES, type State, spanChange, spanOf, type Task, wallNow } from './tasks'
import { useGanttSave } from './use-gantt-save'
import { isSortable, useTasks } from './use-tasks'

const TITLE_WIDTH = 300
/** As many roots are opened at once when the chart is first shown: each is a call. */
const OPEN_AT_FIRST = 12
const OPEN_AT_ONCE = 60

/** The list as a table with a bar for each row. */
export default function Gantt({ controller, plan }: { controller: ListController; plan: GanttPlan }) {
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
  useOpenRoots(controller)
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
        {...{ controller, plan, tasks, zoom, chart }}
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

/** A closed tree shows too few bars to say anything: a few roots are opened at the start. */
function useOpenRoots(controller: ListController) {
  const { rows, tree, store, query } = controller
  const done = useRef(false)
  useEffect(() => {
    if (done.current || !tree || !query.data) return
    done.current = true
    const roots = rows.filter((row) => row.branch === 'closed')
    if (store.getState().expanded.size > 0 || roots.length > OPEN_AT_FIRST) return
    for (const row of roots) store.getState().toggleRow(row.id)
  }, [rows, tree, store, query.data])
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

function useColumns({ config, shownColumns }: ListController, plan: GanttPlan): ChartColumn[] {
  const locale = useLocale()
  const context = useTextContext()
  return useMemo(() => {
    const title = config.queryColumns.find((column) => column.propertyCode === plan.titlePropertyCode)
    const others = shownColumns.filter((column) => column !== title && !column.childColumns)
    const first: ChartColumn = {
      code: 'text',
      label: title ? localName(title, locale) : '',
      width: Math.max(title?.width ?? 0, TITLE_WIDTH),
      align: 'left',
      text: (task) => task.title,
    }
    return [
      first,
      ...others.map((column): ChartColumn => {
        const ui = propertyUI(column.propertyType)
        return {
          code: column.propertyCode,
          label: localName(column, locale),
          width: column.width,
          align: ui.align ?? 'left',
          text: ({ row }) => {
            const value = row.data[column.propertyCode]
            return isEmptyValue(value) ? '' : ui.text(value, column, context)
          },
        }
      }),
    ]
  }, [config, shownColumns, plan, locale, context])
}

function useTexts({ config }: ListController, plan: GanttPlan): ChartTexts {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  return useMemo(() => {
    const column = (code: string | null) => config.queryColumns.find((one) => one.propertyCode === code)
    const words = (code: string | null, task: Task) => {
      const plan = column(code)
      const value = plan && task.row.data[plan.propertyCode]
      return plan && !isEmptyValue(value) ? propertyUI(plan.propertyType).text(value, plan, context) : ''
    }
    const [level, progress] = [column(plan.levelPropertyCode), column(plan.progressPropertyCode)]
    const state = (task: Task) => {
      if (progress?.options) return words(progress.propertyCode, task)
      return task.state ? t(`gantt.states.${task.state}`) : ''
    }
    const percent = (task: Task) => (task.share === null || progress?.options ? '' : `${Math.round(task.share * 100)}%`)
    const named = (code: string | null, task: Task): [string, string][] => {
      const plan = column(code)
      const text = words(code, task)
      return plan && text ? [[localName(plan, locale), text]] : []
    }
    return {
      state,
      level: (task) => {
        if (level?.options) return words(level.propertyCode, task)
        return task.level ? t(`gantt.levels.${task.level}`) : ''
      },
      barText: (task) => [task.reversed ? t('gantt.reversed') : task.title, percent(task)].filter(Boolean).join('  '),
      tooltip: (task) => [
        ['', task.title],
        ...named(plan.startTimePropertyCode, task),
        ...named(plan.endTimePropertyCode, task),
        ...(progress
          ? [[localName(progress, locale), [state(task), percent(task)].filter(Boolean).join(' ')] as [string, string]]
          : []),
      ],
      edge: (task, side) => ({
        label: words(side === 'before' ? plan.endTimePropertyCode : plan.startTimePropertyCode, task),
        title: t('gantt.reveal', { name: task.title }),
      }),
      today: t('gantt.today'),
      expand: t('list.expand'),
      collapse: t('list.collapse'),
      href: (task) =>
        recordPath({
          schemaCode: config.schemaCode,
          sheetCode: config.sheetCode ?? null,
          queryCode: config.queryCode,
          id: task.id,
        }),
    }
  }, [config, plan, context, locale, t])
}

function useEvents(
  controller: ListController,
  plan: GanttPlan,
  tasks: Task[],
  chart: React.RefObject<Chart | null>,
): ChartEvents {
  const t = useText()
  const say = useFeedback()
  const context = useTextContext()
  const openRecord = useOpenRecord()
  const { config, store } = controller
  const restore = () => chart.current?.restore()
  const { save, busy } = useGanttSave(controller, restore)
  const find = (id: string) => tasks.find((task) => task.id === id)
  const column = (code: string | null) => config.queryColumns.find((one) => one.propertyCode === code)
  const write = (task: Task, data: Record<string, string>) =>
    Object.keys(data).length > 0 ? void save([{ row: task.row, title: task.title, data }]) : restore()

  return {
    busy,
    open: (id) =>
      openRecord({
        schemaCode: config.schemaCode,
        sheetCode: config.sheetCode ?? null,
        queryCode: config.queryCode,
        id,
      }),
    toggle: (id) => store.getState().toggleRow(id),
    span: (id, bar, which) => {
      const task = find(id)
      if (!task) return
      const { start, end } = spanChange(spanOf(task.row, plan), bar, which, context.zone)
      write(task, {
        ...(start && plan.startTimePropertyCode ? { [plan.startTimePropertyCode]: start } : {}),
        ...(end && plan.endTimePropertyCode ? { [plan.endTimePropertyCode]: end } : {}),
      })
    },
    progress: (id, share) => {
      const [task, progress] = [find(id), column(plan.progressPropertyCode)]
      if (task && progress) write(task, { [progress.propertyCode]: progressText(share, progress) })
    },
    order: (id, index) => {
      const order = column(plan.orderPropertyCode)
      if (!order) return
      const scale = Number(order.settings?.scale ?? 8)
      const places = tasks.map(({ id, row, level }) => {
        const value = row.data[order.propertyCode]
        return { id, depth: row.depth, level, order: typeof value === 'string' ? value : null }
      })
      const result = drop(places, id, index, scale)
      if (result.kind === 'refused') say.warning(t('gantt.sameLevelOnly'))
      if (result.kind !== 'move') return
      void save(
        result.writes.flatMap(({ id, order: value }) => {
          const task = find(id)
          return task ? [{ row: task.row, title: task.title, data: { [order.propertyCode]: value } }] : []
        }),
      )
    },
  }
}
