import type { QueryCondition } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { operandOf } from '@/sdk/conditions'
import { operatorWord } from '@/sdk/operators'
import type { FilterValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { propertyUI } from './properties'

/** What a filter that is set says in words, as on its chip. */
export function useFilterText() {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  return (condition: QueryCondition, filter: FilterValue): string => {
    const name = localName(condition, locale)
    const value =
      propertyUI(condition.propertyType).filterText?.(filter, condition, context) ?? filter.label ?? filter.value
    const operator = filter.operator ?? condition.queryFilterType
    const word = t(`filter.operators.${operatorWord(condition, operator)}` as never)
    if (operandOf(operator) === 'nothing') return t('filter.emptyChip', { name, operator: word })
    return operator === condition.queryFilterType
      ? t('list.chip', { name, value })
      : t('filter.operatorChip', { name, operator: word, value })
  }
}
