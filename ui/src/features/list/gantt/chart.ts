import 'dhtmlx-gantt/codebase/dhtmlxgantt.css'
import './theme.css'
import { Gantt, type GanttStatic } from 'dhtmlx-gantt'
import { configure, DRAG_DELAY, type Item, itemOf, ROW, sayLess, writeTemplates } from './chart-look'
import type { ChartOptions } from './chart-options'
import { Edges } from './edges'
import { bindKeys } from './keys'
import { columnWidth, earliest, rangeOf, scalesOf, type Zoom } from './scales'
import { placesOf, slideFrom } from './slide'
import type { Task } from './tasks'

/** Nor is it a click when the pointer went further than this meanwhile. */
const CLICK_RANGE = 5

/** What the library keeps of a drag of a bar. */
interface Dragging {
  drag: { mode: string | null }
  /** A move was taken within the last 25 ms: those that follow are left out. */
  _on_timeout?: boolean
  on_mouse_move: (event: MouseEvent) => void
  on_mouse_up: (event: MouseEvent) => void
}

/** The one place that knows dhtmlx-gantt. It gets a flat list of the visible rows; levels and loading are the list's own. */
export class Chart {
  readonly #gantt: GanttStatic
  readonly #root: HTMLElement
  readonly #options: ChartOptions
  readonly #today = document.createElement('div')
  readonly #edges: Edges
  #tasks: Task[] = []
  #zoom: Zoom
  #shown = false
  readonly #ended = new AbortController()
  #pressed = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 }

