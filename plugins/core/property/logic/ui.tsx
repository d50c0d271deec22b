import { type CellProps, defineProperty, type FilterProps, Icon, useText } from '@sluice/sdk'
import { Select } from 'antd'
import styles from './logic.module.css'

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

function Filter({ id, value, onChange }: FilterProps) {
  const t = useText()
  return (
    <Select
      id={id}
      allowClear
      style={{ width: '100%' }}
      placeholder={t('list.choose')}
      {...(value ? { value: value.value } : {})}
      onChange={(next: string | undefined) => onChange(next ? { value: next } : null)}
      options={[
        { value: 'true', label: t('common.yes') },
        { value: 'false', label: t('common.no') },
      ]}
    />
  )
}

const words = (value: boolean, locale: string) => (locale === 'zh' ? (value ? '是' : '否') : value ? 'Yes' : 'No')

export const property = defineProperty<boolean>({
  name: 'Logic',
  wire: 4,
  text: (value, _, { locale }) => words(value, locale),
  Cell,
  ReadValue,
  Filter,
  filterText: (value, _, { locale }) => words(value.value === 'true', locale),
})
