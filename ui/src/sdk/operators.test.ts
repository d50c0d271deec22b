import { describe, expect, it } from 'vitest'
import type { QueryCondition } from '@/api/types'
import { operandOf } from './conditions'
import { operatorWord, withOperator } from './operators'

const condition = (queryFilterType: string): QueryCondition => ({
  propertyCode: 'p',
  propertyType: 2,
  name: 'p',
  name_i18n: {},
  queryFilterType,
  visible: true,
})

describe('changing an operator', () => {
  const amount = condition('Between')
  it.each([
    ['an end of a range', { value: '5;10' }, 'GreaterThan', { value: '5', operator: 'GreaterThan' }],
    ['the only end', { value: ';10' }, 'LessThan', { value: '10', operator: 'LessThan' }],
    ['the range from there', { value: '5', operator: 'Equal' }, 'Between', { value: '5;' }],
    ['the same ends', { value: '5;10' }, 'NotBetween', { value: '5;10', operator: 'NotBetween' }],
    ['no value', { value: '5;10' }, 'IsNull', { value: '', operator: 'IsNull' }],
    ['nothing again', { value: '', operator: 'IsNull' }, 'Between', null],
    ['nothing yet', null, 'Equal', null],
  ] as const)('keeps %s', (_, value, operator, after) => expect(withOperator(amount, value, operator)).toEqual(after))

  it('does not take people for departments', () => {
    const staff = condition('Contains')
    const value = { value: 'a;b', label: '甲、乙' }
    expect(withOperator(staff, value, 'Of')).toBeNull()
    expect(withOperator(staff, value, 'Have')).toEqual({ ...value, operator: 'Have' })
    expect(withOperator(staff, { value: 'd', operator: 'Of' }, 'NotOf')).toEqual({ value: 'd', operator: 'NotOf' })
  })
})

it('knows what is compared with, and what sets call it', () => {
  expect(['IsNull', 'NotBetween', 'Have'].map(operandOf)).toEqual(['nothing', 'range', 'one'])
  expect(operatorWord({ operators: ['Contains', 'Have'] }, 'Contains')).toBe('AnyOf')
  expect(operatorWord({ operators: ['Contains'] }, 'Contains')).toBe('Contains')
  expect(operatorWord({}, 'Nonsense')).toBe('Unknown')
})
