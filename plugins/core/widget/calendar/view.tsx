import {
  formatDate,
  formatInstant,
  heightOf,
  Icon,
  optionText,
  PortalLink,
  type PortalRows,
  useErrorText,
  useLocale,
  useText,
  useTextContext,
  useWidth,
  WidgetCard,
  WidgetFailed,
  type WidgetProps,
} from '@sluice/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Popover } from 'antd'
import { useMemo, useState } from 'react'
import { colorsOf } from '../shared/colors'
import styles from './calendar.module.css'
import { byDay, type CalendarEvent, plusDays, plusMonths, weeksOf } from './month'

interface Options {
  icon?: string
  iconSrc?: string | null
  startField: string
  endField?: string
  displayField?: string[]
  colorField?: string
  moreTo?: string | null
}

/** As many as a call answers; a month with more shows those, and says so. */
const MOST = 100
/** Narrower than this the days have dots, and the events of one day are below. */
const WORDS = 520
/** What a line of a day is high, and what is above and below the lines. */
const LINE = 24
const HEAD = 25
const ROOM = 88

/** Records by their days. */
export function Calendar({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const context = useTextContext()
  const [ref, width] = useWidth<HTMLDivElement>()
  const { options } = widget
  const today = formatInstant(new Date().toISOString(), 'yyyy-MM-dd', context)
  const [day, setDay] = useState(today)
  const weeks = useMemo(() => weeksOf(day, locale === 'zh' ? 1 : 0), [day, locale])
  const days = weeks.flat()
  const [from = day, to = day] = [days[0], days.at(-1)]
  const { data, error, refetch } = useQuery({
    ...page.rows(widget.id, { from, to: plusDays(to, 1), page: 0, size: MOST }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const dayOf = (value: unknown) =>
    typeof value !== 'string' || value === ''
      ? null
      : value.includes('T')
        ? formatInstant(value, 'yyyy-MM-dd', context)
        : value.slice(0, 10)
  const events = data ? eventsOf(data, options, dayOf) : []
  const found = byDay(events, days)
  const small = width > 0 && width < WORDS
  const lines = Math.max(1, Math.floor(((heightOf(widget.height) - ROOM) / 6 - HEAD) / LINE))
  const [year = '', month = ''] = day.split('-')
  const names = t('portal.days').split(' ')
  const heads = locale === 'zh' ? [...names.slice(1), names[0]] : names
  const title = optionText(options, 'title', locale)
  const dayText = (one: string) => formatDate(one, null, context)
  return (
    <WidgetCard
      title={title}
      label={title || t('portal.calendar')}
      icon={options.icon}
      iconSrc={options.iconSrc}
      more={options.moreTo}
      actions={
        <div className={styles.turns}>
          <Button
            type="text"
            aria-label={t('portal.previousMonth')}
            icon={<Icon name="left" />}
            onClick={() => setDay(plusMonths(day, -1))}
          />
          <strong aria-live="polite">
            {t('portal.month', { year, month: locale === 'zh' ? String(Number(month)) : month })}
          </strong>
          <Button
            type="text"
            aria-label={t('portal.nextMonth')}
            icon={<Icon name="right" />}
            onClick={() => setDay(plusMonths(day, 1))}
          />
          <Button type="text" disabled={day === today} onClick={() => setDay(today)}>
            {t('portal.today')}
          </Button>
        </div>
      }
    >
      {error && !data ? (
        <WidgetFailed text={errorText(error)} onRetry={() => void refetch()} />
      ) : (
        <div ref={ref} className={styles.calendar} data-small={small || undefined} aria-busy={!data}>
          <table className={styles.month}>
            <thead>
              <tr>
                {heads.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeks.map((week) => (
                <tr key={week[0]}>
                  {week.map((one) => (
                    <td
                      key={one}
                      data-other={one.slice(0, 7) !== day.slice(0, 7) || undefined}
                      data-today={one === today || undefined}
                    >
                      <Day
                        day={one}
                        events={found.get(one) ?? []}
                        small={small}
                        lines={lines}
                        chosen={one === day}
                        label={t('portal.day', { date: dayText(one), count: found.get(one)?.length ?? 0 })}
                        onChoose={() => setDay(one)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {small && (
            <section className={styles.agenda} aria-label={t('portal.eventsOf', { date: dayText(day) })}>
              {(found.get(day) ?? []).map((event) => (
                <Event key={event.id} event={event} />
              ))}
              {data && (found.get(day) ?? []).length === 0 && <p>{t('portal.noEvents')}</p>}
            </section>
          )}
          {data?.more && <p className={styles.note}>{t('portal.onlyFirst', { count: data.rows.length })}</p>}
        </div>
      )}
    </WidgetCard>
  )
}

function eventsOf(data: PortalRows, options: Options, dayOf: (value: unknown) => string | null): CalendarEvent[] {
  const at = (code: string | undefined) => data.columns.findIndex((column) => column.propertyCode === code)
  const [start, end] = [at(options.startField), at(options.endField)]
  const shown = (options.displayField ?? ['name']).map(at).filter((place) => place >= 0)
  const colors = colorsOf(data, options.colorField)
  return data.rows.flatMap((row, i) => {
    const from = dayOf(row.values[start])
    if (from === null) return []
    const until = dayOf(row.values[end]) ?? from
    const name = (shown.length > 0 ? shown : [0]).map((place) => row.texts[place]).filter(Boolean)
    return {
      id: row.id,
      to: row.to,
      name: name.join(' · ') || '–',
      color: colors[i]?.color ?? null,
      kind: colors[i]?.text ?? '',
      from,
      until: [from, until].sort()[1] ?? from,
    }
  })
}

interface DayProps {
  day: string
  events: CalendarEvent[]
  small: boolean
  /** How many lines a day has room for. */
  lines: number
  chosen: boolean
  label: string
  onChoose: () => void
}

function Day({ day, events, small, lines, chosen, label, onChoose }: DayProps) {
  const t = useText()
  const number = Number(day.slice(8))
  if (small)
    return (
      <button type="button" className={styles.pick} aria-pressed={chosen} onClick={onChoose}>
        {number}
        <span className="visually-hidden">{label}</span>
        <span className={styles.dots}>
          {events.slice(0, 3).map((event) => (
            <i key={event.id} style={event.color ? { background: event.color } : {}} />
          ))}
        </span>
      </button>
    )
  const shown = events.length > lines ? lines - 1 : lines
  const rest = events.length - shown
  return (
    <div className={styles.day}>
      <span className={styles.number}>{number}</span>
      {events.slice(0, shown).map((event) => (
        <Event key={event.id} event={event} />
      ))}
      {rest > 0 && (
        <Popover
          trigger="click"
          arrow={false}
          content={
            <div className={styles.all}>
              {events.map((event) => (
                <Event key={event.id} event={event} />
              ))}
            </div>
          }
        >
          <button type="button" className={styles.rest} aria-haspopup="dialog">
            {t(shown === 0 ? 'portal.events' : 'portal.moreEvents', { count: rest })}
          </button>
        </Popover>
      )}
    </div>
  )
}

const Event = ({ event }: { event: CalendarEvent }) => (
  <PortalLink
    to={event.to}
    className={styles.event}
    title={event.kind ? `${event.name} · ${event.kind}` : event.name}
    record
  >
    <i style={event.color ? { background: event.color } : {}} />
    <span>{event.name}</span>
  </PortalLink>
)
