/** Pixels of the picture for one of the page. */
const SCALE = 2

/** Draws what an element holds - texts, lines of tables, small lines - into a picture, for what the library does not draw. */
export function pictureOf(root: HTMLElement, ground: string): string | null {
  // As if it had room: nothing is scrolled away, and no line stays over others.
  root.dataset.picture = ''
  try {
    return painted(root, ground)
  } finally {
    delete root.dataset.picture
  }
}

function painted(root: HTMLElement, ground: string): string | null {
  const box = root.getBoundingClientRect()
  const canvas = document.createElement('canvas')
  const wide = root.scrollWidth
  const high = root.scrollHeight
  canvas.width = Math.min(wide * SCALE, 16_000)
  canvas.height = Math.min(high * SCALE, 16_000)
  const to = canvas.getContext('2d')
  if (!to) return null
  to.scale(SCALE, SCALE)
  to.fillStyle = ground
  to.fillRect(0, 0, wide, high)
  const place = (rect: DOMRect) => ({
    x: rect.left - box.left + root.scrollLeft,
    y: rect.top - box.top + root.scrollTop,
  })
  for (const cell of root.querySelectorAll('th, td')) {
    const style = getComputedStyle(cell)
    const rect = cell.getBoundingClientRect()
    const { x, y } = place(rect)
    to.fillStyle = style.backgroundColor
    to.fillRect(x, y, rect.width, rect.height)
    to.fillStyle = style.borderBottomColor
    to.fillRect(x, y + rect.height - 1, rect.width, 1)
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent
    const parent = node.parentElement
    if (!text?.trim() || !parent) continue
    range.selectNodeContents(node)
    const rect = range.getBoundingClientRect()
    const { x, y } = place(rect)
    const { color, fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(parent)
    to.fillStyle = color
    to.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
    to.textBaseline = 'middle'
    to.fillText(text, x, y + rect.height / 2)
  }
  for (const line of root.querySelectorAll('polyline')) {
    const rect = (line.ownerSVGElement ?? line).getBoundingClientRect()
    const { x, y } = place(rect)
    const view = line.ownerSVGElement?.viewBox.baseVal
    to.beginPath()
    for (const point of line.points)
      to.lineTo(x + (point.x / (view?.width || 1)) * rect.width, y + (point.y / (view?.height || 1)) * rect.height)
    to.strokeStyle = getComputedStyle(line).stroke
    to.lineWidth = 2
    to.stroke()
  }
  return canvas.toDataURL('image/png')
}

/** A picture as a file. */
export function pngOf(address: string): Blob {
  const bytes = atob(address.slice(address.indexOf(',') + 1))
  return new Blob([Uint8Array.from(bytes, (one) => one.charCodeAt(0))], { type: 'image/png' })
}
