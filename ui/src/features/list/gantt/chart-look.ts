import type { GanttStatic } from 'dhtmlx-gantt'
import type { ChartColumn, ChartOptions } from './chart-options'
import { cellHtml, escapeHtml, headHtml, titleHtml } from './html'
import { isWeekend, type Zoom } from './scales'
import type { Task } from './tasks'

const DAY_MINUTES = 24 * 60
export const ROW = 36
const HEADER = 52
/** A press shorter than this is a click, not a drag. */
export const DRAG_DELAY = 100
const TABLE_SHARE = 0.42

/** A task as the library keeps it. */
export interface Item {
  id: string
  text: string
  start_date: Date
  end_date: Date
  progress: number
  unscheduled: boolean
  task: Task
}

export function itemOf(task: Task): Item {
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

/** The library's settings: a flat table beside the bars, days as the smallest step, nothing that changes rows on its own. */
export function configure(gantt: GanttStatic, { columns, sortable, locale }: ChartOptions) {
  const { config } = gantt
  gantt.plugins({ keyboard_navigation: true, tooltip: true })
  gantt.i18n.setLocale(locale === 'zh' ? 'cn' : 'en')
  Object.assign(config, {
    columns: columns.map((column, i) => ({
      name: i === 0 ? 'text' : column.code,
      label: headHtml(column.label),
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

/** The library's words for readers of the screen, which it keeps for itself. */
interface Said {
  gridSeparatorAttr: (of: HTMLElement) => void
  gridScaleCellAttrString: (column: { name: string }, label: string) => string
  gridCellAttrString: (column: object, text: string, item: object) => string
}

/**
 * The library names each cell a second time in an attribute, without the spaces between its parts, and calls the handles between the
 * columns column headings. Cells and headings are named by what they show; handles are for the pointer alone.
 */
export function sayLess(gantt: GanttStatic) {
  const { _waiAria: said } = gantt as unknown as { _waiAria?: Said }
  if (!said) return
  const unnamed = (attributes: string) => attributes.replace(/\s*aria-label\s*=\s*('[^']*'|"[^"]*")/, '')
  const { gridScaleCellAttrString: head, gridCellAttrString: cell } = said
  said.gridSeparatorAttr = (handle) => handle.setAttribute('aria-hidden', 'true')
  said.gridScaleCellAttrString = (column) => unnamed(head.call(said, column, ''))
  said.gridCellAttrString = (column, _, item) => unnamed(cell.call(said, column, '', item))
}

/** How cells and bars are written. `zoom` tells the scale of the moment. */
export function writeTemplates(gantt: GanttStatic, { columns, texts, sortable }: ChartOptions, zoom: () => Zoom) {
  const { templates, config } = gantt
  const taskOf = (item: unknown) => (item as Item).task
  for (const [i, column] of columns.entries()) {
    const own = config.columns[i]
    if (!own) continue
    own.template = (item: unknown) => {
      const task = taskOf(item)
      return i === 0 ? titleHtml(task, { ...texts, sortable: sortable && task.may.order }) : cellHtml(column.text(task))
    }
  }
  templates.task_class = (_from, _to, item) => classes(taskOf(item))
  templates.grid_row_class = (_from, _to, item) => (taskOf(item).row.depth === 0 ? 'gantt-root' : '')
  templates.task_text = () => ''
  templates.rightside_text = (_from, _to, item) => escapeHtml(texts.barText(taskOf(item)))
  templates.progress_text = () => ''
  templates.drag_date = () => ''
  templates.timeline_cell_class = (_item: unknown, date: Date) =>
    zoom() === 'day' && isWeekend(date) ? 'gantt-weekend' : ''
  templates.grid_header_class = (name: string) =>
    columns.some((column) => column.code === name && column.align === 'right') ? 'gantt-figures' : ''
  templates.tooltip_text = (_from, _to, item) =>
    texts
      .tooltip(taskOf(item))
      .map(([label, value]) => `<div><b>${escapeHtml(label)}</b> ${escapeHtml(value)}</div>`)
      .join('')
}

function classes(task: Task): string {
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
