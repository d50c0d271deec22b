import {
  type CellProps,
  dateFormat,
  defineProperty,
  displayFormatOf,
  element,
  type FieldPlan,
  formatDate,
  formatInstant,
  isInstantFormat,
  kindOfFormat,
  lastDaysOf,
  type TextContext,
  useTextContext,
} from '@sluice/sdk'
import { lazy } from 'react'
import { granularity } from './granularity'

function Cell({ value, field }: CellProps<string>) {
  const context = useTextContext()
  return <span className="tabular">{formatDate(value, displayFormatOf(field), context)}</span>
}

const names = {
  zh: { today: '今天', thisWeek: '本周', thisMonth: '本月', thisYear: '本年' },
  en: { today: 'today', thisWeek: 'this week', thisMonth: 'this month', thisYear: 'this year' },
}

/** What a word for days is called; null for dates. */
function relativeName(word: string, locale: 'zh' | 'en'): string | null {
  const days = lastDaysOf(word)
  if (days) return locale === 'zh' ? `最近 ${days} 天` : `last ${days} days`
  return (names[locale] as Record<string, string>)[word] ?? null
}

function filterText({ value }: { value: string }, field: FieldPlan, { locale }: TextContext): string {
  const word = relativeName(value, locale)
  if (word) return word
  const [from = '', to] = value.split(';')
  const short = { year: 4, month: 7, date: 16 }[granularity(field)]
  const [a, b] = [from.slice(0, short).replace('T', ' '), (to ?? '').slice(0, short).replace('T', ' ')]
  if (to === undefined) return a
  if (a && b) return a === b ? a : `${a} – ${b}`
  if (locale === 'zh') return a ? `${a} 起` : `${b} 止`
  return a ? `from ${a}` : `until ${b}`
}

/** With all that the value holds: "14:30" alone would have lost its day. */
function copyText(value: string, field: FieldPlan, context: TextContext): string {
  const format = dateFormat(displayFormatOf(field))
  if (isInstantFormat(format)) return formatInstant(value, 'yyyy-MM-dd HH:mm:ss', context)
  return format === 'MM-dd' ? value.slice(0, 10) : formatDate(value, format, context)
}

export const property = defineProperty<string>({
  name: 'Date',
  wire: 3,
  says: 'date',
  text: (value, field, context) => formatDate(value, displayFormatOf(field), context),
  copyText,
  asks: (field) => kindOfFormat(dateFormat(displayFormatOf(field))),
  parseText: (...given) => import('./parse').then((m) => m.parseText(...given)),
  Cell,
  paint: (value, field, context) =>
    element('span', { className: 'tabular' }, formatDate(value, displayFormatOf(field), context)),
  ReadValue: Cell,
  Filter: lazy(() => import('./filter').then((m) => ({ default: m.Filter }))),
  filterText,
})
