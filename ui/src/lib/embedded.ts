/** Whether another page shows this one in a frame: no windows are opened from there. */
export const isFramed = () => window.parent !== window

let kept: string | null | undefined

/** The iframeAction that this window was opened with inside a frame of our own; null when it is a page of its own. */
export function iframeAction(): string | null {
  if (kept === undefined) kept = isFramed() ? new URLSearchParams(window.location.search).get('iframeAction') : null
  return kept
}

/** What a form in a frame tells the page around it. */
export type FormEvent =
  | { type: 'ready' }
  | { type: 'dirty'; dirty: boolean }
  | { type: 'saved'; added: boolean }
  | { type: 'deleted' }
  | { type: 'closed' }

/** Tells the page around the form; only one of the same origin gets it. Nothing is told without a frame. */
export function tellHost(event: FormEvent, record: { schemaCode: string; objectId: string | null }) {
  const action = iframeAction()
  if (action !== null)
    window.parent.postMessage(
      { source: 'sluice-form', iframeAction: action, ...record, ...event },
      window.location.origin,
    )
}
