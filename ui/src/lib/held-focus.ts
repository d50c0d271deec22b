// The focus never falls to the body. What has it may be drawn again, removed, hidden or disabled: a file is stored, a row is deleted, a
// menu closes, a button waits for its answer. Where nothing else takes the focus then, it goes to the next sensible place: the same
// control drawn again, else the one nearest to where it was, else the open dialog, else the page itself, from which Tab goes on. A control
// that is disabled gives it to what is around it and gets it back: beside Save is Cancel, which the next Enter must not press. A key that
// is held down while the focus goes elsewhere presses nothing there: after Remove of one row, Remove of the next has the focus.

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
/** The focus was moved, and the key that is held down since before has not been let go. */
let moved = false

const nameOf = (at: HTMLElement) => at.getAttribute('aria-label') ?? (at.textContent?.trim() || null)
const shown = (at: HTMLElement) =>
  at.isConnected && !at.closest('[hidden]') && (at.checkVisibility?.({ visibilityProperty: true }) ?? true)
const usable = (at: HTMLElement) =>
  shown(at) && !at.matches(':disabled, [aria-hidden="true"] *') && !at.closest('[inert]')
/** The focus is on nothing that takes keys. A browser takes it off a disabled or hidden control with its next frame. */
const nowhere = () => {
  const now = document.activeElement
  return !now || now === document.body || now.matches(':disabled, [hidden], [hidden] *')
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
  const far = (one: HTMLElement) => Math.hypot(middle(one).x - gone.x, middle(one).y - gone.y)
  const all = [...within.querySelectorAll<HTMLElement>(STOPS)]
    .filter((one) => one.tabIndex >= 0 && usable(one))
    .sort((a, b) => far(a) - far(b))
  const { tagName, id } = gone.at
  const same = (one: HTMLElement) => (id ? one.id === id : gone.name !== null && nameOf(one) === gone.name)
  const typed = gone.at.matches(TYPED)
  return all.find((one) => one.tagName === tagName && same(one)) ?? all.find((one) => typed || !one.matches(TYPED))
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

/** The topmost dialog that is open, else the page: behind a dialog nothing can be reached. */
function page() {
  const dialogs = [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')]
  const dialog = dialogs.findLast(usable)?.closest<HTMLElement>('[tabindex]')
  return dialog ?? document.querySelector<HTMLElement>('main[tabindex], #content') ?? undefined
}

/** A control that is disabled no more takes the focus back, unless the person has gone on. */
function resume() {
  if (!paused || !usable(paused.at)) return
  if (document.activeElement === paused.by) {
    paused.at.focus({ preventScroll: true })
    moved = true
  }
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
  moved = true
}

/** The browser presses what has the focus again and again while a key is held. */
function press(event: KeyboardEvent) {
  moved &&= event.repeat
  if (!moved || (event.key !== 'Enter' && event.key !== ' ')) return
  event.preventDefault()
  event.stopImmediatePropagation()
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
    attributeFilter: ['disabled', 'inert', 'hidden'],
  })
  const left = () => setTimeout(look)
  document.addEventListener('focusin', remember)
  document.addEventListener('focusout', left)
  document.addEventListener('keydown', press, true)
  return () => {
    changes.disconnect()
    document.removeEventListener('focusin', remember)
    document.removeEventListener('focusout', left)
    document.removeEventListener('keydown', press, true)
    held = null
    opener = null
    paused = null
    moved = false
  }
}
