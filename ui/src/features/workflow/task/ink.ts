export interface Point {
  x: number
  y: number
  /** Thickness by pressure, 0 to 1. */
  p: number
}
export type Stroke = readonly Point[]

/** So wide are strokes, in pixels of the page. */
const WIDTH = 2.6
const MARGIN = 8

/** Draws strokes as smooth lines: each piece goes through the middle between two points. */
export function drawStrokes(at: CanvasRenderingContext2D, strokes: readonly Stroke[], color: string) {
  at.strokeStyle = color
  at.fillStyle = color
  at.lineCap = 'round'
  at.lineJoin = 'round'
  for (const stroke of strokes) {
    const first = stroke[0]
    if (!first) continue
    if (stroke.length === 1) {
      at.beginPath()
      at.arc(first.x, first.y, WIDTH / 1.6, 0, 2 * Math.PI)
      at.fill()
      continue
    }
    let [fromX, fromY] = [first.x, first.y]
    stroke.slice(1).forEach((point, index) => {
      const before = stroke[index] as Point
      const [midX, midY] = [(before.x + point.x) / 2, (before.y + point.y) / 2]
      at.lineWidth = WIDTH * (0.6 + 0.8 * point.p)
      at.beginPath()
      at.moveTo(fromX, fromY)
      at.quadraticCurveTo(before.x, before.y, midX, midY)
      at.stroke()
      ;[fromX, fromY] = [midX, midY]
    })
    const last = stroke.at(-1) as Point
    at.beginPath()
    at.moveTo(fromX, fromY)
    at.lineTo(last.x, last.y)
    at.stroke()
  }
}

/** The rectangle that strokes fill, with a margin. */
export function boundsOf(strokes: readonly Stroke[]) {
  const points = strokes.flat()
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN]
  return { left, top, width: Math.max(...xs) + MARGIN - left, height: Math.max(...ys) + MARGIN - top }
}

/** Strokes as a picture that fits them, black on nothing: it can be read on paper and on any background that is light. */
export function pictureOf(strokes: readonly Stroke[]): Promise<Blob | null> {
  const { left, top, width, height } = boundsOf(strokes)
  const scale = 2
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width * scale)
  canvas.height = Math.ceil(height * scale)
  const at = canvas.getContext('2d')
  if (!at) return Promise.resolve(null)
  at.scale(scale, scale)
  at.translate(-left, -top)
  drawStrokes(at, strokes, '#111111')
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
