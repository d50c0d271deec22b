import { Checkbox } from 'antd'
import { Suspense, useState } from 'react'
import type { QueryCondition } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { operandOf } from '@/sdk/conditions'
import { operatorWord, withOperator } from '@/sdk/operators'
import type { FilterValue } from '@/sdk/property'
import { useText } from '@/sdk/use-text'
import styles from './filter-field.module.css'
import { OperatorMenu } from './operator-menu'
import { propertyUI } from './properties'

interface Props {
  condition: QueryCondition
  /** The model and the property of it that decide which choices are offered. */
  schemaCode: string
  propertyCode?: string | undefined
  value: FilterValue | null
  invalid?: boolean
  onChange: (value: FilterValue | null) => void
  /** Runs the query at once (Enter). */
  onSubmit: () => void
}

/** One condition with its name and operator; what it looks like is its property's affair. */
export function FilterField({ condition, schemaCode, propertyCode, value, invalid, onChange, onSubmit }: Props) {
  const t = useText()
  const locale = useLocale()
  const { Filter } = propertyUI(condition.propertyType)
  const code = condition.propertyCode
  // An operator chosen before there is a value waits here.
  const [waiting, setWaiting] = useState<string | null>(null)
  const operator = value ? (value.operator ?? condition.queryFilterType) : (waiting ?? condition.queryFilterType)
  const id = `filter-${code}`
  const name = localName(condition, locale)
  if (!Filter) return null
  const choose = (next: string) => {
    setWaiting(next)
    const after = withOperator(condition, value, next)
    if (value || after) onChange(after)
  }
  const take = (next: FilterValue | null) =>
    onChange(next && operator !== condition.queryFilterType ? { ...next, operator } : next)
  const field = propertyCode ? { ...condition, propertyCode } : condition
  return (
    <div className={styles.filter} data-invalid={invalid || undefined}>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label} title={name}>
          {name}
        </label>
        <OperatorMenu condition={condition} operator={operator} onChange={choose} />
      </div>
      <div className={styles.control}>
        {operandOf(operator) === 'nothing' ? (
          <Checkbox id={id} checked={value !== null} onChange={() => take(value ? null : { value: '' })}>
            {t(`filter.operators.${operatorWord(condition, operator)}` as never)}
          </Checkbox>
        ) : (
          <Suspense fallback={<div className={styles.coming} />}>
            <Filter
              id={id}
              field={field}
              schemaCode={schemaCode}
              operator={operator}
              value={value}
              onChange={take}
              onSubmit={onSubmit}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}
