type Handlers = Record<string, (event: MessageEvent<string>) => void>

/**
 * Follows the server's events while the page is visible: hidden tabs give their connection back, since a browser has few
 * for one server. `missed` runs when a page comes back, for what may have happened meanwhile.
 */
export function followEvents(handlers: Handlers, missed: () => void): () => void {
  let source: EventSource | null = null
  const open = () => {
    source = new EventSource('/api/events')
    for (const [name, handler] of Object.entries(handlers)) source.addEventListener(name, handler)
  }
  const close = () => {
    source?.close()
    source = null
  }
  const onVisibility = () => {
    if (document.hidden) return close()
    if (source) return
    open()
    missed()
  }
  if (!document.hidden) open()
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    close()
  }
}
