import { type CSSProperties, useMemo, useState } from 'react'
import { useParams } from 'react-router'
import { formatInstant } from '@/lib/dates'
import { layoutOf, readingOrder, tabletLayout } from '@/lib/grid-layout'
import { useIsNarrow, useIsPhone } from '@/lib/use-media'
import { useWords } from '@/sdk/report/words'
import { type Chart, titleOf } from './chart'
import { ChartCard } from './chart-card'
import styles from './report.module.css'
import { useExport } from './use-export'
import { useLook } from './use-look'
import type { ReportController } from './use-report'

/** The charts of a report, on its grid. */
export function Board({ controller }: { controller: ReportController }) {
  const { report, data, named, asked } = controller
  const files = useExport(report, asked)
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
            place={
              set
                ? {
                    appCode,
                    reportCode: report.code,
                    name: titleOf(chart, set, words.locale),
                    queryCode: chart.queryCode,
                    set,
                    filters: named,
                    zone: words.zone,
                    today,
                  }
                : null
            }
            filtered={Object.keys(named).length > 0}
            pictures={report.exports.includes('picture')}
            files={files}
            onRetry={() => void data.refetch()}
            style={style}
          />
        )
      })}
    </div>
  )
}
