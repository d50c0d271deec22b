import { afterEach, expect, it, vi } from 'vitest'
import { Edges } from './edges'
import type { Task } from './tasks'

const day = (n: number) => new Date(2026, 0, n)
const task = (id: string, from: number, to: number) => ({ id, start: day(from), end: day(to), dateless: false }) as Task
const frame = () => new Promise((done) => requestAnimationFrame(done))

afterEach(() => document.body.replaceChildren())

it('keeps the element of a mark that stays, and says where its row is now', async () => {
  const area = document.body.appendChild(document.createElement('div')).appendChild(document.createElement('div'))
  Object.defineProperty(area, 'clientWidth', { value: 10 })
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(500)
  let tasks = [task('a', 1, 2), task('b', 25, 28)]
  const pick = vi.fn()
  const gantt = { $task: area, getScrollState: () => ({ x: 10, y: 0 }), posFromDate: (at: Date) => at.getDate() }
  const text = ({ id }: Task) => ({ label: id, title: `To ${id}` })
  const edges = new Edges(gantt as never, { rowHeight: 36, tasks: () => tasks, text, pick })
  const marks = () => [...document.querySelectorAll<HTMLElement>('.gantt-edge')]
  edges.update()
  await frame()
  expect(marks().map(({ title, style }) => [title, style.top])).toEqual([
    ['To a', '0px'],
    ['To b', '36px'],
  ])
  const [, b] = marks()
  tasks = [task('c', 12, 14), ...tasks.slice(1)]
  edges.update()
  await frame()
  expect(marks()).toEqual([b])
  tasks = [task('d', 1, 2), task('c', 12, 14), ...tasks.slice(1)]
  edges.update()
  await frame()
  expect(marks()).toContain(b)
  expect(b?.style.top).toBe('72px')
  b?.click()
  expect(pick.mock.lastCall).toEqual([tasks[2], 'after'])
  edges.destroy()
})
