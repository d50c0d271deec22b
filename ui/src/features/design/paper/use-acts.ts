import { useState } from 'react'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import type { PrintModel } from './api'
import { add, type Changed, type Chosen, duplicate, freePlace, inOrder, paste, place, remove } from './edit'
import { newElement, type Piece } from './elements'
import { type Box, boxOf, type Element, type Setup, type Template } from './template'
import { type Choosing, focusOn, nodeOf } from './use-choice'
import type { PaperWords } from './words'

/** What was copied last, also in another template of this tab. */
let clip: Element[] = []

interface Options {
  now: Template
  set: (next: Template, of?: string | null) => void
  choice: Choosing
  model: PrintModel | undefined
  setup: Setup
  scale: number
  words: PaperWords
  readOnly: boolean
}

/** What is done to the template as it is kept: elements that come, go and are copied. */
export function useActs({ now, set, choice, model, setup, scale, words, readOnly }: Options) {
  const t = useText()
  const say = useFeedback()
  const [clips, setClips] = useState(clip.length)
  const { chosen, pick } = choice

  /** A change that changes nothing is left out. `of` names what is changed: several changes of it within a moment are one step. */
  const keep = (next: Template, of: string | null = null) => {
    if (next !== now && !readOnly) set(next, of)
  }
  const go = ({ template: next, chosen: to }: Changed, focus = false) => {
    if (next === now || readOnly) return
    set(next)
    pick(to)
    if (focus) focusOn(to)
  }
  const put = (piece: Piece, page: number, at: (element: Element) => Partial<Box>) => {
    if (readOnly) return
    const made = model && newElement(piece, model, setup.inner, { text: t('paper.newText') })
    if (!made) return say.warning(t('paper.noColumns'))
    const next = add(now, page, [place(made, at(made))])
    go(next)
    say.success(t('paper.added', { name: words.element(made) }))
    requestAnimationFrame(() =>
      nodeOf(page, next.chosen.at[0])?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
  }
  const copy = (of: Chosen) => {
    if (of.at.length === 0) return
    clip = structuredClone(inOrder(now, of))
    setClips(clip.length)
    say.success(t('paper.copied', { count: clip.length }))
  }
  const drop = (of: Chosen) => {
    if (of.at.length === 0 || readOnly) return
    set(remove(now, of))
    const rest = (now.pages[of.page]?.elements.length ?? 0) - of.at.length
    const next = Math.min(Math.min(...of.at), rest - 1)
    pick({ page: of.page, at: [] })
    if (next >= 0) focusOn({ page: of.page, at: [next] })
  }
  return {
    keep,
    go,
    canPaste: clips > 0,
    /** Puts a piece where there is room for it. */
    add: (piece: Piece) =>
      put(piece, chosen.page, (made) => freePlace(now, chosen.page, boxOf(made).width, setup.inner)),
    /** Puts a piece where it was dropped, in pixels from the left top corner of the margins. */
    addAt: (piece: Piece, page: number, x: number, y: number) =>
      put(piece, page, (made) => {
        const box = boxOf(made)
        const left = Math.round(x / scale - box.width / 2)
        return {
          left: Math.max(0, box.width >= setup.inner - 1 ? 0 : Math.min(left, Math.floor(setup.inner - box.width))),
          top: Math.max(0, Math.round(y / scale - Math.min(box.height, 8) / 2)),
        }
      }),
    copy,
    cut: (of: Chosen) => {
      copy(of)
      drop(of)
    },
    paste: () => {
      if (clip.length > 0) go(paste(now, chosen.page, clip), true)
    },
    duplicate: (of: Chosen) => {
      if (of.at.length > 0) go(duplicate(now, of), true)
    },
    remove: drop,
  }
}

export type Acts = ReturnType<typeof useActs>
