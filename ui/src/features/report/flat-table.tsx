import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { localName } from '@/lib/local-name'
import type { DataSet, Row } from '@/sdk/report/api'
import { keysOf, measureText } from '@/sdk/report/figures'
import { groupText, type Words } from '@/sdk/report/words'
import { useText } from '@/sdk/use-text'
import type { Chart } from './chart'
import { type DrillPlace, drillAddress } from './drill'
import { flatOf } from './flat'
import styles from './report.module.css'

interface Props {
  chart: Chart
  set: DataSet
  rows: Row[]
  name: string
  words: Words
  place: DrillPlace
}

const MOST_LINES = 500

/** What a chart is drawn from, for those who would rather read it. */
export function FlatTable({ chart, set, rows, name, words, place }: Props) {
  const t = useText()
  const [all, setAll] = useState(false)
  const { groups, measures, lines } = useMemo(() => flatOf(chart, set, rows), [chart, set, rows])
  const shown = all ? lines : lines.slice(0, MOST_LINES)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrows scroll it */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in */}
      <div className={styles.scroll} role="group" aria-label={name} tabIndex={0} data-scroll>
        <table className={styles.table}>
          <thead>
            <tr>
              {groups.map((group) => (
                <th key={group.code} scope="col" className={styles.corner}>
                  {localName(group, words.locale)}
                </th>
              ))}
              {measures.map((measure) => (
                <th key={measure.code} scope="col">
                  {localName(measure, words.locale)}
                  {measure.unit ? ` (${measure.unit})` : ''}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => {
              const to = drillAddress(place, line.at)
              return (
                <tr key={keysOf(line.groups)}>
                  {line.groups.map((value, i) => (
                    <th key={groups[i]?.code} scope="row">
                      {to && i === 0 ? <Link to={to}>{groupText(value, words)}</Link> : groupText(value, words)}
                    </th>
                  ))}
                  {line.values.map((value, i) => {
                    const measure = measures[i]
                    return (
                      <td key={measure?.code} title={value === undefined ? t('report.noTotal') : undefined}>
                        {measure && measureText(value, { ...measure, unit: null }, words)}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {shown.length < lines.length && (
        <p className={styles.note}>
          {t('report.partial', { count: MOST_LINES, total: lines.length })}
          <Button type="link" size="small" onClick={() => setAll(true)}>
            {t('report.showAll')}
          </Button>
        </p>
      )}
    </>
  )
}
