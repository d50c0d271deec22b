import type { Point } from './scene'

/** What the library tells of the place that is pointed at. */
interface Params {
  seriesIndex?: number
  dataIndex?: number
  color?: unknown
}

interface Css {
  box: string
  line: string
  dot: string
  hint: string
}

/** The box beside a point, as elements: names come from people, and nothing of them is read as HTML. `hint` says how points open. */
export function tooltipOf(given: unknown, points: (Point | null)[][], css: Css, hint: string | null) {
  const all = (Array.isArray(given) ? given : [given]) as Params[]
  const found = all.flatMap(({ seriesIndex = 0, dataIndex = 0, color }) => {
    const point = points[seriesIndex]?.[dataIndex]
    return point ? [{ point, color: typeof color === 'string' ? color : null }] : []
  })
  const [first] = found
  if (!first) return ''
  const box = document.createElement('div')
  box.className = css.box
  const heading = document.createElement('b')
  heading.textContent = first.point.heading
  box.append(heading)
  for (const { point, color } of new Map(found.map((one) => [one.point, one])).values()) {
    for (const { name, text, note } of point.lines) {
      const line = document.createElement('div')
      line.className = css.line
      const dot = document.createElement('i')
      dot.className = css.dot
      if (color && color !== 'transparent') dot.style.background = color
      const label = document.createElement('span')
      label.textContent = name
      const value = document.createElement('strong')
      value.textContent = note ? `${text} (${note})` : text
      line.append(dot, label, value)
      box.append(line)
    }
  }
  if (hint && found.some(({ point }) => point.at)) {
    const last = document.createElement('div')
    last.className = css.hint
    last.textContent = hint
    box.append(last)
  }
  return box
}
