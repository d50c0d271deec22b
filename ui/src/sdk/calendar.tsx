import { DatePicker, TimePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import type { DateKind } from '@/lib/date-text'
import { useMend } from '@/lib/use-mend'
import { fromCalendar, toCalendar } from './calendar-values'
import styles from './date-box.module.css'
import { useText } from './use-text'

export interface CalendarProps {
  open: boolean
  kind: DateKind
  zone: string
  /** Whether seconds are chosen too. */
  seconds: boolean
  /** The stored form; what the box says now. */
  value: string | null
  /** The time that a day begins with when it is picked. */
  clock?: string | undefined
  /** Something was picked, and the calendar is done. */
  onPick: (value: string) => void
  /** A part of what is picked: its time is not confirmed yet. */
  onPart: (value: string) => void
  onClose: () => void
  footer?: ReactNode
}

/** Names that hide the words on a button go, and columns of times can be reached, for they scroll. */
function mendPanel(panel: Element) {
  for (const button of panel.querySelectorAll('.ant-picker-header-view [aria-label]'))
    button.removeAttribute('aria-label')
  for (const column of panel.querySelectorAll<HTMLElement>('.ant-picker-time-panel-column')) column.tabIndex = 0
}

function Panel({ open, label, children }: { open: boolean; label: string; children: ReactNode }) {
  return (
    <div ref={useMend<HTMLDivElement>(mendPanel)} {...(open ? { role: 'dialog', 'aria-label': label } : {})}>
      {children}
    </div>
  )
}

/**
 * The calendar below a box of dates. It belongs to a picker that is not shown and never has the keyboard: what is typed is read by the box
 * alone.
 */
export function Calendar({ open, kind, zone, seconds, value, clock, onPick, onPart, onClose, footer }: CalendarProps) {
  const t = useText()
  const stored = (picked: Dayjs | Dayjs[] | null) =>
    picked && !Array.isArray(picked) ? fromCalendar(picked, kind, zone) : undefined
  const say = (tell: (value: string) => void) => (picked: Dayjs | Dayjs[] | null) => {
    const next = stored(picked)
    if (open && next !== undefined) tell(next)
  }
  const time = seconds ? 'HH:mm:ss' : 'HH:mm'
  const timed = kind === 'moment' || kind === 'clock' || kind === 'time'
  const shared = {
    className: styles.anchor ?? '',
    open,
    value: value === null ? null : toCalendar(value, kind, zone),
    onChange: say(onPick),
    ...(timed ? { onOk: say(onPick), onCalendarChange: say(onPart) } : {}),
    onOpenChange: (next: boolean) => next || onClose(),
    renderExtraFooter: () => footer,
    panelRender: (panel: ReactNode) => (
      <Panel open={open} label={t(kind === 'time' || kind === 'clock' ? 'date.openTimes' : 'date.calendar')}>
        {panel}
      </Panel>
    ),
    // Words of a filter's own say today better: it is another day tomorrow.
    ...(footer ? { showNow: false } : {}),
    inputReadOnly: true,
    allowClear: false,
    tabIndex: -1,
    suffixIcon: null,
  }
  if (kind === 'time' || kind === 'clock') return <TimePicker {...shared} format={time} />
  const picker = kind === 'year' || kind === 'month' ? kind : 'date'
  const first = clock === undefined ? {} : { defaultOpenValue: toCalendar(clock, 'time', zone) }
  return <DatePicker {...shared} picker={picker} {...(timed ? { showTime: { format: time, ...first } } : {})} />
}
