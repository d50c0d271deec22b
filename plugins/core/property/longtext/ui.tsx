import { type CellProps, defineProperty, element, numberSetting, type ReadProps, useText } from '@sluice/sdk'
import { TextFilter } from '../shared/lazy-filters'
import styles from './longtext.module.css'

/** The end of an element of HTML, one that has no end, or a comment. `<GB50204>`, `A<B and C>D` and `a<b>c` are texts of people. */
const MARKUP =
  /<\/(?:a|abbr|article|b|blockquote|body|center|code|div|em|font|form|h[1-6]|head|html|i|li|main|ol|p|pre|s|script|section|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|tfoot|th|thead|tr|u|ul)\s*>|<(?:br|hr|img|input|iframe|link|meta)(?:\s[^<>]*)?\/?>|<!--/i

/** Whether a text was written in HTML. */
export const markup = (value: string) => MARKUP.test(value)

/** A cell shows a line of a text, and pointing at it a page: the record has the rest. */
const LINE = 300
const HINT = 1200
const cut = (value: string, length: number) => (value.length > length ? `${value.slice(0, length)}…` : value)
const line = (value: string) => cut(value, LINE).replace(/\s+/g, ' ')

function Unsupported() {
  const t = useText()
  return <span className={styles.unsupported}>{t('common.unsupportedContent')}</span>
}

/** A list neither draws markup that came from elsewhere nor shows its source; the record has it as text, and so do paper and files. */
const Cell = ({ value }: CellProps<string>) =>
  markup(value) ? (
    <Unsupported />
  ) : (
    <span className={styles.line} title={cut(value, HINT)}>
      {line(value)}
    </span>
  )

const ReadValue = ({ value }: ReadProps<string>) => <p className={styles.text}>{value}</p>

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
    markup(value)
      ? element('span', { className: styles.unsupported }, t('common.unsupportedContent'))
      : element('span', { className: styles.line, title: cut(value, HINT) }, line(value)),
  ReadValue,
  Filter: TextFilter,
})
