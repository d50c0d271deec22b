import { useMemo, useState } from 'react'
import { type Chosen, elementsOf, still } from './edit'
import type { Template } from './template'

export const NONE: Chosen = { page: 0, at: [] }

/** An element on the screen. */
export const nodeOf = (page: number, at: number | undefined) =>
  document.querySelector<HTMLElement>(`[data-element="${page}/${at}"]`)

export const focusOn = ({ page, at }: Chosen) => requestAnimationFrame(() => nodeOf(page, at[0])?.focus())

/** Names a choice, for changes that are one step and for the fields of a panel. */
export const on = (of: Chosen) => of.at.join()

export type BandName = 'header' | 'footer'

/** What is chosen on the paper, and whether the panel is open for it. `shown` is the template as it is drawn, `now` as it is kept. */
export function useChoice(shown: Template, now: Template) {
  const [picked, pick] = useState<Chosen>(NONE)
  const [panel, setPanel] = useState(false)
  const [settings, setSettings] = useState<BandName | null>(null)
  const chosen = useMemo(() => still(shown, picked), [shown, picked])
  const kept = useMemo(() => still(now, picked), [now, picked])
  const elements = useMemo(() => (settings ? [] : elementsOf(now, kept)), [settings, now, kept])
  const choose = (to: Chosen) => {
    setSettings(null)
    pick(to)
  }
  return {
    chosen,
    /** The same in the template as it is kept. */
    kept,
    elements,
    panel,
    settings,
    /** Chooses without leaving the settings of a band. */
    pick,
    choose,
    open: (to: Chosen) => {
      choose(to)
      setPanel(true)
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>('[data-panel] input, [data-panel] textarea')?.focus(),
      )
    },
    /** The settings of a page, or of one of its bands. */
    openSettings: (page: number, band: BandName | null = null) => {
      setSettings(band)
      pick({ page, at: [] })
      setPanel(true)
    },
    close: () => {
      setPanel(false)
      setSettings(null)
      if (chosen.at.length > 0) focusOn(chosen)
    },
  }
}

export type Choosing = ReturnType<typeof useChoice>
