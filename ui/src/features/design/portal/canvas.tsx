import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import GridLayout, { type Layout, verticalCompactor } from 'react-grid-layout'
import { transformStrategy } from 'react-grid-layout/core'
import { useText } from '@/sdk/use-text'
import type { DrawnWidget } from './api'
import { type Box, COLUMNS, GAP, ROW } from './grid'
import { idOf, type Page, sameWay, type Way, type Widget, widgetAt } from './page'
import styles from './portal.module.css'
import type { PortalProblem } from './problems'
import type { PortalWords } from './words'

const GRID = {
  cols: COLUMNS,
  rowHeight: ROW,
  margin: [GAP, 0],
  containerPadding: [0, 0],
  maxRows: Number.POSITIVE_INFINITY,
} as const
const HANDLES = ['e', 's', 'se'] as const

interface Props {
  page: Page
  boxes: readonly Box[]
  /** What each widget of the page is drawn with; missing ones are not known yet. */
  drawn: ReadonlyMap<Widget, DrawnWidget>
  draw: (widget: DrawnWidget) => ReactNode
  words: PortalWords
  problems: readonly PortalProblem[]
  chosen: Way | null
  /** The width of the page, and how it is scaled. */
  width: number
  scale: number
  look: CSSProperties
  padding: number
  readOnly: boolean
  onChoose: (way: Way | null) => void
  onOpen: (way: Way) => void
  onBoxes: (boxes: Box[]) => void
  /** The widget that gets the focus as soon as it is drawn. */
  focus: RefObject<number | null>
}

/** Keys of the widgets that stay the same while they move: their codes, where no other has them. */
function keysOf(page: Page): string[] {
  const seen = new Set<string>()
  return page.widgets.map((widget, i) => {
    const code = typeof widget.code === 'string' && !seen.has(widget.code) ? widget.code : `#${i}`
    seen.add(code)
    return code
  })
}

/** The page on its grid: its widgets are dragged, resized and chosen. */
export function Canvas(props: Props) {
  const { page, boxes, drawn, draw, words, problems, chosen, width, scale, readOnly } = props
  const t = useText()
  const keys = useMemo(() => keysOf(page), [page])
  const layout = useMemo(
    () =>
      keys.map((i, at) => {
        const { x = 0, y = 0, width: w = 1, height: h = 1 } = boxes[at] ?? {}
        return { i, x, y, w, h }
      }),
    [keys, boxes],
  )
  // Not createScaledStrategy: its drags begin at a place on the screen, and not on the page.
  const strategy = useMemo(() => ({ ...transformStrategy, scale }), [scale])
  const settle = (next: Layout) => {
    const by = new Map(next.map((one) => [one.i, one]))
    props.onBoxes(
      keys.map((key, at) => {
        const one = by.get(key)
        return one ? { x: one.x, y: one.y, width: one.w, height: one.h } : (boxes[at] as Box)
      }),
    )
  }
  const sheet = useRef<HTMLDivElement>(null)
  // A widget that a layout holds is drawn by the layout.
  useEffect(() => {
    if (!chosen || chosen.length < 2) return
    const widget = widgetAt(page, chosen)
    const node = widget && sheet.current?.querySelector(`[data-widget="${CSS.escape(idOf(widget, chosen))}"]`)
    node?.setAttribute('data-picked', '')
    return () => node?.removeAttribute('data-picked')
  })
  const inner = width - 2 * props.padding
  const rows = boxes.reduce((most, box) => Math.max(most, box.y + box.height), 0)
  const height = Math.max(480, rows * ROW + 2 * props.padding + 8 * ROW)
  return (
    <div className={styles.scaled} style={{ width: width * scale, height: height * scale }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape does the same */}
      <div
        className={styles.sheet}
        data-sheet
        ref={sheet}
        style={{ ...props.look, width, height, padding: props.padding, transform: `scale(${scale})` }}
        onClick={(event) =>
          event.target instanceof Element && !event.target.closest('[data-way]') && props.onChoose(null)
        }
      >
        <GridLayout
          width={inner}
          layout={layout}
          gridConfig={GRID}
          dragConfig={{ enabled: !readOnly, bounded: false, threshold: 4 }}
          resizeConfig={{ enabled: !readOnly, handles: HANDLES }}
          positionStrategy={strategy}
          compactor={verticalCompactor}
          className={styles.grid ?? ''}
          onDragStop={settle}
          onResizeStop={settle}
        >
          {page.widgets.map((widget, i) => (
            <div key={keys[i]} className={styles.item}>
              <Place
                widget={widget}
                way={i}
                box={boxes[i] as Box}
                name={words.widget(widget)}
                chosen={chosen}
                wrong={problemAt(problems, i)}
                onChoose={props.onChoose}
                onOpen={props.onOpen}
                focus={props.focus}
              >
                {drawnOr(widget, drawn, draw, t('portalDesign.notDrawn'), words.type(widget.type))}
              </Place>
            </div>
          ))}
        </GridLayout>
        {page.widgets.length === 0 && (
          <p className={styles.emptyPage}>
            <strong>{t('portalDesign.emptyPage')}</strong>
            {!readOnly && t('portalDesign.emptyHow')}
          </p>
        )}
      </div>
    </div>
  )
}

