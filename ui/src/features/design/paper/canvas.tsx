import { type ReactNode, useState } from 'react'
import { useText } from '@/sdk/use-text'
import { Background, Band } from './band'
import { type Chosen, elementsOf } from './edit'
import styles from './paper.module.css'
import { Frame, GuideLine, Piece, rectOf } from './piece'
import type { PaperProblem } from './problems'
import { RULER, Ruler } from './ruler'
import { around, bottom, boxOf, type Setup, type Template } from './template'
import { NOTHING, type Shown, useDragging } from './use-dragging'
import type { PaperWords } from './words'

/** How far sheets keep from the edge of the view, in pixels. */
const EDGE = 16

interface Props {
  template: Template
  setup: Setup
  chosen: Chosen
  scale: number
  words: PaperWords
  images: Record<string, string>
  problems: PaperProblem[]
  /** The view that sheets are scrolled in, and its width. */
  view: (element: HTMLDivElement | null) => void
  width: number
  onChoose: (chosen: Chosen) => void
  /** While something is dragged; null = it was given up. */
  onLive: (template: Template | null) => void
  onChange: (template: Template) => void
  onOpen: (page: number, at: number) => void
  onBand: (band: 'header' | 'footer') => void
  pageTools: (page: number) => ReactNode
  children?: ReactNode
}

/** The paper at scale: its pages below each other with rulers, and what is done to elements with a pointer. */
export function Canvas(props: Props) {
  const { template, setup, chosen, scale, words, images, problems, view, width, onBand, pageTools, children } = props
  const sheetWide = setup.width * scale
  const left = RULER + Math.max(EDGE, (width - RULER - sheetWide) / 2)
  const [shown, setShown] = useState<Shown>(NOTHING)
  /** The element that Tab comes to first; from there it goes from one to the next. */
  const [current, setCurrent] = useState({ page: 0, at: 0 })
  const begin = useDragging(props, setShown)
  const t = useText()
  return (
    <div ref={view} className={styles.view}>
      <div className={styles.inside} style={{ minWidth: left + sheetWide + EDGE }}>
        <div className={styles.topRuler}>
          <Ruler
            axis="x"
            from={-setup.left}
            to={setup.width - setup.left}
            inner={setup.inner}
            scale={scale}
            offset={left}
          />
        </div>
        {template.pages.map((page, p) => {
          const boxes = page.elements.map(boxOf)
          const lowest = Math.max(0, ...boxes.map(bottom))
          const over = lowest > setup.usable + 0.1
          const high = over ? setup.top + lowest + setup.bottom : setup.height
          const picked = chosen.page === p ? chosen.at : []
          return (
            <div key={p} className={styles.pageRow}>
              <div className={styles.pageHead} style={{ marginInlineStart: left, width: sheetWide }}>
                {pageTools(p)}
              </div>
              <div className={styles.pageBody} style={{ height: high * scale }}>
                <div className={styles.leftRuler}>
                  <Ruler
                    axis="y"
                    from={-setup.top}
                    to={high - setup.top}
                    inner={setup.usable}
                    scale={scale}
                    offset={0}
                  />
                </div>
                <div
                  className={styles.sheet}
                  data-page={p}
                  style={{ left, width: sheetWide, height: high * scale }}
                  onPointerDown={(event) => begin.band(event, p)}
                >
                  <Background template={template} images={images} />
                  <div
                    className={styles.margins}
                    style={{
                      left: setup.left * scale,
                      top: setup.top * scale,
                      width: setup.inner * scale,
                      height: setup.usable * scale,
                    }}
                  />
                  <Band
                    band="header"
                    page={p}
                    template={template}
                    setup={setup}
                    scale={scale}
                    high={setup.height}
                    words={words}
                    onOpen={() => onBand('header')}
                  />
                  <Band
                    band="footer"
                    page={p}
                    template={template}
                    setup={setup}
                    scale={scale}
                    high={high}
                    words={words}
                    onOpen={() => onBand('footer')}
                  />
                  <div
                    data-origin
                    className={styles.origin}
                    style={{ left: setup.left * scale, top: setup.top * scale }}
                    {...(page.elements.length > 0 && {
                      role: 'listbox',
                      'aria-multiselectable': true,
                      'aria-label': t('paper.elementsOf', { n: p + 1 }),
                    })}
                  >
                    {page.elements.map((element, i) => (
                      <Piece
                        key={i}
                        {...{ element, scale, words, images, page: p, at: i }}
                        chosen={picked.includes(i)}
                        tabbed={i === (current.page === p ? Math.min(current.at, page.elements.length - 1) : 0)}
                        onFocus={() => setCurrent({ page: p, at: i })}
                        problems={problems.filter((one) => one.page === p && one.element === i)}
                        onPointerDown={(event) => begin.move(event, p, i)}
                        onOpen={() => props.onOpen(p, i)}
                      />
                    ))}
                  </div>
                  <div
                    className={styles.over}
                    style={{ left: setup.left * scale, top: setup.top * scale }}
                    aria-hidden="true"
                  >
                    {picked.length > 0 && (
                      <Frame
                        box={around(elementsOf(template, { page: p, at: picked }).map(boxOf))}
                        scale={scale}
                        onHandle={(event, handle) => begin.resize(event, p, handle)}
                      />
                    )}
                    {shown.page === p && shown.guides.map((one, i) => <GuideLine key={i} guide={one} scale={scale} />)}
                    {shown.page === p && shown.band && (
                      <span className={styles.rubber} style={rectOf(shown.band, scale)} />
                    )}
                  </div>
                  {over && (
                    <div className={styles.break} style={{ top: (setup.top + setup.usable) * scale }}>
                      <span>{t('paper.nextSheet')}</span>
                    </div>
                  )}
                </div>
              </div>
            </div>
          )
        })}
        {children}
      </div>
    </div>
  )
}

/** What sheets need beside themselves, in pixels. */
export const BESIDE = RULER + 2 * EDGE
