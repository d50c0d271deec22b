/** A tab in which an administrator looks at the product as somebody else keeps the pass here. */
const KEY = 'seeAs'

export interface SeeAs {
  pass: string
  /** An instant. */
  expires: string
  user: { id: string; name: string }
  /** Where the administrator was. */
  back: string
}

function read(): SeeAs | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as SeeAs | null
    if (kept && Date.parse(kept.expires) > Date.now()) return kept
  } catch {
    // what somebody else wrote there is nothing of ours
  }
  sessionStorage.removeItem(KEY)
  return null
}

let now: SeeAs | null | undefined

/** As whom this tab looks at the product; null = as the person who is signed in. */
export function seeAs(): SeeAs | null {
  if (now === undefined) now = read()
  return now
}

/** Looks at the product as somebody else in this tab. The page loads again, so that nothing of one person is shown to the other. */
export function beginSeeAs(pass: Omit<SeeAs, 'back'>) {
  const back = window.location.pathname + window.location.search
  sessionStorage.setItem(KEY, JSON.stringify({ ...pass, back }))
  window.location.assign('/')
}

/** Goes back to where the administrator was. */
export function endSeeAs() {
  const back = seeAs()?.back ?? '/'
  sessionStorage.removeItem(KEY)
  window.location.assign(back)
}
