import type { GanttStatic } from 'dhtmlx-gantt'
import type { ChartEvents } from './chart-options'
import type { Task } from './tasks'

const ROW = 'taskRow'
/** The library's own keys that change rows: here the page changes rows, with the user's rights. */
const taken = [
  'enter',
  'delete',
  'ctrl+enter',
  'shift+right',
  'shift+left',
  'shift+up',
  'shift+down',
  'ctrl+left',
  'ctrl+right',
]

const days = (date: Date, count: number) => {
  const out = new Date(date)
  out.setDate(out.getDate() + count)
  return out
}

/** Everything that the mouse does, on the row that has the focus. */
export function bindKeys(gantt: GanttStatic, events: ChartEvents, taskOf: (id: string | number) => Task | undefined) {
  for (const key of taken) gantt.removeShortcut(key, ROW)
  const bind = (key: string, run: (task: Task) => void) =>
    gantt.addShortcut(
      key,
      (event: KeyboardEvent) => {
        const id = gantt.locate(event as unknown as Event)
        const task = id ? taskOf(id) : undefined
        if (!task) return true
        event.preventDefault()
        run(task)
        return false
      },
      ROW,
    )
  const move = (task: Task, start: number, end: number, which: 'both' | 'end') => {
    const may = which === 'end' ? task.may.end : task.may.start && task.may.end
    if (!may || task.dateless || events.busy(task.id)) return
    const bar = { start: days(task.start, start), end: days(task.end, end) }
    if (bar.end > bar.start) events.span(task.id, bar, which)
  }
  const place = (task: Task, by: 1 | -1) => {
    if (!task.may.order || events.busy(task.id)) return
    const at = gantt.getGlobalTaskIndex(task.id)
    const isSibling = (i: number) => taskOf(gantt.getTaskByIndex(i).id)?.row.depth === task.row.depth
    const count = gantt.getVisibleTaskCount()
    let to = at + by
    while (to >= 0 && to < count && !isSibling(to)) to += by
    if (to < 0 || to >= count) return
    // Behind the next one means behind its own rows as well.
    if (by > 0)
      while (to + 1 < count && (taskOf(gantt.getTaskByIndex(to + 1).id)?.row.depth ?? 0) > task.row.depth) to++
    events.order(task.id, to)
  }
  bind('enter', (task) => events.open(task.id))
  bind('right', (task) => task.row.branch === 'closed' && events.toggle(task.id))
  bind('left', (task) => task.row.branch && task.row.branch !== 'closed' && events.toggle(task.id))
  bind('alt+left', (task) => move(task, -1, -1, 'both'))
  bind('alt+right', (task) => move(task, 1, 1, 'both'))
  bind('alt+shift+left', (task) => move(task, 0, -1, 'end'))
  bind('alt+shift+right', (task) => move(task, 0, 1, 'end'))
  bind('alt+up', (task) => place(task, -1))
  bind('alt+down', (task) => place(task, 1))
}
