import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useText } from '@/sdk/use-text'
import { drawingOf } from './draw/draw'
import { type Place, placeAfter } from './draw/keys'
import type { Point, Scene } from './draw/scene'
import { tooltipOf } from './draw/tooltip'
import { useChart } from './draw/use-chart'
import { type DrillPlace, drillAddress } from './drill'
import styles from './report.module.css'

/** What a chart can be asked for from outside. */
export interface ChartHandle {
  picture: () => string | null
}

interface Props {
  ref?: Ref<ChartHandle>
  scene: Scene
  name: string
  place: DrillPlace
}

/** What a screen reader is told of a whole chart, at most. */
const SAID = 12

const sayPoint = ({ heading, lines }: Point) =>
  `${heading}: ${lines.map(({ name, text, note }) => `${name} ${text}${note ? ` (${note})` : ''}`).join(', ')}`

/**
 * A chart that the library draws. Arrow keys go from point to point, Enter opens the list behind one. A finger can't point without pressing: its
 * first tap tells what the mouse is told on the way, the second one opens.
 */
export function DrawnChart({ ref, scene, name, place }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const [at, setAt] = useState<Place | null>(null)
  const touched = useRef(false)
  const kind = t(`report.kinds.${scene.chart.chartType}` as never)
  const drawing = useMemo(() => drawingOf(scene), [scene])
  const points = useMemo(() => drawing?.points ?? [], [drawing])
  const option = useMemo(() => {
    if (!drawing) return {}
    const seen = [...new Set(points.flat())].flatMap((point) => point ?? [])
    const said = seen.slice(0, SAID).map(sayPoint).join('; ')
    const description = t('report.summary', { name, kind, points: seen.length > SAID ? `${said}…` : said })
    const css = { box: styles.tip ?? '', line: styles.tipLine ?? '', dot: styles.dot ?? '', hint: styles.tipHint ?? '' }
    const hint = () => (touched.current ? t('report.tapAgain') : null)
    return {
      ...drawing.option,
      aria: { enabled: true, label: { enabled: true, description } },
      tooltip: { ...drawing.option.tooltip, formatter: (given: unknown) => tooltipOf(given, points, css, hint()) },
    }
  }, [drawing, points, t, name, kind])
  const open = (of: Place) => {
    const point = points[of.series]?.[of.index]
    const to = point?.at && drillAddress(place, point.at, point.measure, point.added)
    if (to) void navigate(to)
  }
  // One box tells of all series of a group: whichever of them is tapped next is meant.
  const shares =
    drawing?.option.tooltip && 'trigger' in drawing.option.tooltip && drawing.option.tooltip.trigger === 'axis'
  const press = (of: Place) => {
    const told = at?.index === of.index && (shares || at.series === of.series)
    if (touched.current && !told) return show(of)
    open(of)
  }
  const { box, chart } = useChart(option as never, { onClick: (series, index) => press({ series, index }) })
  useImperativeHandle(ref, () => ({
    picture: () =>
      chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: scene.look.surface }) ?? null,
  }))
  const show = (next: Place | null) => {
    setAt(next)
    if (next) chart.current?.dispatchAction({ type: 'showTip', seriesIndex: next.series, dataIndex: next.index })
    else chart.current?.dispatchAction({ type: 'hideTip' })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key === 'Enter' && at) return open(at)
    if (event.key === 'Escape' && at) {
      event.stopPropagation()
      return show(null)
    }
    const next = placeAfter(event.key, at, points)
    if (!next) return
    event.preventDefault()
    show(next)
  }
  const point = at && points[at.series]?.[at.index]
  const opens = points.some((series) => series.some((one) => one?.at))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div
      role="group"
      className={styles.drawn}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read its points
      tabIndex={0}
      aria-label={t('report.chart', { name, kind })}
      aria-description={opens ? t('report.keys') : t('report.keysOnly')}
      onKeyDown={onKey}
      onPointerDownCapture={({ pointerType }) => {
        touched.current = pointerType === 'touch'
      }}
      onBlur={() => show(null)}
    >
      <div ref={box} className={styles.canvas} />
      <output className={styles.said}>{point ? sayPoint(point) : ''}</output>
    </div>
  )
}
