import 'dhtmlx-gantt/codebase/dhtmlxgantt.css'
import './theme.css'
import { Gantt, type GanttStatic } from 'dhtmlx-gantt'
import type { Locale } from '@/lib/local-name'
import { Edges, type Side } from './edges'
import { cellHtml, escapeHtml, titleHtml } from './html'
import { bindKeys } from './keys'
import { columnWidth, earliest, isWeekend, rangeOf, scalesOf, type Zoom } from './scales'
import type { Task } from './tasks'

/** A column of the chart's table; the first one holds the names. */
export interface ChartColumn {
  code: string
  label: string
  width: number
  align: 'left' | 'right'
  text: (task: Task) => string
}

export interface ChartTexts {
  state: (task: Task) => string
  level: (task: Task) => string
  tooltip: (task: Task) => [label: string, value: string][]
  today: string
  expand: string
  collapse: string
  barText: (task: Task) => string
  href: (task: Task) => string
  /** What a mark says that stands for a bar outside of what is seen. */
  edge: (task: Task, side: Side) => { label: string; title: string }
}

/** What the chart tells its page. Dates are the wall clock of the installation, as in Task. */
export interface ChartEvents {
  open: (id: string) => void
  toggle: (id: string) => void
  /** A bar was dragged; the page saves it and shows the row again, changed or not. */
  span: (id: string, bar: { start: Date; end: Date }, which: 'both' | 'start' | 'end') => void
  progress: (id: string, share: number) => void
  /** A row was put at a place among the others. */
  order: (id: string, index: number) => void
  /** The row is being saved: nothing about it may be dragged. */
  busy: (id: string) => boolean
}

export interface ChartOptions {
  columns: ChartColumn[]
  locale: Locale
  texts: ChartTexts
  events: ChartEvents
  sortable: boolean
  now: () => Date
}

interface Item {
  id: string
  text: string
  start_date: Date
  end_date: Date
  progress: number
  unscheduled: boolean
  task: Task
}

const DAY_MINUTES = 24 * 60
const ROW = 36
const HEADER = 52
/** A press shorter than this is a click and no drag (specification 2-data-lists section 9). */
const DRAG_DELAY = 100
/** Nor is it a click when the pointer went further than this meanwhile. */
const CLICK_RANGE = 5
const TABLE_SHARE = 0.42

/** The one place that knows dhtmlx-gantt. It gets a flat list of the visible rows; levels and loading are the list's own. */
export class Chart {
  readonly #gantt: GanttStatic
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
    this.#configure()
    this.#draw()
    this.#listen()
    bindKeys(this.#gantt, options.events, (id) => this.#task(id))
    this.#axis()
    this.#gantt.init(root)
    this.#holdBack(root)
  }

  #task(id: string | number): Task | undefined {
    return this.#gantt.isTaskExists(id) ? (this.#gantt.getTask(id) as unknown as Item).task : undefined
  }

  #configure() {
    const { columns, sortable, locale } = this.#options
    const { config } = this.#gantt
    this.#gantt.plugins({ keyboard_navigation: true, tooltip: true })
    this.#gantt.i18n.setLocale(locale === 'zh' ? 'cn' : 'en')
    Object.assign(config, {
      columns: columns.map((column, i) => ({
        name: i === 0 ? 'text' : column.code,
        label: escapeHtml(column.label),
        width: column.width,
        align: column.align,
        resize: true,
      })),
      layout: {
        css: 'gantt_container',
        cols: [
          {
            width: tableWidth(columns),
            min_width: 220,
            rows: [
              { view: 'grid', scrollX: 'gridScroll', scrollable: true, scrollY: 'scrollVer' },
              { view: 'scrollbar', id: 'gridScroll', group: 'horizontal' },
            ],
          },
          { resizer: true, width: 1 },
          {
            rows: [
              { view: 'timeline', scrollX: 'scrollHor', scrollY: 'scrollVer' },
              { view: 'scrollbar', id: 'scrollHor', group: 'horizontal' },
            ],
          },
          { view: 'scrollbar', id: 'scrollVer' },
        ],
      },
      csp: true,
      row_height: ROW,
      bar_height: 20,
      scale_height: HEADER,
      time_step: DAY_MINUTES,
      min_duration: 3_600_000,
      round_dnd_dates: false,
      touch_drag: DRAG_DELAY,
      drag_links: false,
      show_links: false,
      drag_lightbox: false,
      details_on_dblclick: false,
      order_branch: sortable ? 'marker' : false,
      show_unscheduled: true,
      keyboard_navigation: true,
      keyboard_navigation_cells: false,
      scroll_on_click: false,
      show_errors: false,
      static_background: true,
      start_on_monday: true,
    })
  }

  #draw() {
    const { columns, texts } = this.#options
    const { templates, config } = this.#gantt
    const taskOf = (item: unknown) => (item as Item).task
    for (const [i, column] of columns.entries()) {
      const own = config.columns[i]
      if (!own) continue
      own.template = (item: unknown) => {
        const task = taskOf(item)
        return i === 0
          ? titleHtml(task, { ...texts, sortable: this.#options.sortable && task.may.order })
          : cellHtml(column.text(task))
      }
    }
    templates.task_class = (_from, _to, item) => this.#classes(taskOf(item))
    templates.grid_row_class = (_from, _to, item) => (taskOf(item).row.depth === 0 ? 'gantt-root' : '')
    templates.task_text = () => ''
    templates.rightside_text = (_from, _to, item) => escapeHtml(texts.barText(taskOf(item)))
    templates.progress_text = () => ''
    templates.drag_date = () => ''
    templates.timeline_cell_class = (_item: unknown, date: Date) =>
      this.#zoom === 'day' && isWeekend(date) ? 'gantt-weekend' : ''
    templates.grid_header_class = (name: string) =>
      columns.some((column) => column.code === name && column.align === 'right') ? 'gantt-figures' : ''
    templates.tooltip_text = (_from, _to, item) =>
      texts
        .tooltip(taskOf(item))
        .map(([label, value]) => `<div><b>${escapeHtml(label)}</b> ${escapeHtml(value)}</div>`)
        .join('')
  }

  #classes(task: Task): string {
    return [
      task.state && `gantt-${task.state}`,
      task.level && `gantt-level-${task.level}`,
      task.reversed && 'gantt-reversed',
      !task.may.start && 'gantt-fixed-start',
      !task.may.end && 'gantt-fixed-end',
      !(task.may.start && task.may.end) && 'gantt-fixed',
      !task.may.progress && 'gantt-fixed-progress',
    ]
      .filter(Boolean)
      .join(' ')
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

  /** Shows rows; what the user looks at stays where it is. */
  show(tasks: Task[]) {
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
    this.#gantt.render()
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
    this.#axis()
    gantt.render()
    this.#scrollTo(date, place)
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

/** Whole columns, as many as leave the bars their room. */
function tableWidth(columns: ChartColumn[]): number {
  const most = Math.round(window.innerWidth * TABLE_SHARE)
  let width = 0
  for (const column of columns) {
    if (width > 0 && width + column.width > most) break
    width += column.width
  }
  return width
}

function itemOf(task: Task): Item {
  return {
    id: task.id,
    text: task.title,
    start_date: new Date(task.start),
    end_date: new Date(task.end),
    progress: task.share ?? 0,
    unscheduled: task.dateless,
    task,
  }
}
