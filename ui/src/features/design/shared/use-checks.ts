import { useEffect, useRef, useState } from 'react'

const WAIT = 500

/**
 * What the compiler says of a document as it is now, a moment after it was changed. `of` names all that the answer depends on. The answer
 * comes with the document that it is about.
 */
export function useChecks<T, C>(document: T, of: string, check: (document: T) => Promise<C>) {
  const [answer, setAnswer] = useState<{ of: string; check: C; document: T } | null>(null)
  const latest = useRef({ document, check })
  latest.current = { document, check }
  useEffect(() => {
    let over = false
    const timer = setTimeout(() => {
      const checked = latest.current
      checked
        .check(checked.document)
        .then((found) => {
          if (!over) setAnswer({ of, check: found, document: checked.document })
        })
        .catch(() => {}) // publishing says what is wrong
    }, WAIT)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [of])
  return { answer, checking: answer?.of !== of }
}
