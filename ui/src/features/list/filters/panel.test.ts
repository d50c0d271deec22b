import { expect, it } from 'vitest'
import type { QueryCondition } from '@/api/types'
import { firstConditions } from './panel'

const condition = (propertyCode: string, defaultState: QueryCondition['defaultState'] = null): QueryCondition => ({
  propertyCode,
  propertyType: 0,
  name: propertyCode,
  name_i18n: {},
  queryFilterType: 'Contains',
  visible: true,
  defaultState,
})
const codes = (list: QueryCondition[]) => list.map((one) => one.propertyCode).join('')

it('shows as many conditions as columns, those that are kept there, and none that belongs behind More', () => {
  const plain = ['a', 'b', 'c', 'd'].map((code) => condition(code))
  expect(codes(firstConditions(plain, 3))).toBe('abc')
  const mixed = [
    condition('a', 'more'),
    condition('b'),
    condition('c'),
    condition('d', 'shown'),
    condition('e', 'shown'),
  ]
  expect(codes(firstConditions(mixed, 3))).toBe('bde')
  expect(codes(firstConditions(mixed, 1))).toBe('de')
})
