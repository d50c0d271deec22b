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

type Marks = Map<string, { element: HTMLElement; words: string }>

const elementOf = (html: string) => {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content.firstElementChild as HTMLElement
}

/** Marks at the edges of the chart for the bars that lie outside of what is seen: where they are, and a click goes there. */
export class Edges {
  readonly #gantt: GanttStatic
  readonly #options: EdgeOptions
  readonly #layer = document.createElement('div')
  #frame = 0
  /** The marks that are drawn, by task and side: one that stays is the same element, which a press needs. */
  #marks: Marks = new Map()

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
    const marks: Marks = new Map()
    for (let i = first; i < last; i++) {
      const task = rows[i]
      const side = task && !task.dateless && this.#sideOf(task, x, x + area.clientWidth)
      if (!side) continue
      const key = `${side} ${task.id}`
      const words = this.#words(task, side)
      const known = this.#marks.get(key)
      const element = known?.words === words ? known.element : elementOf(words)
      element.dataset.row = String(i)
      element.style.top = `${i * rowHeight - y}px`
      marks.set(key, { element, words })
    }
    const stay = new Set([...marks.values()].map(({ element }) => element))
    for (const { element } of this.#marks.values()) if (!stay.has(element)) element.remove()
    for (const element of stay) if (!element.isConnected) this.#layer.append(element)
    this.#marks = marks
  }

  #sideOf(task: Task, left: number, right: number): Side | null {
    if (this.#gantt.posFromDate(task.end) <= left) return 'before'
    return this.#gantt.posFromDate(task.start) >= right ? 'after' : null
  }

  #words(task: Task, side: Side): string {
    const { label, title } = this.#options.text(task, side)
    const icon = `<svg viewBox="0 0 24 24" width="12" height="12" aria-hidden="true"><path d="${arrow[side]}"/></svg>`
    const words = `<span>${escapeHtml(label)}</span>`
    return `<button type="button" tabindex="-1" class="gantt-edge gantt-edge-${side}" data-side="${side}" title="${escapeHtml(title)}">${side === 'before' ? icon + words : words + icon}</button>`
  }

  destroy() {
    cancelAnimationFrame(this.#frame)
    this.#layer.remove()
  }
}
