import { useEffect, useState } from 'react'
import { useAppearance } from '@/lib/appearance'
import { useTheme } from '@/lib/theme'
import { type Look, lookOf } from './draw/look'

/** The colors of the page; they are read again when it becomes light or dark, or another theme is chosen. */
export function useLook(): Look {
  const appearance = useAppearance((state) => state.appearance)
  const theme = useTheme((state) => state.shown ?? state.theme)
  const [look, setLook] = useState(() => lookOf(document.documentElement))
  // The style sheets follow in an effect of their own, which comes first or a moment later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the properties follow them
  useEffect(() => {
    const read = () => {
      const next = lookOf(document.documentElement)
      setLook((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    }
    const timer = setTimeout(read)
    return () => clearTimeout(timer)
  }, [appearance, theme])
  return look
}
