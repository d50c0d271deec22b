import { useEffect, useState } from 'react'
import { loadPinyin, matchWith } from './pinyin'

const PLAIN = { match: matchWith(null), ready: false }

/** The matcher of searches in texts we hold already, and whether it knows pinyin yet, or never will. */
export function usePinyin(active: boolean) {
  const [now, setNow] = useState(PLAIN)
  useEffect(() => {
    if (!active) return
    let alive = true
    loadPinyin().then(
      (pinyin) => alive && setNow({ match: matchWith(pinyin), ready: true }),
      () => alive && setNow({ ...PLAIN, ready: true }),
    )
    return () => {
      alive = false
    }
  }, [active])
  return now
}

/** The matcher of searches in texts we hold already; knows pinyin as soon as its dictionary has arrived. */
export const useMatcher = (active: boolean) => usePinyin(active).match
