import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import { Row, useFieldPlace } from '../../shared/fields'
import { useDesigning } from '../context'
import { useLabel } from '../words'

/** A chart of a report: one choice of charts below their application and report. */
export function ChartField({ label }: { label: string }) {
  const t = useText()
  const words = useLabel()
  const { of, set } = useFieldPlace()
  const { design } = useDesigning()
  const key = (report: unknown, chart: unknown) => JSON.stringify([report, chart])
  const applicationOf = (code: string) => words(design.apps.find((app) => app.code === code)?.label) || code
  const options = design.reports
    .filter((report) => report.charts.length > 0)
    .map((report) => ({
      label: `${applicationOf(report.appCode)} / ${words(report.label) || report.code}`,
      options: report.charts.map((chart) => ({
        value: key(report.code, chart.code),
        label: words(chart.label) || chart.code,
      })),
    }))
  const value = of.reportCode && of.chartCode ? key(of.reportCode, of.chartCode) : null
  const known = options.some((group) => group.options.some((one) => one.value === value))
  const all = known || value === null ? options : [...options, { value, label: `${of.reportCode} · ${of.chartCode}` }]
  return (
    <Row label={label} path={['reportCode']}>
      {(id) => (
        <Choice<string>
          id={id}
          value={value}
          placeholder={t('design.choose')}
          options={all}
          onChange={(next) => {
            if (!next) return
            const [reportCode, chartCode] = JSON.parse(next) as [string, string]
            set([], { ...of, reportCode, chartCode })
          }}
        />
      )}
    </Row>
  )
}
