import type { KeyboardEvent as Keyed, PointerEvent as Pointing } from 'react'
import { useText } from '@/sdk/use-text'
import { Drawn } from './drawn'
import styles from './paper.module.css'
import type { PaperProblem } from './problems'
import { type Guide, HANDLES, type Handle } from './snap'
import { type Box, boxOf, type Template } from './template'
import type { PaperWords } from './words'

export const rectOf = (box: Box, scale: number) => ({
  left: box.left * scale,
  top: box.top * scale,
  width: box.width * scale,
  height: box.height * scale,
})

/** Tab goes through the elements of a page, and leaves it behind the last one. */
function step(event: Keyed<HTMLElement>) {
  if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey) return
  const all = [...(event.currentTarget.closest('[data-origin]')?.querySelectorAll<HTMLElement>('[data-element]') ?? [])]
  const next = all[all.indexOf(document.activeElement as HTMLElement) + (event.shiftKey ? -1 : 1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** An element on the paper. */
export function Piece({
  element,
  scale,
  words,
  images,
  page,
  at,
  chosen,
  tabbed,
  problems,
  onFocus,
  onPointerDown,
  onOpen,
}: {
  element: Template['pages'][number]['elements'][number]
  scale: number
  words: PaperWords
  images: Record<string, string>
  page: number
  at: number
  chosen: boolean
  tabbed: boolean
  problems: PaperProblem[]
  onFocus: () => void
  onPointerDown: (event: Pointing) => void
  onOpen: () => void
}) {
  const t = useText()
  const box = boxOf(element)
  const worst = problems.some((one) => one.severity === 'error')
    ? styles.wrong
    : problems.length > 0
      ? styles.warned
      : ''
  const said = problems.map((one) => (words.locale === 'zh' ? one.zh : one.en)).join(t('design.comma'))
  const numbers = t('paper.place', { left: box.left, top: box.top, width: box.width, height: box.height })
  return (
    <div
      role="option"
      aria-selected={chosen}
      title={said || undefined}
      tabIndex={tabbed ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={step}
      data-element={`${page}/${at}`}
      className={[styles.element, chosen && styles.chosen, worst, element.eleType === 'line' && styles.isLine]
        .filter(Boolean)
        .join(' ')}
      style={rectOf(box, scale)}
      onPointerDown={onPointerDown}
      onDoubleClick={onOpen}
    >
      <span className="visually-hidden">
        {[words.element(element), numbers, said].filter(Boolean).join(t('design.comma'))}
      </span>
      <span className={styles.content} aria-hidden="true">
        <Drawn element={element} scale={scale} words={words} images={images} />
      </span>
      {said && <span className={styles.mark} aria-hidden="true" />}
    </div>
  )
}

/** The frame around what is chosen, with its handles. */
export function Frame({
  box,
  scale,
  onHandle,
}: {
  box: Box
  scale: number
  onHandle: (event: Pointing, handle: Handle) => void
}) {
  return (
    <span className={styles.frame} style={rectOf(box, scale)}>
      {HANDLES.map((handle) => (
        <span
          key={handle}
          data-handle={handle}
          className={styles.handle}
          style={{
            left: handle.includes('w') ? 0 : handle.includes('e') ? '100%' : '50%',
            top: handle.includes('n') ? 0 : handle.includes('s') ? '100%' : '50%',
            cursor: `${handle}-resize`,
          }}
          onPointerDown={(event) => onHandle(event, handle)}
        />
      ))}
    </span>
  )
}

/** A line that something lies on while it is dragged. */
export function GuideLine({ guide, scale }: { guide: Guide; scale: number }) {
  const style =
    guide.axis === 'x'
      ? { left: guide.at * scale, top: guide.from * scale, height: (guide.to - guide.from) * scale, width: 0 }
      : { top: guide.at * scale, left: guide.from * scale, width: (guide.to - guide.from) * scale, height: 0 }
  return <span className={styles.guide} style={style} />
}
