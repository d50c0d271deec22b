import { type CellProps, defineProperty, element, numberSetting, type ReadProps, useText } from '@sluice/sdk'
import { TextFilter } from '../shared/lazy-filters'
import styles from './longtext.module.css'

/** Stops at the next "<", so a text of many of them costs no more than its length. */
const hasTags = (value: string) => /<\/?[a-z][^<>]*>/i.test(value)

/** A cell shows a line of a text, and pointing at it a page: the record has the rest. */
const LINE = 300
const HINT = 1200
const cut = (value: string, length: number) => (value.length > length ? `${value.slice(0, length)}…` : value)
const line = (value: string) => cut(value, LINE).replace(/\s+/g, ' ')

function Unsupported() {
  const t = useText()
  return <span className={styles.unsupported}>{t('common.unsupportedContent')}</span>
}

/** Markup that came from elsewhere is neither drawn nor shown as source. */
const Cell = ({ value }: CellProps<string>) =>
  hasTags(value) ? (
    <Unsupported />
  ) : (
    <span className={styles.line} title={cut(value, HINT)}>
      {line(value)}
    </span>
  )

const ReadValue = ({ value }: ReadProps<string>) =>
  hasTags(value) ? <Unsupported /> : <p className={styles.text}>{value}</p>

/** As the control measures itself: its lines, and what is around them. */
function room(value: string | null, rows: number) {
  const lines = value?.split('\n').length ?? 0
  return Math.min(Math.max(lines, rows), Math.max(rows, 12)) * 22 + 10
}

export const property = defineProperty<string>({
  name: 'LongText',
  wire: 1,
  wide: true,
  text: (value) => value,
  parseText: (text) => text,
  room: (value, field) => room(value, numberSetting(field, 'rows') ?? 3),
  Cell,
  paint: (value, _, { t }) =>
    hasTags(value)
      ? element('span', { className: styles.unsupported }, t('common.unsupportedContent'))
      : element('span', { className: styles.line, title: cut(value, HINT) }, line(value)),
  ReadValue,
  Filter: TextFilter,
})
