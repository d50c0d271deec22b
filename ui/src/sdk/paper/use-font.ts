import { useEffect, useRef, useState } from 'react'
import type { PrintPages } from './marks'

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

/**
 * Pages with their font, for a view that gets new ones again and again: the old pages stay until the font of the new ones is there. Null = there
 * were none yet.
 */
export function useDrawn(print: PrintPages | null): { print: PrintPages; family: string } | null {
  const [drawn, setDrawn] = useState<{ print: PrintPages; family: string } | null>(null)
  const old = useRef<FontFace | null>(null)
  useEffect(() => {
    if (!print) return
    let over = false
    made += 1
    const family = `paper-${made}`
    const face = print.font === '' ? null : new FontFace(family, bytesOf(print.font))
    if (face) document.fonts.add(face)
    const there = () => {
      if (over) return
      if (old.current) document.fonts.delete(old.current)
      old.current = face
      setDrawn({ print, family })
    }
    if (face) face.load().then(there, there)
    else there()
    return () => {
      over = true
      if (face && old.current !== face) document.fonts.delete(face)
    }
  }, [print])
  useEffect(
    () => () => {
      if (old.current) document.fonts.delete(old.current)
    },
    [],
  )
  return drawn
}
