import { useRef } from 'react'

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')

/** A key for what is sent: the same while the same is sent again, until it is known to have arrived. */
export function useOnce() {
  const last = useRef<{ text: string; key: string } | null>(null)
  return {
    keyOf: (sent: unknown) => {
      const text = JSON.stringify(sent)
      if (last.current?.text !== text) last.current = { text, key: newKey() }
      return last.current.key
    },
    arrived: () => {
      last.current = null
    },
  }
}
