import { useRef, useState } from 'react'
import { formatInstant } from '@/lib/dates'
import { useErrorText } from '@/sdk/error-text'
import type { PortalChartProps } from '@/sdk/portal'
import { WidgetCard, WidgetEmpty, WidgetFailed, WidgetWaiting } from '@/sdk/portal-card'
import { useReportOf } from '@/sdk/report/use-report-of'
import { useWords } from '@/sdk/report/words'
import { useText } from '@/sdk/use-text'
import { type Chart, titleOf } from './chart'
import { type BodyProps, ChartBody } from './chart-body'
import { ChartLarge, ChartMenu } from './chart-card'
import type { ChartHandle } from './drawn-chart'
import { useExport } from './use-export'
import { useLook } from './use-look'
import { namedFilters } from './use-report'

/** A chart of a report in a widget: with the report's own filters as they are at first, and the way to its page. */
export function PortalChart({ reportCode, chartCode, title, moreTo, page }: PortalChartProps) {
  const t = useText()
  const errorText = useErrorText()
  const words = useWords()
  const look = useLook()
  const { report, data, error, retry } = useReportOf(page, reportCode)
  const files = useExport(report, [])
  const [today] = useState(() => formatInstant(new Date().toISOString(), 'yyyy-MM-dd', words))
  const [view, setView] = useState<BodyProps['view']>('chart')
  const [large, setLarge] = useState(false)
  const handle = useRef<ChartHandle>(null)
  const more = useRef<HTMLButtonElement>(null)
  const charts = (report?.charts ?? []) as unknown as Chart[]
  const chart = charts.find(({ code }) => code === chartCode)
  const set = report?.dataSets.find(({ code }) => code === chart?.dataSet)
  const name = title || (chart ? titleOf(chart, set, words.locale) : '')
  if (error && !report) {
    return (
      <WidgetCard title={title}>
        <WidgetFailed text={errorText(error)} onRetry={retry} />
      </WidgetCard>
    )
  }
  if (!report) {
    return (
      <WidgetCard title={title}>
        <WidgetWaiting lines={4} />
      </WidgetCard>
    )
  }
  if (!chart) {
    return (
      <WidgetCard title={title} more={moreTo}>
        <WidgetEmpty text={t('portal.widgetGone')} />
      </WidgetCard>
    )
  }
  const appCode = /^\/application\/([^/?]+)/.exec(moreTo ?? '')?.[1]
  const place = set && {
    appCode: appCode ? decodeURIComponent(appCode) : (page.appCode ?? ''),
    reportCode,
    name,
    queryCode: chart.queryCode,
    set,
    filters: namedFilters(report.filters, {}),
    zone: words.zone,
    today,
  }
  const rows = data?.dataSets.find(({ code }) => code === chart.dataSet)
  const shared = {
    chart,
    name,
    set,
    data:
      error && !rows
        ? {
            code: chart.dataSet,
            groups: null,
            truncated: false,
            error: { code: 0, message: errorText(error) },
            rows: [],
          }
        : rows,
    look,
    words,
    today,
    place: place ?? null,
    filtered: false,
    onRetry: retry,
  }
  return (
    <WidgetCard
      title={name}
      more={moreTo}
      actions={
        <ChartMenu
          {...shared}
          pictures={report.exports.includes('picture')}
          files={files}
          view={view}
          onView={setView}
          handle={handle}
          button={more}
          onLarge={() => setLarge(true)}
        />
      }
    >
      <ChartBody {...shared} view={view} ref={handle} />
      {large && <ChartLarge {...shared} view={view} opener={more} onClose={() => setLarge(false)} />}
    </WidgetCard>
  )
}
