import { useEffect, useState } from 'react'

let made = 0

/** The bytes of a text in base64. */
function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes.buffer
}

/**
 * The font of an answer under a name of its own, for each answer has just the characters that it needs; it goes with the page. Null = it is
 * still read. A browser that refuses it draws the texts in a font of its own, as long as they are measured.
 */
export function useFont(base64: string | undefined): string | null {
  const [family, setFamily] = useState<string | null>(null)
  useEffect(() => {
    setFamily(null)
    if (base64 === undefined) return
    made += 1
    const name = `paper-${made}`
    if (base64 === '') return setFamily(name)
    const face = new FontFace(name, bytesOf(base64))
    let left = false
    document.fonts.add(face)
    const there = () => {
      if (!left) setFamily(name)
    }
    face.load().then(there, there)
    return () => {
      left = true
      document.fonts.delete(face)
    }
  }, [base64])
  return family
}
