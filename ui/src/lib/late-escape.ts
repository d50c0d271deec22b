/** What lies above the page while it is open, and still takes keys while it goes. */
const ABOVE = [
  'select-dropdown',
  'picker-dropdown',
  'dropdown',
  'popover',
  'tooltip',
  'modal',
  'drawer-content-wrapper',
]
const LEAVING = ABOVE.map((name) => `.ant-${name}[class*="-leave"]`).join()
/** No motion is as long. */
const MOST = 500
const STEP = 16
/** What is gone from sight takes keys until that is drawn. */
const DRAWN = 50

/**
 * Something that is closing takes an Escape that was meant for what lies below it. Such a key waits until that is gone, and is
 * pressed then.
 */
export function keepEscapes(window: Window & typeof globalThis): () => void {
  const { document } = window
  const passed = new WeakSet<Event>()
  let waiting = 0
  let since = 0
  const leaving = () => document.querySelector(LEAVING) !== null
  const press = () => {
    const key = { key: 'Escape', code: 'Escape', keyCode: 27, bubbles: true, cancelable: true }
    const event = new window.KeyboardEvent('keydown', key)
    passed.add(event)
    ;(document.activeElement ?? document.body).dispatchEvent(event)
    waiting -= 1
    since = Date.now()
    if (waiting > 0) window.setTimeout(wait, STEP)
  }
  const wait = () => {
    const stays = leaving() && Date.now() - since < MOST
    window.setTimeout(stays ? wait : press, stays ? STEP : DRAWN)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || event.repeat || passed.has(event)) return
    if (waiting === 0 && !leaving()) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (waiting === 0) {
      since = Date.now()
      window.setTimeout(wait, STEP)
    }
    waiting += 1
  }
  window.addEventListener('keydown', onKey, true)
  return () => window.removeEventListener('keydown', onKey, true)
}
