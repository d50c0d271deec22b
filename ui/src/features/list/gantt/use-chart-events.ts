import { useFeedback } from '@/sdk/feedback'
import { useOpenRecord } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import type { Chart } from './chart'
import type { ChartEvents } from './chart-options'
import { drop } from './order'
import { type GanttPlan, progressText, spanChange, spanOf, type Task } from './tasks'
import { useGanttSave } from './use-gantt-save'

/** What the page does when something is dragged, opened or put elsewhere. */
export function useEvents(
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
