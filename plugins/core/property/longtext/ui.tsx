import { type CellProps, defineProperty, type ReadProps, useText } from '@sluice/sdk'
import { TextFilter } from '../shared/lazy-filters'
import styles from './longtext.module.css'

const hasTags = (value: string) => /<\/?[a-z][^>]*>/i.test(value)

function Unsupported() {
  const t = useText()
  return <span className={styles.unsupported}>{t('common.unsupportedContent')}</span>
}

/** Markup that came from elsewhere is neither drawn nor shown as source. */
const Cell = ({ value }: CellProps<string>) =>
  hasTags(value) ? (
    <Unsupported />
  ) : (
    <span className={styles.line} title={value}>
      {value.replace(/\s+/g, ' ')}
    </span>
  )

const ReadValue = ({ value }: ReadProps<string>) =>
  hasTags(value) ? <Unsupported /> : <p className={styles.text}>{value}</p>

export const property = defineProperty<string>({
  name: 'LongText',
  wire: 1,
  wide: true,
  text: (value) => value,
  Cell,
  ReadValue,
  Filter: TextFilter,
})
