import { useRef } from 'react'
import { newToken } from '@/lib/token'

/** A key for what is sent: the same while the same is sent again, until it is known to have arrived. */
export function useOnce() {
  const last = useRef<{ text: string; key: string } | null>(null)
  return {
    keyOf: (sent: unknown) => {
      const text = JSON.stringify(sent)
      if (last.current?.text !== text) last.current = { text, key: newToken() }
      return last.current.key
    },
    arrived: () => {
      last.current = null
    },
  }
}
