import { describe, expect, it } from 'vitest'
import type { FormField } from '@/api/types'
import { faultsOf } from '../fields/validator'
import { changesOf, sameValue } from './values'

const field = (propertyCode: string, more: Partial<FormField> = {}) =>
  ({ propertyCode, propertyType: 0, name: propertyCode, name_i18n: {}, ...more }) as FormField

describe('what a save sends', () => {
  it('is what differs and may be written', () => {
    const fields = [field('part'), field('remark'), field('amount', { readOnly: true }), field('items')]
    const base = { part: 'A', remark: 'x', amount: '1', items: [{ id: '1', item: 'a' }] }
    const values = {
      part: 'A',
      amount: '2',
      items: [
        { id: '1', item: 'a' },
        { key: 'new-1', item: 'b' },
      ],
    }
    expect(changesOf(base, values, fields)).toEqual({ remark: null, items: [{ id: '1', item: 'a' }, { item: 'b' }] })
  })

  it('leaves out computed columns and empty rows at the end', () => {
    const items = field('items', { children: [field('item'), field('amount', { readOnly: true })] })
    const rows = [
      { key: 'a' },
      { id: '1', item: 'x', amount: '5' },
      { key: 'b', item: null, amount: '0' },
      { key: 'c' },
    ]
    expect(changesOf({}, { items: rows }, [items])).toEqual({ items: [{}, { id: '1', item: 'x' }] })
    const base = { items: [{ id: '1', item: 'x', amount: '5' }] }
    expect(changesOf(base, { items: [{ id: '1', item: 'x', amount: '7' }, { key: 'c' }] }, [items])).toEqual({})
  })

  it('sends an emptied cell of a new row as empty, and no row that only began', () => {
    const qty = field('qty', { defaultValue: '1' })
    const rows = [
      { key: 'a', item: 'x', qty: null },
      { key: 'b', qty: '1' },
    ]
    const must = field('items', { children: [field('item', { required: true }), qty] })
    expect(changesOf({}, { items: rows }, [must])).toEqual({ items: [{ item: 'x', qty: null }] })
    const may = field('items', { children: [field('item'), qty] })
    expect(changesOf({}, { items: rows }, [may])).toEqual({ items: [{ item: 'x', qty: null }, { qty: '1' }] })
  })

  it.each([
    [null, undefined, true],
    ['', null, true],
    [[], null, true],
    [{ id: '1', name: 'a' }, { name: 'a', id: '1' }, true],
    [['a', 'b'], ['b', 'a'], false],
    ['1', '1.0', false],
  ])('%j and %j are the same: %s', (a, b, same) => {
    expect(sameValue(a, b)).toBe(same)
  })
})

describe('faults', () => {
  const schema = {
    type: 'object',
    required: ['part'],
    properties: { part: { type: 'string' }, remark: { type: 'string', maxLength: 3 } },
  }
  it('name the field, the rule and its limit', () => {
    expect(faultsOf(schema, { remark: 'abcd' })).toEqual([
      { code: 'part', keyword: 'required', limit: ['part'] },
      { code: 'remark', keyword: 'maxLength', limit: 3 },
    ])
  })
  it('of right data are none', () => {
    expect(faultsOf(schema, { part: 'A' })).toEqual([])
  })
})
