import { Link } from 'react-router'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import type { DataSet, Row } from './api'
import { type Chart, groupAt, measureAt } from './chart'
import { type DrillPlace, drillAddress } from './drill'
import { combine, geometry, measureText } from './figures'
import { rowsBy } from './flat'
import styles from './report.module.css'
import { groupText, type Words } from './words'

interface Props {
  chart: Chart
  set: DataSet
  rows: Row[]
  words: Words
  place: DrillPlace
}

const SIZE = { width: 200, height: 40 }

/** More points than this a small line cannot show. */
const MOST_POINTS = 400

/** The points of a small line, as SVG has them; two are needed for one. */
export function sparkOf(all: (number | null)[]): string {
  const every = Math.ceil(all.length / MOST_POINTS)
  const values = all.filter((_, i) => i % every === 0 || i === all.length - 1)
  const known = values.filter((value) => value !== null)
  const [least, most] = [Math.min(...known), Math.max(...known)]
  if (known.length < 2) return ''
  const step = SIZE.width / (values.length - 1)
  const y = (value: number) => SIZE.height - 2 - ((value - least) / (most - least || 1)) * (SIZE.height - 4)
  return values
    .flatMap((value, i) => (value === null ? [] : `${+(i * step).toFixed(1)},${+y(value).toFixed(1)}`))
    .join(' ')
}

/** One figure in large, with what it is compared with and how it came about. */
export function Figure({ chart, set, rows, words, place }: Props) {
  const t = useText()
  const [main, beside] = [measureAt(set, chart.measure), measureAt(set, chart.compare)]
  const steps = chart.trend ? rowsBy(rows, [groupAt(set, chart.trend)]) : []
  const last = steps.at(-1)
  /** A figure that does not follow from those of the steps is that of the last one, and says so. */
  const read = (at: number) => {
    const whole = combine(rows, at, set)
    const of = whole === undefined ? (last?.rows ?? []) : rows
    const value = whole ?? (combine(of, at, set) || null)
    const step = whole === undefined && last?.values[0] ? groupText(last.values[0], words) : null
    return { value, step }
  }
  const measure = set.measures[main]
  const compared = set.measures[beside]
  if (!measure) return null
  const figure = read(main)
  const other = compared ? read(beside) : null
  const sign = Math.sign(geometry(other?.value) ?? 0)
  const to = drillAddress(place, new Map())
  const line = sparkOf(steps.map((step) => geometry(combine(step.rows, main, set))))
  const ends = [steps[0], last].map((step) => (step?.values[0] ? groupText(step.values[0], words) : ''))
  const text = measureText(figure.value, measure, words)
  return (
    <div className={styles.figure}>
      <p className={styles.number}>
        {figure.step && <small>{t('report.at', { step: figure.step })} </small>}
        {to ? (
          <Link to={to} title={t('report.open', { name: localName(measure, words.locale) })}>
            {text}
          </Link>
        ) : (
          text
        )}
      </p>
      {compared && other && (
        <p className={styles.compare}>
          <span>
            {localName(compared, words.locale)}
            {other.step ? ` · ${other.step}` : ''}
          </span>
          <strong>
            {sign > 0 ? '▲ ' : sign < 0 ? '▼ ' : ''}
            {measureText(other.value, compared, words)}
          </strong>
        </p>
      )}
      {line && (
        <svg
          className={styles.spark}
          viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('report.trend', { from: ends[0], to: ends[1] })}
        >
          <polyline points={line} />
        </svg>
      )}
    </div>
  )
}