const problemAt = (problems: readonly PortalProblem[], at: number) => {
  const own = problems.filter((one) => one.way?.[0] === at)
  return own.some((one) => one.severity === 'error') ? 'error' : own.length > 0 ? 'warning' : undefined
}

function drawnOr(
  widget: Widget,
  drawn: ReadonlyMap<Widget, DrawnWidget>,
  draw: (widget: DrawnWidget) => ReactNode,
  text: string,
  type: string,
) {
  const found = drawn.get(widget)
  if (found) return draw(found)
  return (
    <div className={styles.waiting}>
      <strong>{type}</strong>
      <span>{text}</span>
    </div>
  )
}

interface PlaceProps {
  widget: Widget
  way: number
  box: Box
  name: string
  chosen: Way | null
  wrong: 'error' | 'warning' | undefined
  onChoose: (way: Way) => void
  onOpen: (way: Way) => void
  focus: RefObject<number | null>
  children: ReactNode
}

/** The way to what is under a point: a widget, or one of those that it holds. */
function wayUnder(widget: Widget, top: Way, of: Element, x: number, y: number): Way {
  for (const [i, inner] of (widget.widgets ?? []).entries()) {
    const way = [...top, i]
    const node = of.querySelector(`[data-widget="${CSS.escape(idOf(inner, way))}"]`)
    const rect = node?.getBoundingClientRect()
    if (node && rect && x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom)
      return wayUnder(inner, way, node, x, y)
  }
  return top
}

function Place({ widget, way: at, box, name, chosen, wrong, onChoose, onOpen, focus, children }: PlaceProps) {
  const t = useText()
  const node = useRef<HTMLDivElement>(null)
  // With what was drawn, and not a frame later: the next key may be there by then.
  useLayoutEffect(() => {
    if (focus.current !== at) return
    focus.current = null
    node.current?.focus({ preventScroll: true })
  })
  const own = [at]
  const isChosen = chosen !== null && sameWay(chosen, own)
  const holds = chosen !== null && chosen.length > 1 && chosen[0] === at
  const under = (event: MouseEvent<HTMLElement>) =>
    wayUnder(widget, own, event.currentTarget, event.clientX, event.clientY)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset it is not
    <div
      ref={node}
      className={styles.place}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move and remove it
      tabIndex={0}
      data-way={at}
      data-chosen={isChosen || undefined}
      data-holds={holds || undefined}
      data-wrong={wrong}
      aria-current={isChosen || undefined}
      aria-label={t('portalDesign.placeOf', {
        name,
        x: box.x + 1,
        y: box.y + 1,
        width: box.width,
        height: box.height,
      })}
      onFocus={(event) => event.target === event.currentTarget && !isChosen && !holds && onChoose(own)}
      onClick={(event) => onChoose(under(event))}
      onDoubleClick={(event) => onOpen(under(event))}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.key !== 'Enter') return
        event.preventDefault()
        onOpen(own)
      }}
    >
      <span className={styles.tag} aria-hidden="true">
        {name}
      </span>
      {children}
    </div>
  )
}
