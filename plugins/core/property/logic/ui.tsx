import { type CellProps, defineProperty, element, Icon, iconElement, useText } from '@sluice/sdk'
import { lazy } from 'react'
import styles from './logic.module.css'
import { parseText } from './words'

/** A mark is found faster than a word; screen readers get the word. */
function Cell({ value }: CellProps<boolean>) {
  const t = useText()
  return (
    <span className={value ? styles.yes : styles.no}>
      {value ? <Icon name="check" size={16} /> : null}
      <span className={value ? 'visually-hidden' : undefined}>{value ? t('common.yes') : t('common.no')}</span>
    </span>
  )
}

function ReadValue({ value }: { value: boolean }) {
  const t = useText()
  return value ? t('common.yes') : t('common.no')
}

const words = (value: boolean, locale: string) => (locale === 'zh' ? (value ? '是' : '否') : value ? 'Yes' : 'No')

export const property = defineProperty<boolean>({
  name: 'Logic',
  wire: 4,
  text: (value, _, { locale }) => words(value, locale),
  parseText,
  cellInEdit: true,
  Cell,
  paint: (value, _, { t }) =>
    element(
      'span',
      { className: value ? styles.yes : styles.no },
      value && iconElement('check'),
      element('span', { className: value ? 'visually-hidden' : undefined }, t(value ? 'common.yes' : 'common.no')),
    ),
  ReadValue,
  Filter: lazy(() => import('./filter').then((m) => ({ default: m.Filter }))),
  filterText: (value, _, { locale }) => words(value.value === 'true', locale),
})
