import { Link } from 'react-router'
import { localName } from '@/lib/local-name'
import type { DataSet, Row } from '@/sdk/report/api'
import { combine, geometry, measureText } from '@/sdk/report/figures'
import { SPARK, sparkOf } from '@/sdk/report/spark'
import { groupText, type Words } from '@/sdk/report/words'
import { useText } from '@/sdk/use-text'
import { type Chart, groupAt, measureAt } from './chart'
import { isUndated } from './draw/scene'
import { type DrillPlace, drillAddress } from './drill'
import { rowsBy } from './flat'
import styles from './report.module.css'

interface Props {
  chart: Chart
  set: DataSet
  rows: Row[]
  words: Words
  place: DrillPlace
}

/** One figure in large, with what it is compared with and how it came about. */
export function Figure({ chart, set, rows, words, place }: Props) {
  const t = useText()
  const [main, beside] = [measureAt(set, chart.measure), measureAt(set, chart.compare)]
  const steps = rowsBy(rows, chart.trend ? [groupAt(set, chart.trend)] : []).filter(
    ({ values: [value] }) => value && !isUndated(set, chart.trend, value),
  )
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
  const to = drillAddress(place, new Map(), measure.code)
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
          viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
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
