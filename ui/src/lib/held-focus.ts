// The focus never falls to the body. What has it may be drawn again, removed, hidden or disabled: a file is stored, a row is deleted, a
// menu closes, a button waits for its answer. Where nothing else takes the focus then, it goes to the next sensible place: the same
// control drawn again, else the one nearest to where it was, else the page itself, from which Tab goes on. A control that is disabled
// gives it to what is around it and gets it back: beside Save is Cancel, which the next Enter must not press.

const STOPS = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex]'
/** On a phone a keyboard would rise for them. */
const TYPED =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="file"]), textarea, [contenteditable]'
/** What closes when something in it is chosen: nothing in it is a place to go to. */
const POPUP = '.ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown, .ant-popover, .ant-tooltip'

interface Held {
  at: HTMLElement
  /** What is around it, from inside to outside. */
  around: HTMLElement[]
  name: string | null
  x: number
  y: number
}

let held: Held | null = null
/** The last one outside of popups: what opened them. */
let opener: Held | null = null
/** A control that was disabled while it had the focus, and what has it meanwhile. */
let paused: { at: HTMLElement; by: HTMLElement } | null = null
let asked = false

const nameOf = (at: HTMLElement) => at.getAttribute('aria-label') ?? (at.textContent?.trim() || null)
const shown = (at: HTMLElement) => at.isConnected && (at.checkVisibility?.({ visibilityProperty: true }) ?? true)
const usable = (at: HTMLElement) =>
  shown(at) && !at.matches(':disabled, [aria-hidden="true"] *') && !at.closest('[inert]')
/** The focus is on nothing that takes keys. A browser takes it off a control that is disabled with its next frame. */
const nowhere = () => {
  const now = document.activeElement
  return !now || now === document.body || now.matches(':disabled')
}

function middle(at: HTMLElement) {
  const { left, top, width, height } = at.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

function remember({ target }: FocusEvent) {
  if (!(target instanceof HTMLElement) || target === document.body) return
  const around: HTMLElement[] = []
  for (let up = target.parentElement; up && up !== document.body; up = up.parentElement) around.push(up)
  held = { at: target, around, name: nameOf(target), ...middle(target) }
  if (!target.closest(POPUP)) opener = held
}

/** The control within an element that takes the place of one that is gone. */
function standIn(within: HTMLElement, gone: Held): HTMLElement | undefined {
  const all = [...within.querySelectorAll<HTMLElement>(STOPS)].filter((one) => one.tabIndex >= 0 && usable(one))
  const { tagName, id } = gone.at
  const again = all.find((one) => one.tagName === tagName && (id ? one.id === id : nameOf(one) === gone.name))
  if (again) return again
  const typed = gone.at.matches(TYPED)
  const far = (one: HTMLElement) => Math.hypot(middle(one).x - gone.x, middle(one).y - gone.y)
  return all.filter((one) => typed || !one.matches(TYPED)).sort((a, b) => far(a) - far(b))[0]
}

/** The page's own place: what is around all that is drawn of it. */
const pageOf = (at: HTMLElement) => at.matches('main, #content') || at.querySelector('main, #content') !== null

function place(gone: Held): HTMLElement | undefined {
  for (const around of gone.around) {
    if (!shown(around) || around.closest(POPUP)) continue
    if (pageOf(around)) break
    const found = standIn(around, gone)
    if (found) return found
  }
  return page()
}

const page = () => document.querySelector<HTMLElement>('main[tabindex], #content') ?? undefined

/** A control that is disabled no more takes the focus back, unless the person has gone on. */
function resume() {
  if (!paused || !usable(paused.at)) return
  if (document.activeElement === paused.by) paused.at.focus({ preventScroll: true })
  paused = null
}

function mend() {
  asked = false
  if (!held || !nowhere()) return
  const gone = held
  if (usable(gone.at)) {
    held = null // whoever pressed beside it took the focus off
    return
  }
  if (shown(gone.at)) {
    const by = gone.around.find((one) => one.hasAttribute('tabindex') && shown(one)) ?? page()
    by?.focus({ preventScroll: true })
    paused = by && document.activeElement === by ? { at: gone.at, by } : null
    return
  }
  const of = opener && gone.at !== opener.at && gone.around.some((one) => one.matches(POPUP)) ? opener : gone
  const to = usable(of.at) ? of.at : place(of)
  to?.focus({ preventScroll: true })
}

/** Looks when what closes a dialog or draws a page again has had its turn to say where the focus goes. */
function look() {
  resume()
  if (asked || !held || !nowhere()) return
  asked = true
  setTimeout(() => requestAnimationFrame(() => setTimeout(mend)))
}

/** Watches the focus of the whole page; once is enough. */
export function holdFocus(): () => void {
  const changes = new MutationObserver(look)
  changes.observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'inert'],
  })
  const left = () => setTimeout(look)
  document.addEventListener('focusin', remember)
  document.addEventListener('focusout', left)
  return () => {
    changes.disconnect()
    document.removeEventListener('focusin', remember)
    document.removeEventListener('focusout', left)
    held = null
    opener = null
    paused = null
  }
}
