import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { localName } from '@/lib/local-name'
import type { DataSet, Row } from '@/sdk/report/api'
import { measureText } from '@/sdk/report/figures'
import { groupText, type Words } from '@/sdk/report/words'
import { useText } from '@/sdk/use-text'
import type { Chart } from './chart'
import { type DrillPlace, drillAddress } from './drill'
import { type Path, type Pivot, type PivotCell, pivotOf, spanOf } from './pivot'
import styles from './report.module.css'

interface Props {
  chart: Chart
  set: DataSet
  rows: Row[]
  name: string
  words: Words
  place: DrillPlace
}

/** Cells that are drawn at once; the rest of a long table is drawn when somebody wants it. */
const MOST_CELLS = 2000

/** A table with groups down and across. */
export function PivotTable({ chart, set, rows, name, words, place }: Props) {
  const t = useText()
  const [all, setAll] = useState(false)
  const pivot = useMemo(() => pivotOf(chart, set, rows), [chart, set, rows])
  const fit = Math.max(20, Math.floor(MOST_CELLS / Math.max(pivot.columns.length * pivot.measures.length, 1)))
  const named = namesMeasures(pivot)
  const cut = !all && pivot.lines.length > fit
  // The total stays in sight.
  const lines = cut
    ? [...pivot.lines.slice(0, fit), ...pivot.lines.slice(fit).filter(({ kind }) => kind === 'total')]
    : pivot.lines
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrows scroll it */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in */}
      <div className={styles.scroll} role="group" aria-label={name} tabIndex={0} data-scroll>
        <table className={styles.table}>
          <PivotHead pivot={pivot} words={words} />
          <tbody>
            {lines.map((line, index) => (
              <tr key={keyOfPath(line)} data-kind={line.kind}>
                <LineHead lines={lines} index={index} depth={pivot.rowGroups.length} words={words} />
                {pivot.cells(line).map((cell, i) => (
                  <Cell key={columnKey(pivot, i)} cell={cell} unit={!named} words={words} place={place} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cut && (
        <p className={styles.note}>
          {t('report.partial', { count: fit, total: pivot.lines.length })}
          <Button type="link" size="small" onClick={() => setAll(true)}>
            {t('report.showAll')}
          </Button>
        </p>
      )}
    </>
  )
}

const columnKey = ({ columns, measures }: Pivot, i: number) => {
  const column = columns[Math.floor(i / measures.length)]
  return `${column && keyOfPath(column)}${measures[i % measures.length]?.code}`
}

/** Whether measures have headings of their own; else each figure has its unit. */
const namesMeasures = ({ measures, columnGroups }: Pivot) => measures.length > 1 || columnGroups.length === 0

const keyOfPath = ({ kind, values }: Path) => JSON.stringify([kind, values])

const wordOf = ({ kind }: Path, words: Words) => (kind === 'subtotal' ? words.subtotal : words.total)

function PivotHead({ pivot, words }: { pivot: Pivot; words: Words }) {
  const { rowGroups, columnGroups, columns, measures } = pivot
  const named = namesMeasures(pivot)
  const depth = columnGroups.length + (named ? 1 : 0)
  const corner = rowGroups.map((group) => (
    <th key={group.code} scope="col" rowSpan={depth} className={styles.corner}>
      {localName(group, words.locale)}
    </th>
  ))
  const unit = (unit: string | null) => (unit ? ` (${unit})` : '')
  return (
    <thead>
      {columnGroups.map((group, level) => (
        <tr key={group.code}>
          {level === 0 && corner}
          {columns.map((column, i) => {
            const { values } = column
            // A subtotal or a total covers the levels below it.
            if (values.length < level) return null
            const span = values.length === level ? 1 : spanOf(columns, i, level)
            const text = values[level]
            if (span === 0) return null
            return (
              <th
                key={keyOfPath(column)}
                scope={span > 1 ? 'colgroup' : 'col'}
                colSpan={span * measures.length}
                rowSpan={text ? 1 : columnGroups.length - level}
              >
                {text ? groupText(text, words) : wordOf(column, words)}
              </th>
            )
          })}
        </tr>
      ))}
      {named && (
        <tr>
          {columnGroups.length === 0 && corner}
          {columns.flatMap((column) =>
            measures.map((measure) => (
              <th key={`${keyOfPath(column)}${measure.code}`} scope="col">
                {localName(measure, words.locale)}
                {unit(measure.unit)}
              </th>
            )),
          )}
        </tr>
      )}
    </thead>
  )
}

function LineHead({ lines, index, depth, words }: { lines: Path[]; index: number; depth: number; words: Words }) {
  const line = lines[index]
  if (!line) return null
  const heads = line.values.flatMap((value, level) => {
    const span = spanOf(lines, index, level)
    return span === 0
      ? []
      : [
          <th key={level} scope={span > 1 ? 'rowgroup' : 'row'} rowSpan={span}>
            {groupText(value, words)}
          </th>,
        ]
  })
  return (
    <>
      {heads}
      {line.values.length < depth && (
        <th scope="row" colSpan={depth - line.values.length}>
          {wordOf(line, words)}
        </th>
      )}
    </>
  )
}

interface CellProps {
  cell: PivotCell
  unit: boolean
  words: Words
  place: DrillPlace
}

function Cell({ cell: { value, measure, at }, unit, words, place }: CellProps) {
  const t = useText()
  if (!at) return <td />
  if (value === undefined) return <td title={t('report.noTotal')}>–</td>
  const text = measureText(value, unit ? measure : { ...measure, unit: null }, words)
  const to = value === null ? null : drillAddress(place, at, measure.code)
  return <td>{to ? <Link to={to}>{text}</Link> : text}</td>
}
