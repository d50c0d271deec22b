import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Comments } from './use-comments'

/** So near to the end a reader counts as being at it, and follows what comes. */
const NEAR = 80
const MARKED = 2_400

/** Where the thread is: at its end while one follows it, at a comment that was asked for, or where one reads. */
export function useThread(comments: Comments, target: string | null) {
  const box = useRef<HTMLElement>(null)
  const follows = useRef(target === null)
  const height = useRef<number | null>(null)
  const sought = useRef<string | null>(null)
  const [marked, setMarked] = useState<string | null>(null)
  const [gone, setGone] = useState(false)
  const { comments: all, hasNextPage, isFetching, fetchNextPage } = comments

  const show = useCallback((id: string) => {
    const at = box.current?.querySelector(`[data-comment="${CSS.escape(id)}"]`)
    if (!at) return false
    follows.current = false
    at.scrollIntoView({ block: 'center' })
    setMarked(id)
    return true
  }, [])
  useEffect(() => {
    if (!marked) return
    const timer = setTimeout(() => setMarked(null), MARKED)
    return () => clearTimeout(timer)
  }, [marked])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each time other comments are drawn
  useLayoutEffect(() => {
    const at = box.current
    if (!at) return
    if (height.current !== null) at.scrollTop += at.scrollHeight - height.current
    else if (follows.current) at.scrollTop = at.scrollHeight
    height.current = null
  }, [all.length, all.at(-1)?.id])

  // What is sought may be older than what was loaded: pages are loaded until it is there.
  useEffect(() => {
    if (!target || sought.current === target || !comments.isSuccess || isFetching) return
    if (show(target)) {
      sought.current = target
      setGone(false)
    } else if (hasNextPage) void fetchNextPage()
    else {
      sought.current = target
      setGone(true)
    }
  }, [target, comments.isSuccess, isFetching, hasNextPage, fetchNextPage, show])

  useEffect(() => {
    const at = box.current
    if (!at) return
    const look = () => {
      follows.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR
    }
    at.addEventListener('scroll', look, { passive: true })
    return () => at.removeEventListener('scroll', look)
  }, [])

  return {
    box,
    marked,
    gone,
    show,
    stayAtEnd: () => {
      follows.current = true
    },
    /** Loads older comments; what one reads stays where it is. */
    earlier: () => {
      height.current = box.current?.scrollHeight ?? null
      void fetchNextPage()
    },
  }
}
