import { type CSSProperties, useEffect, useMemo, useState } from 'react'
import { useParams } from 'react-router'
import { useAppearance } from '@/lib/appearance'
import { formatInstant } from '@/lib/dates'
import { useTheme } from '@/lib/theme'
import { useIsNarrow, useIsPhone } from '@/lib/use-media'
import { type Chart, titleOf } from './chart'
import { ChartCard } from './chart-card'
import { type Look, lookOf } from './draw/look'
import { layoutOf, readingOrder, tabletLayout } from './layout'
import styles from './report.module.css'
import type { ReportController } from './use-report'
import { useWords } from './words'

/** The colors of the page; they are read again when it becomes light or dark, or another theme is chosen. */
function useLook(): Look {
  const appearance = useAppearance((state) => state.appearance)
  const theme = useTheme((state) => state.shown ?? state.theme)
  const [look, setLook] = useState(() => lookOf(document.documentElement))
  // The style sheets follow in an effect of their own, which comes first or a moment later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the properties follow them
  useEffect(() => {
    const read = () => {
      const next = lookOf(document.documentElement)
      setLook((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    }
    const timer = setTimeout(read)
    return () => clearTimeout(timer)
  }, [appearance, theme])
  return look
}

/** The charts of a report, on its grid. */
export function Board({ controller }: { controller: ReportController }) {
  const { report, data, named } = controller
  const { appCode = '' } = useParams()
  const words = useWords()
  const look = useLook()
  const phone = useIsPhone()
  const narrow = useIsNarrow()
  const charts = report.charts as unknown as Chart[]
  const boxes = useMemo(() => (narrow && !phone ? tabletLayout(charts) : layoutOf(charts)), [charts, narrow, phone])
  const [today] = useState(() => formatInstant(new Date().toISOString(), 'yyyy-MM-dd', words))
  const sets = data.data?.dataSets
  return (
    <div
      className={styles.board}
      data-stale={(data.isPlaceholderData && data.isFetching) || undefined}
      aria-busy={data.isFetching}
    >
      {readingOrder(boxes).map((i) => {
        const chart = charts[i]
        const box = boxes[i]
        if (!chart || !box) return null
        const set = report.dataSets.find(({ code }) => code === chart.dataSet)
        const style = {
          '--rows': box.height,
          ...(!phone && {
            gridColumn: `${box.x + 1} / span ${box.width}`,
            gridRow: `${box.y + 1} / span ${box.height}`,
          }),
        } as CSSProperties
        return (
          <ChartCard
            key={chart.code}
            chart={chart}
            name={titleOf(chart, set, words.locale)}
            set={set}
            data={sets?.find(({ code }) => code === chart.dataSet)}
            look={look}
            words={words}
            today={today}
            place={set ? { appCode, queryCode: chart.queryCode, set, filters: named } : null}
            filtered={Object.keys(named).length > 0}
            pictures={report.exports.includes('picture')}
            onRetry={() => void data.refetch()}
            style={style}
          />
        )
      })}
    </div>
  )
}
