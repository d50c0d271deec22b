import { Dropdown } from 'antd'
import type { QueryCondition } from '@/api/types'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { operatorWord } from '@/sdk/operators'
import { useText } from '@/sdk/use-text'
import styles from './filter-field.module.css'

interface Props {
  condition: QueryCondition
  operator: string
  onChange: (operator: string) => void
}

/** The operators that the property allows; the one of the definition needs no word. */
export function OperatorMenu({ condition, operator, onChange }: Props) {
  const t = useText()
  const locale = useLocale()
  const operators = condition.operators ?? []
  if (operators.length < 2) return null
  const word = (one: string) => t(`filter.operators.${operatorWord(condition, one)}` as never)
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: operators.map((one) => ({ key: one, label: word(one) })),
        selectedKeys: [operator],
        onClick: ({ key }) => onChange(key),
      }}
    >
      <button
        type="button"
        className={styles.operator}
        aria-haspopup="menu"
        aria-label={t('filter.operator', { name: localName(condition, locale) })}
        title={word(operator)}
      >
        {operator !== condition.queryFilterType && <span>{word(operator)}</span>}
        <Icon name="down" size={12} />
      </button>
    </Dropdown>
  )
}
