import { useMemo, useRef } from 'react'
import { propertyUI } from '@/registry/properties'
import { writesInPlace } from '@/sdk/action'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { ShownRow } from '../data/use-tree-rows'
import { linkColumn } from '../table/column-defs'
import type { ListController } from '../use-list-controller'
import { barOf, type GanttPlan, levelOf, progressOf, spanOf, type Task } from './tasks'

const NOWHERE = new Date(2000, 0, 1)
const TOMORROW = new Date(2000, 0, 2)

/** Whether rows may be put in order now: the list is in its own order and shows all rows of a level. */
export function isSortable(controller: ListController, plan: GanttPlan): boolean {
  const { orderPropertyCode: order, writable } = plan
  return Boolean(order && writable.includes(order) && !controller.view.sort && controller.visibleFilters.length === 0)
}

/** The list's rows as tasks. A row that did not change keeps its task. */
export function useTasks(controller: ListController, plan: GanttPlan): Task[] {
  const t = useText()
  const context = useTextContext()
  const { config, rows } = controller
  const known = useRef(new WeakMap<ShownRow, Task>())
  const sortable = isSortable(controller, plan)
  const make = useMemo(() => {
    known.current = new WeakMap()
    const column = (code: string | null) => config.queryColumns.find((one) => one.propertyCode === code)
    const progress = column(plan.progressPropertyCode)
    const name = column(plan.titlePropertyCode) ?? linkColumn(config.queryColumns, [])
    const writes = (code: string | null) => code !== null && plan.writable.includes(code)
    return (row: ShownRow): Task => {
      const bar = barOf(spanOf(row, plan), context.zone)
      const edits = row.actions?.includes('edit') ?? false
      const takes = (code: string | null) => edits && code !== null && writes(code) && writesInPlace(row, code)
      const value = name ? row.data[name.propertyCode] : null
      return {
        id: row.id,
        row,
        title:
          !name || isEmptyValue(value) ? t('list.unnamed') : propertyUI(name.propertyType).text(value, name, context),
        start: bar?.start ?? NOWHERE,
        end: bar?.end ?? TOMORROW,
        dateless: bar === null,
        reversed: bar?.reversed ?? false,
        ...progressOf(progress ? row.data[progress.propertyCode] : null, progress),
        level: plan.levelPropertyCode ? levelOf(row.data[plan.levelPropertyCode]) : null,
        may: {
          start: takes(plan.startTimePropertyCode),
          end: takes(plan.endTimePropertyCode),
          progress: !progress?.options && takes(plan.progressPropertyCode),
          order: sortable && takes(plan.orderPropertyCode),
        },
      }
    }
  }, [config, plan, context, t, sortable])
  return useMemo(
    () =>
      rows.map((row) => {
        const task = known.current.get(row) ?? make(row)
        known.current.set(row, task)
        return task
      }),
    [rows, make],
  )
}
