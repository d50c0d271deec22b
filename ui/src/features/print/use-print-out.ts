import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PrintPages } from '@/sdk/paper/marks'
import { type Asked, notePrinted } from './api'

/** Pictures are there when their page is printed. */
const decoded = (images: Record<string, string>) =>
  Promise.allSettled(
    Object.values(images).map((src) => {
      const image = new Image()
      image.src = src
      return image.decode()
    }),
  )

const painted = () => new Promise<void>((go) => requestAnimationFrame(() => requestAnimationFrame(() => go())))

/** Draws all sheets for the printer while it is asked for them: by our button, or by the browser's menu. */
export function usePrintOut(asked: Asked, print: PrintPages | undefined) {
  const [printing, setPrinting] = useState(false)
  const id = print?.printId
  // biome-ignore lint/correctness/useExhaustiveDependencies: a preview is asked for once
  useEffect(() => {
    const before = () => flushSync(() => setPrinting(true))
    const after = () => {
      setPrinting(false)
      if (id) void notePrinted(asked, id)
    }
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [id])
  const run = async () => {
    if (!print || printing) return
    setPrinting(true)
    await decoded(print.images)
    await painted()
    window.print()
  }
  return { printing, run }
}
