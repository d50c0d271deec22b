import { optionText, useLocale, usePortal, type WidgetProps } from '@sluice/sdk'

interface Options {
  reportCode: string
  chartCode: string
  moreTo?: string | null
}

/** A chart of a report. */
export function Chart({ widget, page }: WidgetProps<Options>) {
  const locale = useLocale()
  const { parts } = usePortal()
  const { reportCode, chartCode, moreTo = null } = widget.options
  return (
    <parts.Chart
      reportCode={reportCode}
      chartCode={chartCode}
      title={optionText(widget.options, 'title', locale)}
      moreTo={moreTo}
      page={page}
    />
  )
}
