import {
  geometry,
  isPercent,
  localName,
  measureText,
  optionText,
  shareText,
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
import styles from './progress.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  reportCode: string
  dataSet: string
  measure: string
  target?: string
  targetValue?: string
  shape?: 'bar' | 'circle'
  moreTo?: string | null
}

/** How much of a target is reached. */
export function Progress({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const words = useWords()
  const { options } = widget
  const { report, data, error, retry } = useReportOf(page, options.reportCode)
  const figure = report && data ? figureOf(report, data, options.dataSet, options.measure, words) : null
  const title = optionText(options, 'title', locale) || (figure ? localName(figure.measure, locale) : '')
  const card = { title, icon: options.icon, iconSrc: options.iconSrc, more: options.moreTo }
  const fault = (data && faultOf(data, options.dataSet)) ?? (error && !data ? errorText(error) : null)
  return (
    <WidgetCard {...card}>
      {fault ? (
        <WidgetFailed text={fault} onRetry={retry} />
      ) : !report || !data ? (
        <WidgetWaiting lines={1} height={52} />
      ) : !figure ? (
        <WidgetEmpty text={t('portal.widgetGone')} />
      ) : figure.value === null ? (
        <WidgetEmpty text={t('portal.noValue')} />
      ) : (
        <Reached figure={figure} options={options} title={title} />
      )}
    </WidgetCard>
  )
}

const ROUND = 2 * Math.PI * 42

interface Props {
  figure: NonNullable<ReturnType<typeof figureOf>>
  options: Options
  title: string
}

function Reached({ figure, options, title }: Props) {
  const t = useText()
  const words = useWords()
  const { measure, value } = figure
  const beside = figure.beside(options.target)
  const target = beside?.value ?? options.targetValue ?? (isPercent(measure) ? '1' : '100')
  const share = (geometry(value) ?? 0) / (geometry(target) || 1)
  // Of a percentage that has no target its own figure says all.
  const own = isPercent(measure) && !beside && !options.targetValue
  const percent = own ? measureText(value, measure, words) : shareText(value, target)
  const part = Math.min(Math.max(share, 0), 1)
  const said = t('portal.of', {
    value: measureText(value, measure, words),
    target: measureText(target, beside?.measure ?? measure, words),
  })
  const meter = {
    role: 'meter',
    'aria-label': title,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(part * 100),
    'aria-valuetext': own ? percent : `${percent} (${said})`,
  }
  if (options.shape === 'circle')
    return (
      <div className={styles.ring}>
        <div className={styles.circle} {...meter}>
          <svg viewBox="0 0 100 100" aria-hidden="true">
            <circle cx="50" cy="50" r="42" />
            <circle
              className={styles.part}
              cx="50"
              cy="50"
              r="42"
              strokeDasharray={`${part * ROUND} ${ROUND}`}
              transform="rotate(-90 50 50)"
            />
          </svg>
          <p>
            <strong>{percent}</strong>
            {!own && <span>{said}</span>}
          </p>
        </div>
      </div>
    )
  return (
    <div className={styles.bar}>
      <p>
        <strong>{percent}</strong>
        {!own && <span>{said}</span>}
      </p>
      <div className={styles.track} {...meter}>
        <i style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  )
}
