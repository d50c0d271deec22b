import { seeAs } from './see-as'

type Handlers = Record<string, (event: MessageEvent<string>) => void>

interface Follower {
  handlers: Handlers
  missed: () => void
  watch: string | null
}

const followers = new Set<Follower>()
let source: EventSource | null = null
let watched = ''

const wanted = () =>
  [...new Set([...followers].flatMap(({ watch }) => (watch ? [watch] : [])))]
    .sort()
    .map((code) => `watch=${encodeURIComponent(code)}`)
    .join('&')

let up = false
const onUp = new Set<() => void>()

/** Whether the server's events come: what is told by them need not be asked for. */
export const isStreaming = () => up

export function watchStreaming(listener: () => void): () => void {
  onUp.add(listener)
  return () => onUp.delete(listener)
}

function setUp(next: boolean) {
  if (up === next) return
  up = next
  for (const listener of [...onUp]) listener()
}

let again: ReturnType<typeof setTimeout> | undefined

function close() {
  clearTimeout(again)
  source?.close()
  source = null
  setUp(false)
}

const tellMissed = () => {
  for (const { missed } of [...followers]) missed()
}

const RETRY = 5000

/**
 * A stream ends with the token that it was opened with, and the browser opens it again by itself, with the new one. What it did
 * not hear meanwhile is asked for, also when the stream could not be opened at first: what the page has may be older. A browser that
 * was refused gives up: a later try may come after the token's renewal. Where the stream was open before, what was missed is asked for
 * at once: if the session has ended, the page says so now.
 */
function keepOpen(at: EventSource) {
  let opened = false
  let failed = false
  at.onopen = () => {
    if (source === at) setUp(true)
    if (failed) tellMissed()
    opened = true
    failed = false
  }
  at.onerror = () => {
    failed = true
    if (source === at) setUp(false)
    if (at.readyState !== EventSource.CLOSED || source !== at) return
    close()
    if (opened) tellMissed()
    again = setTimeout(() => {
      connect()
      tellMissed()
    }, RETRY)
  }
}

/** One stream serves all that follow: a browser has few connections for one server. */
function connect() {
  if (document.hidden || followers.size === 0 || seeAs()) return close() // the news of others are theirs
  const now = wanted()
  if (source && now === watched) return
  close()
  watched = now
  source = new EventSource(`/api/events${now && `?${now}`}`)
  keepOpen(source)
  const names = new Set([...followers].flatMap(({ handlers }) => Object.keys(handlers)))
  for (const name of names) listen(source, name)
}

const heard = new WeakMap<EventSource, Set<string>>()

function listen(to: EventSource, name: string) {
  const names = heard.get(to) ?? new Set()
  heard.set(to, names)
  if (names.has(name)) return
  names.add(name)
  to.addEventListener(name, (event) => {
    for (const { handlers } of [...followers]) handlers[name]?.(event)
  })
}

function onVisibility() {
  if (document.hidden) return close()
  if (source) return
  connect()
  tellMissed()
}

let settling = false
/** Pages leave and enter in one turn: the stream is opened again once, after it. */
function settle() {
  if (settling) return
  settling = true
  queueMicrotask(() => {
    settling = false
    connect()
    if (source) for (const { handlers } of followers) for (const name of Object.keys(handlers)) listen(source, name)
  })
}

/**
 * Follows the server's events while the page is visible: hidden tabs give their connection back. `missed` runs when a page
 * comes back, for what may have happened meanwhile. `watch` is a model whose changes by others are told as "changes".
 */
export function followEvents(handlers: Handlers, missed: () => void, watch: string | null = null): () => void {
  const follower = { handlers, missed, watch }
  if (followers.size === 0) document.addEventListener('visibilitychange', onVisibility)
  followers.add(follower)
  settle()
  return () => {
    followers.delete(follower)
    if (followers.size === 0) document.removeEventListener('visibilitychange', onVisibility)
    settle()
  }
}
