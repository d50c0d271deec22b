import {
  geometry,
  localName,
  measureText,
  optionText,
  sparkOf,
  useErrorText,
  useLocale,
  useReportOf,
  useText,
  useWords,
  WidgetCard,
  WidgetEmpty,
  WidgetFailed,
  type WidgetProps,
  WidgetWaiting,
} from '@sluice/sdk'
import { faultOf, figureOf } from '../shared/figures'
import styles from './figure.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  reportCode: string
  dataSet: string
  measure: string
  comparison?: string
  good?: 'up' | 'down'
  moreTo?: string | null
}

/** One figure in large, how it changed, and how it came about. */
export function KeyFigure({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const words = useWords()
  const { options } = widget
  const { report, data, error, retry } = useReportOf(page, options.reportCode)
  const measure = report?.dataSets
    .find(({ code }) => code === options.dataSet)
    ?.measures.find(({ code }) => code === options.measure)
  const title = optionText(options, 'title', locale) || (measure ? localName(measure, locale) : '')
  const card = { title, icon: options.icon, iconSrc: options.iconSrc, more: options.moreTo }
  const fault = (data && faultOf(data, options.dataSet)) ?? (error && !data ? errorText(error) : null)
  const figure = report && data ? figureOf(report, data, options.dataSet, options.measure, words) : null
  return (
    <WidgetCard {...card}>
      {fault ? (
        <WidgetFailed text={fault} onRetry={retry} />
      ) : !report || !data ? (
        <WidgetWaiting lines={1} height={52} />
      ) : !figure ? (
        <WidgetEmpty text={t('portal.widgetGone')} />
      ) : (
        <Figure figure={figure} options={options} />
      )}
    </WidgetCard>
  )
}

function Figure({ figure, options }: { figure: NonNullable<ReturnType<typeof figureOf>>; options: Options }) {
  const t = useText()
  const locale = useLocale()
  const words = useWords()
  const { measure, value, steps } = figure
  const compared = figure.beside(options.comparison)
  const sign = Math.sign(geometry(compared?.value) ?? 0)
  const better = options.good && sign !== 0 ? (options.good === 'up') === sign > 0 : null
  const line = sparkOf(steps.map((step) => geometry(step.value)))
  const { unit } = measure
  const text = measureText(value, { ...measure, unit: null }, words)
  return (
    <div className={styles.figure}>
      <div className={styles.words}>
        <p className={styles.number} title={measureText(value, measure, words)}>
          {text}
          {unit && value !== null && <small>{unit}</small>}
        </p>
        {compared && compared.value !== null && (
          <p className={styles.change} data-better={better ?? undefined}>
            <strong>
              {sign > 0 ? '▲' : sign < 0 ? '▼' : '•'} {measureText(compared.value, compared.measure, words)}
            </strong>
            {better !== null && <span className="visually-hidden">{t(better ? 'portal.better' : 'portal.worse')}</span>}
            <span>{localName(compared.measure, locale)}</span>
          </p>
        )}
        {steps.length > 0 && !compared && <p className={styles.change}>{steps.at(-1)?.name}</p>}
      </div>
      {line && (
        <svg
          className={styles.line}
          viewBox="0 0 200 40"
          preserveAspectRatio="none"
          role="img"
          aria-label={t('report.trend', { from: steps[0]?.name, to: steps.at(-1)?.name })}
        >
          <polyline points={line} />
        </svg>
      )}
    </div>
  )
}
