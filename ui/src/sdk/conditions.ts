import type { Filter, QueryCondition } from '@/api/types'
import type { FilterValue } from './property'

export type Operand = 'nothing' | 'one' | 'range'

/** What an operator compares with. */
export function operandOf(operator: string): Operand {
  if (operator === 'IsNull' || operator === 'IsNotNull') return 'nothing'
  return operator === 'Between' || operator === 'NotBetween' ? 'range' : 'one'
}

/** What a condition starts with by its definition. Words for days stay words: the server knows which days they mean. */
export function defaultFilter(condition: QueryCondition): FilterValue | null {
  const { startValue, endValue, defaultValue, queryFilterType } = condition
  const takes = operandOf(queryFilterType)
  if (startValue || endValue) {
    const value = `${startValue ?? ''};${endValue ?? ''}`
    return takes === 'range' ? { value } : { value, operator: 'Between' }
  }
  if (defaultValue) return { value: defaultValue }
  return takes === 'nothing' && !condition.visible ? { value: '' } : null
}

/** Filters that were set, by code; null = cleared by hand, so a default does not come back. */
export type Filters = Record<string, FilterValue | null>

/** The filters in force: those of the address, else the defaults, if they count; a cleared one stays cleared. */
export function effectiveFilters(
  conditions: QueryCondition[],
  chosen: Filters,
  defaults = true,
): Record<string, FilterValue> {
  const result: Record<string, FilterValue> = {}
  for (const condition of conditions) {
    const code = condition.propertyCode
    const begun = defaults ? defaultFilter(condition) : null
    const filter = (condition.visible || !defaults) && code in chosen ? chosen[code] : begun
    if (filter) result[code] = optionsOfNow(condition, filter)
  }
  return result
}

/** A filter with the codes of now for codes that options had: addresses, and what a browser remembers, keep the old ones. */
function optionsOfNow({ options }: QueryCondition, filter: FilterValue): FilterValue {
  if (!options?.some((one) => one.former)) return filter
  const now = (code: string) => options.find((one) => one.former?.includes(code))?.code ?? code
  const value = filter.value.split(';').map(now).join(';')
  return value === filter.value ? filter : { ...filter, value }
}

/** As the list call takes them. Without an operator of its own, the condition's counts. */
export function requestFilters(conditions: QueryCondition[], effective: Record<string, FilterValue>): Filter[] {
  return conditions.flatMap((condition) => {
    const filter = effective[condition.propertyCode]
    if (!filter) return []
    return [
      {
        propertyCode: condition.propertyCode,
        propertyType: condition.propertyType,
        propertyValue: filter.value,
        ...(filter.label ? { propertyValueName: filter.label } : {}),
        queryFilterType: filter.operator ?? condition.queryFilterType,
      },
    ]
  })
}
