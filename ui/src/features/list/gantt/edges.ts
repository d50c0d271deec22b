import type { GanttStatic } from 'dhtmlx-gantt'
import { escapeHtml } from './html'
import type { Task } from './tasks'

export type Side = 'before' | 'after'

const arrow: Record<Side, string> = { before: 'M14.5 6l-6 6 6 6', after: 'M9.500 6l6 6-6 6' }

interface EdgeOptions {
  rowHeight: number
  tasks: () => Task[]
  text: (task: Task, side: Side) => { label: string; title: string }
  pick: (task: Task, side: Side) => void
}

/** Marks at the edges of the chart for the bars that lie outside of what is seen: where they are, and a click goes there. */
export class Edges {
  readonly #gantt: GanttStatic
  readonly #options: EdgeOptions
  readonly #layer = document.createElement('div')
  #frame = 0

  constructor(gantt: GanttStatic, options: EdgeOptions) {
    this.#gantt = gantt
    this.#options = options
    this.#layer.className = 'gantt-edges'
    this.#layer.addEventListener('click', (event) => {
      const button = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')
      const task = button && this.#options.tasks()[Number(button.dataset.row)]
      if (task) this.#options.pick(task, button.dataset.side as Side)
    })
  }

  /** Draws the marks of the rows that are seen, once in a frame. */
  update() {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#draw())
  }

  #draw() {
    const area = this.#gantt.$task as HTMLElement | undefined
    if (!area) return
    // Beside the area and not in it: what is in it scrolls away.
    if (this.#layer.parentNode !== area.parentNode) area.parentElement?.append(this.#layer)
    const { rowHeight, tasks } = this.#options
    const { x, y } = this.#gantt.getScrollState()
    const rows = tasks()
    const first = Math.max(0, Math.floor(y / rowHeight))
    const last = Math.min(rows.length, Math.ceil((y + this.#layer.clientHeight) / rowHeight))
    const marks: string[] = []
    for (let i = first; i < last; i++) {
      const task = rows[i]
      const side = task && !task.dateless && this.#sideOf(task, x, x + area.clientWidth)
      if (side) marks.push(this.#mark(task, side, i, i * rowHeight - y))
    }
    this.#layer.innerHTML = marks.join('')
  }

  #sideOf(task: Task, left: number, right: number): Side | null {
    if (this.#gantt.posFromDate(task.end) <= left) return 'before'
    return this.#gantt.posFromDate(task.start) >= right ? 'after' : null
  }

  #mark(task: Task, side: Side, row: number, top: number): string {
    const { label, title } = this.#options.text(task, side)
    const icon = `<svg viewBox="0 0 24 24" width="12" height="12" aria-hidden="true"><path d="${arrow[side]}"/></svg>`
    const words = `<span>${escapeHtml(label)}</span>`
    return `<button type="button" tabindex="-1" class="gantt-edge gantt-edge-${side}" data-row="${row}" data-side="${side}" style="top:${top}px" title="${escapeHtml(title)}">${side === 'before' ? icon + words : words + icon}</button>`
  }

  destroy() {
    cancelAnimationFrame(this.#frame)
    this.#layer.remove()
  }
}
