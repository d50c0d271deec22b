// Watches the controls of a page from the frame in which each is first seen: none may move, and none may be replaced by another
// element while it can be pressed. What a person scrolls does not move; neither does what is in something scrolled.
import { quiet, settled } from './server.mjs'

/** Runs in the page, before its own scripts. */
function watch() {
  const PRESSED = [
    'button, a[href], input:not([type="hidden"]), textarea, select, summary, label.ant-radio-button-wrapper',
    '[role="button"], [role="tab"], [role="menuitem"], [role="switch"], [role="checkbox"], [role="combobox"], [role="treeitem"]',
  ].join()
  /** What a person has in sight; elements that are not drawn, are clear or cannot be pressed have no place yet. */
  const seen = new Map()
  const faults = new Map()
  /** The input inside a select resizes while typing; watch the whole select. */
  const whole = (at) => at.closest('.ant-select, .ant-picker') ?? at
  const nameOf = (at) => {
    const label = at.getAttribute('aria-label') ?? at.getAttribute('title') ?? at.textContent?.trim() ?? ''
    const place = at.closest('[data-field]')?.dataset.field ?? at.id ?? ''
    return `${at.tagName.toLowerCase()} ${(label || place || at.className || '').toString().slice(0, 40)}`
  }
  const scrolled = (at) => {
    let x = scrollX
    let y = scrollY
    for (let up = at.parentElement; up; up = up.parentElement) {
      x += up.scrollLeft
      y += up.scrollTop
    }
    return { x, y }
  }
  const boxOf = (at) => {
    const { left, top, width, height } = at.getBoundingClientRect()
    return { x: left, y: top, width, height }
  }
  const pressable = (at) =>
    !at.matches(':disabled, [aria-disabled="true"]') &&
    !at.closest('[inert], [aria-hidden="true"]') &&
    at.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const inSight = ({ x, y, width, height }) =>
    width > 2 && height > 2 && x + width > 0 && y + height > 0 && x < innerWidth && y < innerHeight
  const told = (kind, at, { first, name }, to) => {
    const said = (one) => ['x', 'y', 'width', 'height'].map((side) => Math.round(one[side])).join(' ')
    const key = `${kind} ${name} ${said(first)}`
    faults.set(key, { kind, name, at: Math.round(at), from: said(first), to: said(to) })
  }
  const off = (a, b) => Math.max(...['x', 'y'].map((side) => Math.abs(a[side] - b[side])))
  const shrunk = (a, b) => Math.max(...['width', 'height'].map((side) => a[side] - b[side]))
  function look(now) {
    const current = new Set([...document.querySelectorAll(PRESSED)].map(whole))
    const fresh = []
    for (const at of current) {
      const box = boxOf(at)
      const before = seen.get(at)
      if (!inSight(box) || !pressable(at)) continue
      if (!before) {
        const name = nameOf(at)
        seen.set(at, { first: box, box, scroll: scrolled(at), name })
        fresh.push({ at, box, name })
        continue
      }
      if (off(box, before.box) <= 1 && shrunk(before.box, box) <= 1) continue
      const scroll = scrolled(at)
      const moved = { ...box, x: box.x + scroll.x - before.scroll.x, y: box.y + scroll.y - before.scroll.y }
      if (off(moved, before.box) > 1 || shrunk(before.box, box) > 1) told('moved', now, before, moved)
      seen.set(at, { ...before, box, scroll })
    }
    for (const [at, before] of seen) {
      if (current.has(at)) continue
      seen.delete(at)
      const instead = fresh.find(({ name, box }) => name === before.name && off(box, before.box) < 200)
      if (instead) told('replaced', now, before, instead.box)
    }
    window.steady.frames++
    requestAnimationFrame(look)
  }
  window.steady = {
    frames: 0,
    /** What has moved since the last time. */
    take: () => {
      const all = [...faults.values()]
      faults.clear()
      return all
    },
  }
  requestAnimationFrame(look)
}

/** Has all pages that are opened from here in this context watched. */
export const watchPlaces = (context) => context.addInitScript(watch)

/** Waits until the page is quiet and gives what moved since the last time, one line each. */
export async function movesOf(page) {
  await quiet(page)
  await settled(page)
  const frames = await page.evaluate(() => window.steady.frames)
  await page.waitForFunction((from) => window.steady.frames > from + 10, frames)
  const all = await page.evaluate(() => window.steady.take())
  return all.map(({ kind, name, at, from, to }) => `${kind} after ${at} ms: ${name}, ${from} -> ${to}`)
}

/** Presses where a control is in the frame in which it appears, as somebody does who knows the page and waits for it. */
export async function pressedAtOnce(page, selector, words) {
  const place = await page.waitForFunction(
    ([found, text]) => {
      const at = [...document.querySelectorAll(found)].find((one) => one.textContent === text)
      if (!at || at.matches(':disabled')) return false
      const { left, top, width, height } = at.getBoundingClientRect()
      return { x: left + width / 2, y: top + height / 2 }
    },
    [selector, words],
    { polling: 'raf' },
  )
  const { x, y } = await place.jsonValue()
  await page.mouse.click(x, y)
}
