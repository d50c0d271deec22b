import type { QueryCondition } from '@/api/types'
import { operandOf } from './conditions'
import type { FilterValue } from './property'

const inDepartments = (operator: string) => operator === 'Of' || operator === 'NotOf'

/** The value of a control whose operator is changed: what still makes sense stays. Null = nothing is compared yet. */
export function withOperator(condition: QueryCondition, value: FilterValue | null, next: string): FilterValue | null {
  const before = value?.operator ?? condition.queryFilterType
  const operator = next === condition.queryFilterType ? {} : { operator: next }
  const [from, to] = [operandOf(before), operandOf(next)]
  if (to === 'nothing') return { value: '', ...operator }
  if (!value?.value || from === 'nothing') return null
  if (inDepartments(before) !== inDepartments(next)) return null // people and departments are not compared with each other
  if (from === to) return { ...withoutOperator(value), ...operator }
  const { value: text } = value
  if (to === 'range') return { value: text.includes(';') ? text : `${text};`, ...operator }
  const end = text.split(';').find((part) => part !== '')
  return end ? { value: end, ...operator } : null
}

function withoutOperator({ value, label }: FilterValue): FilterValue {
  return label ? { value, label } : { value }
}

/** A set is compared member by member, so "contains" has another word than for texts. */
export const comparesSets = (condition: { operators?: string[]; options?: unknown }) =>
  condition.operators?.includes('Have') || Array.isArray(condition.options)

const NAMES = new Set(
  (
    'Equal NotEqual GreaterThan LessThan GreaterThanOrEqual LessThanOrEqual Contains NotContains IsNull IsNotNull ' +
    'Of NotOf Have NotHave In NotIn Between NotBetween'
  ).split(' '),
)

/** The key of an operator's word in the texts; an address may name one that there is not. */
export function operatorWord(condition: { operators?: string[]; options?: unknown }, operator: string) {
  if (!NAMES.has(operator)) return 'Unknown'
  if (comparesSets(condition) && operator === 'Contains') return 'AnyOf'
  if (comparesSets(condition) && operator === 'NotContains') return 'NoneOf'
  return operator
}
