import { useEffect, useState } from 'react'
import { loadPinyin, matchWith } from './pinyin'

/** The matcher of searches in texts we hold already; knows pinyin as soon as its dictionary has arrived. */
export function useMatcher(active: boolean) {
  const [match, setMatch] = useState(() => matchWith(null))
  useEffect(() => {
    if (!active) return
    let alive = true
    loadPinyin().then((pinyin) => alive && setMatch(() => matchWith(pinyin)))
    return () => {
      alive = false
    }
  }, [active])
  return match
}
