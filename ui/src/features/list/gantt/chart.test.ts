import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Chart } from './chart'
import type { ChartEvents } from './chart-options'
import type { Task } from './tasks'

// Outside of a browser's build its other form would be taken.
vi.mock('dhtmlx-gantt', () => import('dhtmlx-gantt/codebase/dhtmlxgantt.es.js'))

const may = { start: true, end: true, progress: true, order: false }
const task: Task = {
  id: 'A',
  row: {} as Task['row'],
  title: 'Dredging',
  start: new Date(2026, 10, 2),
  end: new Date(2026, 10, 12),
  dateless: false,
  reversed: false,
  share: 0.5,
  state: null,
  level: null,
  may,
}
const word = () => ''
const span = vi.fn<ChartEvents['span']>()
const open = vi.fn()
let chart: Chart

beforeEach(() => {
  const root = document.createElement('div')
  for (const side of ['offsetWidth', 'clientWidth'] as const) Object.defineProperty(root, side, { value: 1200 })
  for (const side of ['offsetHeight', 'clientHeight'] as const) Object.defineProperty(root, side, { value: 600 })
  document.body.append(root)
  chart = new Chart(root, 'day', {
    columns: [{ code: 'name', label: 'Name', width: 200, align: 'left', text: (one) => one.title }],
    locale: 'en',
    texts: {
      state: word,
      level: word,
      tooltip: () => [],
      today: 'Today',
      expand: '',
      collapse: '',
      barText: word,
      href: () => '#',
      edge: () => ({ label: '', title: '' }),
    },
    events: { open, toggle: vi.fn(), span, progress: vi.fn(), order: vi.fn(), busy: () => false },
    sortable: false,
    now: () => new Date(2026, 10, 5),
  })
  chart.show([task])
})
afterEach(async () => {
  await held() // the library gives the pressed row the focus a little later
  chart.destroy()
  vi.clearAllMocks()
})

const bar = () => {
  const found = document.querySelector('.gantt_task_line[data-task-id="A"] .gantt_task_content')
  if (!found) throw new Error('no bar')
  return found
}
/** A day is as wide as the bar of ten of them by ten. */
const day = () => Number.parseFloat(document.querySelector<HTMLElement>('.gantt_task_line')?.style.width ?? '0') / 10
const at = (type: string, x: number) =>
  new MouseEvent(type, { bubbles: true, clientX: 100 + x, clientY: 10, buttons: type === 'mouseup' ? 0 : 1 })
const held = () => new Promise((go) => setTimeout(go, 130))
const days = (date: Date | undefined) => Math.round(((date?.getTime() ?? 0) - task.start.getTime()) / 86_400_000)

it('a bar lies where it was let go, however fast the last moves were', async () => {
  const to = day() * 7.4
  bar().dispatchEvent(at('mousedown', 0))
  await held()
  for (let step = 1; step <= 8; step++) bar().dispatchEvent(at('mousemove', (to * step) / 8))
  document.body.dispatchEvent(at('mouseup', to))
  expect(span).toHaveBeenCalledOnce()
  expect(days(span.mock.calls[0]?.[1].start)).toBe(7)
})

it('moves within the time of a click count where it became a drag meanwhile', async () => {
  const to = day() * 3
  bar().dispatchEvent(at('mousedown', 0))
  bar().dispatchEvent(at('mousemove', to))
  await held()
  document.body.dispatchEvent(at('mouseup', to))
  expect(days(span.mock.calls[0]?.[1].start)).toBe(3)
})

it('a long press that moves nothing is no drag, nor is a short one that does', async () => {
  bar().dispatchEvent(at('mousedown', 0))
  await held()
  document.body.dispatchEvent(at('mouseup', 1))
  bar().dispatchEvent(at('mousedown', 0))
  bar().dispatchEvent(at('mousemove', 60))
  document.body.dispatchEvent(at('mouseup', 60))
  expect(span).not.toHaveBeenCalled()
})

it('names cells and headings by what they show, and handles between columns not at all', () => {
  const heads = [...document.querySelectorAll('.gantt_grid_scale [role="columnheader"]')]
  expect(heads.map((one) => one.textContent)).toEqual(['Name'])
  expect(heads[0]?.querySelector('[title="Name"]')).not.toBeNull()
  const cells = [...document.querySelectorAll('.gantt_grid_data [role="gridcell"]')]
  expect(cells.length).toBeGreaterThan(0)
  for (const one of [...heads, ...cells]) expect(one.hasAttribute('aria-label')).toBe(false)
})
