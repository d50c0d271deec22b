import { Checkbox } from 'antd'
import { Suspense, useState } from 'react'
import type { QueryCondition } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { operandOf } from '@/sdk/conditions'
import type { FilterValue } from '@/sdk/property'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import styles from './filter-control.module.css'
import { OperatorMenu } from './operator-menu'
import { operatorWord, withOperator } from './operators'

/** One condition with its name and operator; what it looks like is its property's affair. */
export function FilterControl({ condition, controller }: { condition: QueryCondition; controller: ListController }) {
  const t = useText()
  const locale = useLocale()
  const { Filter } = propertyUI(condition.propertyType)
  const code = condition.propertyCode
  const value = controller.filters[code] ?? null
  // An operator chosen before there is a value waits here.
  const [waiting, setWaiting] = useState<string | null>(null)
  const operator = value ? (value.operator ?? condition.queryFilterType) : (waiting ?? condition.queryFilterType)
  const id = `filter-${code}`
  const name = localName(condition, locale)
  if (!Filter) return null
  const choose = (next: string) => {
    setWaiting(next)
    const after = withOperator(condition, value, next)
    if (value || after) controller.setFilter(code, after)
  }
  const take = (next: FilterValue | null) =>
    controller.setFilter(code, next && operator !== condition.queryFilterType ? { ...next, operator } : next)
  const invalid = controller.ignored.some((one) => one.propertyCode === code)
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
              field={condition}
              schemaCode={controller.config.schemaCode}
              operator={operator}
              value={value}
              onChange={take}
              onSubmit={() => void controller.refresh()}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}
