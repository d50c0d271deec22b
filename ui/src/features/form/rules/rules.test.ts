// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import type { FormField } from '@/api/types'
import { makeRules } from './rules'
import { formScope } from './scope'

const number = (column: string, more = {}) => ({ op: 'field', column, kind: 'number', ...more })
const times = (a: object, b: object) => ({ op: 'arith', sign: '*', a, b })
const field = (propertyCode: string, more: object = {}) =>
  ({ propertyCode, propertyType: 2, name: propertyCode, name_i18n: {}, ...more }) as FormField

const scopeOf = formScope({ locale: 'zh', zone: 'UTC' })
const fields = [
  field('twice', { computeRule: times(number('total'), { op: 'const', kind: 'number', value: '2' }) }),
  field('total', {
    computeRule: {
      op: 'aggregate',
      fn: 'sum',
      kind: 'number',
      sheet: 'items',
      f: number('amount'),
      x: number('amount'),
    },
  }),
  field('rate'),
  field('items', {
    propertyType: 8,
    children: [
      field('qty'),
      field('amount', { readOnly: true, computeRule: times(number('qty'), number('rate', { outer: true })) }),
    ],
  }),
  field('remark', {
    requiredRule: { op: 'compare', cmp: '>', a: number('rate'), b: { op: 'const', kind: 'number', value: '5' } },
  }),
]

describe('live rules', () => {
  it('compute columns from the row and the record, whatever their order', () => {
    const rules = makeRules(fields)
    const { computed } = rules({ rate: '3', items: [{ qty: '2' }, { qty: '5' }] }, scopeOf)
    expect(computed.items).toEqual([
      { qty: '2', amount: '6' },
      { qty: '5', amount: '15' },
    ])
  })
  it('leave rows alone that did not change', () => {
    const rules = makeRules(fields)
    const first = rules({ rate: '3', items: [{ qty: '2' }, { qty: '5' }] }, scopeOf).computed.items as object[]
    const second = rules({ rate: '3', items: [first[0], { ...first[1], qty: '6' }] }, scopeOf).computed
      .items as object[]
    expect(second[0]).toBe(first[0])
    expect(second[1]).toEqual({ qty: '6', amount: '18' })
    const third = rules({ rate: '4', items: second }, scopeOf).computed.items as object[]
    expect(third.map((row) => (row as { amount: string }).amount)).toEqual(['8', '24'])
  })
  it('are evaluated again only when something that they name has changed', () => {
    const rules = makeRules(fields)
    const scope = vi.fn(scopeOf)
    const items = [{ qty: '2', amount: '6' }]
    const one = rules({ rate: '3', items }, scope)
    scope.mockClear()
    const two = rules({ rate: '3', items, title: 'typed' }, scope)
    expect(scope).not.toHaveBeenCalled()
    expect(two.hidden).toBe(one.hidden)
    expect(two.required).toBe(one.required)
    expect(rules({ rate: '9', items }, scope).required).toEqual(new Set(['remark']))
  })
})