  constructor(root: HTMLElement, zoom: Zoom, options: ChartOptions) {
    this.#gantt = Gantt.getGanttInstance()
    this.#root = root
    this.#options = options
    this.#zoom = zoom
    this.#today.className = 'gantt-today'
    this.#today.dataset.label = options.texts.today
    this.#edges = new Edges(this.#gantt, {
      rowHeight: ROW,
      tasks: () => this.#tasks,
      text: options.texts.edge,
      pick: (task) => this.#reveal(task),
    })
    configure(this.#gantt, options)
    sayLess(this.#gantt)
    writeTemplates(this.#gantt, options, () => this.#zoom)
    this.#listen()
    bindKeys(this.#gantt, options.events, (id) => this.#task(id))
    this.#axis()
    this.#gantt.init(root)
    this.#holdBack(root)
    this.#letGo()
  }

  #task(id: string | number): Task | undefined {
    return this.#gantt.isTaskExists(id) ? (this.#gantt.getTask(id) as unknown as Item).task : undefined
  }

  #listen() {
    const { events } = this.#options
    const on = (name: string, run: (...args: never[]) => unknown) =>
      this.#gantt.attachEvent(name as 'onTaskClick', run as never)
    on('onTaskClick', (id: string, event: MouseEvent) => {
      if (Math.hypot(event.clientX - this.#pressed.x, event.clientY - this.#pressed.y) > CLICK_RANGE) return false
      const target = event.target as HTMLElement
      if (target.closest('[data-toggle]')) {
        events.toggle(String(id))
        return false
      }
      const link = target.closest('a')
      if (link && (event.metaKey || event.ctrlKey || event.shiftKey)) return false
      event.preventDefault()
      if (link || target.closest('.gantt_task_line')) events.open(String(id))
      else if (target.closest('.gantt_row')) this.#reveal(this.#task(id))
      return true
    })
    on('onTaskDblClick', (id: string) => {
      if (id) events.open(String(id))
      return false
    })
    on('onBeforeLightbox', () => false)
    on('onBeforeTaskDrag', (id: string, mode: string, event: MouseEvent) => {
      const task = this.#task(id)
      if (!task || events.busy(String(id))) return false
      if (mode === 'progress') return task.may.progress
      if (mode === 'move') return task.may.start && task.may.end
      const side = (event.target as HTMLElement).closest('.task_start_date') ? 'start' : 'end'
      this.#side = side
      return task.may[side]
    })
    on('onAfterTaskDrag', (id: string, mode: string) => {
      const item = this.#gantt.getTask(id) as unknown as Item
      if (mode === 'progress') events.progress(String(id), item.progress)
      else
        events.span(String(id), { start: item.start_date, end: item.end_date }, mode === 'move' ? 'both' : this.#side)
    })
    on('onRowDragStart', (id: string) => (this.#task(id)?.may.order ?? false) && !events.busy(String(id)))
    on('onBeforeRowDragEnd', (id: string, _parent: string, index: number) => {
      events.order(String(id), index)
      return false
    })
    on('onGanttRender', () => {
      this.#markToday()
      this.#edges.update()
    })
    on('onGanttScroll', () => this.#edges.update())
  }

  /** Moves right after a press do not drag a bar: the library itself waits with rows only. */
  #holdBack(root: HTMLElement) {
    const options = { capture: true, signal: this.#ended.signal }
    const press = (event: MouseEvent) => {
      this.#pressed = { at: event.timeStamp, x: event.clientX, y: event.clientY }
    }
    root.addEventListener('mousedown', press, options)
    root.addEventListener(
      'mousemove',
      (event) => {
        if (event.buttons !== 0 && event.timeStamp - this.#pressed.at < DRAG_DELAY) event.stopPropagation()
      },
      options,
    )
  }

  /** Where a bar is let go counts as its last move. */
  #letGo() {
    const timeline = this.#gantt.$ui.getView('timeline') as { _tasks_dnd?: Dragging } | null
    const dragging = timeline?._tasks_dnd
    if (!dragging) return
    const end = dragging.on_mouse_up
    dragging.on_mouse_up = (event) => {
      const { at, x, y } = this.#pressed
      const far = Math.hypot(event.clientX - x, event.clientY - y) > CLICK_RANGE
      if (dragging.drag.mode || (far && event.timeStamp - at >= DRAG_DELAY)) {
        dragging._on_timeout = false
        dragging.on_mouse_move(event)
      }
      end.call(dragging, event)
    }
  }

  #side: 'start' | 'end' = 'end'

  #axis() {
    const { locale, now } = this.#options
    const { config } = this.#gantt
    const range = rangeOf(
      this.#tasks.filter((task) => !task.dateless),
      now(),
      this.#zoom,
    )
    config.start_date = range.from
    config.end_date = range.to
    config.scales = scalesOf(this.#zoom, locale) as typeof config.scales
    config.min_column_width = columnWidth(this.#zoom)
  }

  #markToday() {
    const area = this.#gantt.$task_data as HTMLElement | undefined
    if (!area) return
    const now = this.#options.now()
    const { start_date, end_date } = this.#gantt.config
    const inside = start_date && end_date && now > start_date && now < end_date
    this.#today.hidden = !inside
    if (!inside) return
    this.#today.style.left = `${this.#gantt.posFromDate(now)}px`
    this.#today.style.height = `${Math.max(this.#tasks.length * ROW, area.clientHeight)}px`
    if (this.#today.parentNode !== area) area.append(this.#today)
  }

  /** Draws again; what moves by it slides to its new place. */
  #redraw(draw: () => void) {
    const before = placesOf(this.#root)
    draw()
    slideFrom(this.#root, before)
  }

  /** Shows rows; what the user looks at stays where it is. */
  show(tasks: Task[]) {
    this.#redraw(() => this.#show(tasks))
  }

  #show(tasks: Task[]) {
    const gantt = this.#gantt
    const sameRows = tasks.length === this.#tasks.length && tasks.every((task, i) => task.id === this.#tasks[i]?.id)
    const before = this.#tasks
    this.#tasks = tasks
    if (sameRows) {
      const changed = tasks.filter((task, i) => task !== before[i])
      this.#axis()
      for (const task of changed) Object.assign(gantt.getTask(task.id), itemOf(task))
      gantt.render()
      return
    }
    const at = gantt.getScrollState()
    const selected = gantt.getSelectedId()
    this.#axis()
    gantt.clearAll()
    gantt.parse({ data: tasks.map(itemOf), links: [] })
    if (selected && gantt.isTaskExists(selected)) gantt.selectTask(selected)
    if (this.#shown) gantt.scrollTo(at.x, at.y)
    else if (tasks.length > 0) this.#first()
  }

  /** Draws all rows as they are known: takes back what was dragged and not saved. */
  restore() {
    for (const task of this.#tasks) {
      if (this.#gantt.isTaskExists(task.id)) Object.assign(this.#gantt.getTask(task.id), itemOf(task))
    }
    this.#redraw(() => this.#gantt.render())
  }

  #first() {
    this.#shown = true
    const bars = this.#tasks.filter((task) => !task.dateless)
    const now = this.#options.now()
    const running = bars.some((task) => task.start <= now && now <= task.end)
    if (running) this.toToday()
    else {
      const first = earliest(bars)
      if (first) this.#scrollTo(first)
    }
  }

  #scrollTo(date: Date, ahead = 80) {
    this.#gantt.scrollTo(Math.max(0, this.#gantt.posFromDate(date) - ahead), null)
  }

  toToday() {
    this.#scrollTo(this.#options.now(), this.#width() / 2)
  }

  #width(): number {
    return (this.#gantt.$task as HTMLElement | undefined)?.clientWidth ?? 600
  }

  /** Brings a bar into sight, when nothing of it is. */
  #reveal(task: Task | undefined) {
    if (!task || task.dateless) return
    const { x } = this.#gantt.getScrollState()
    const [start, end] = [this.#gantt.posFromDate(task.start), this.#gantt.posFromDate(task.end)]
    if (end <= x || start >= x + this.#width()) this.#scrollTo(task.start)
  }

  /** Another scale around the same place. */
  zoom(zoom: Zoom) {
    if (zoom === this.#zoom) return
    const gantt = this.#gantt
    const width = this.#width()
    const { x } = gantt.getScrollState()
    const now = this.#options.now()
    const today = gantt.posFromDate(now) - x
    // Today stays where it is seen; else what is in the middle.
    const [date, place] =
      today > 0 && today < width ? [now, today] : [gantt.dateFromPos(x + width / 2) ?? now, width / 2]
    this.#zoom = zoom
    this.#redraw(() => {
      this.#axis()
      gantt.render()
      this.#scrollTo(date, place)
    })
  }

  resize() {
    this.#gantt.setSizes()
    this.#markToday()
    this.#edges.update()
  }

  destroy() {
    this.#ended.abort()
    this.#edges.destroy()
    this.#gantt.destructor()
  }
}
