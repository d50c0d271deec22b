// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { FormField } from '@/api/types'
import { allOf, compareSides, firstChoices, merge, rowChanges, undecided } from './merge'

const field = (propertyCode: string, more: object = {}) =>
  ({ propertyCode, propertyType: 0, name: propertyCode, name_i18n: {}, children: null, ...more }) as FormField
const items = field('items', {
  propertyType: 8,
  children: [field('item'), field('points', { propertyType: 2 }), field('rate', { propertyType: 2, readOnly: true })],
})

describe('three states of a record', () => {
  const fields = [field('a'), field('b'), field('c'), field('d'), field('e'), field('sum', { readOnly: true })]
  const base = { a: '1', b: '1', c: '1', d: '1', e: '1', sum: '5' }
  const mine = { a: 'm', b: '1', c: 'm', d: 'x', e: '1', sum: '6' }
  const theirs = { a: '1', b: 't', c: 't', d: 'x', e: '1', sum: '7' }
  const list = compareSides(fields, base, mine, theirs)

  it('differ in what a side changed and people may write', () => {
    expect(list.map(({ field, by }) => [field.propertyCode, by])).toEqual([
      ['a', 'mine'],
      ['b', 'theirs'],
      ['c', 'both'],
      ['d', 'same'],
    ])
  })

  it('leave to people only what both made different', () => {
    const choices = firstChoices(list)
    expect(choices).toEqual({ a: 'mine', b: 'theirs' })
    expect(undecided(list, choices)).toEqual(['c'])
    expect(undecided(list, { ...choices, c: 'mine' })).toEqual([])
  })

  it('become one by the choices', () => {
    const ready = { ...firstChoices(list), c: 'mine' as const }
    expect(merge(list, ready, theirs)).toEqual({ a: 'm', b: 't', c: 'm', d: 'x', e: '1', sum: '7' })
    expect(merge(list, allOf(list, 'theirs'), theirs)).toEqual(theirs)
    expect(merge(list, allOf(list, 'mine'), theirs)).toEqual({ ...mine, sum: '7' })
  })

  it('keep an emptied field empty, and take an emptied one of theirs', () => {
    const cleared = compareSides([field('a'), field('b')], { a: '1', b: '1' }, { b: '1' }, { a: '1' })
    expect(cleared.map(({ by }) => by)).toEqual(['mine', 'theirs'])
    expect(merge(cleared, firstChoices(cleared), { a: '1' })).toEqual({})
  })

  it.each([
    [field('n', { propertyType: 2 }), '3.00', '3'],
    [field('p'), { id: 'u1', name: 'Old name' }, { id: 'u1', name: 'New name' }],
    [field('ps'), [{ id: 'u1', name: 'a', type: 1 }], [{ id: 'u1', name: 'b', type: 1 }]],
  ])('do not differ in looks alone: %#', (one, was, now) => {
    const code = one.propertyCode
    expect(compareSides([one], { [code]: was }, { [code]: was }, { [code]: now })).toEqual([])
  })
})

describe('rows', () => {
  const base = [
    { id: '1', item: 'a', points: '1', rate: '1' },
    { id: '2', item: 'b', points: '2', rate: '1' },
    { id: '3', item: 'c', points: '3', rate: '1' },
  ]
  const [one = {}, two = {}, three = {}] = base

  it('are counted by their id', () => {
    const after = [{ ...two, item: 'B' }, one, { item: 'new' }]
    expect(rowChanges(items, base, after)).toEqual({ added: 1, changed: 1, removed: 1, moved: true })
    expect(rowChanges(items, base, [one, three])).toEqual({ added: 0, changed: 0, removed: 1, moved: false })
  })

  it('do not change by what is computed in them, nor by the decimals of a number', () => {
    const after = [{ ...one, rate: '9', points: '1.0' }, two, three]
    expect(compareSides([items], { items: base }, { items: after }, { items: base })).toEqual([])
  })

  it('can be taken whole from one side; rows that the other removed come back as new ones', () => {
    const mine = [{ ...one, item: 'A' }, two, three]
    const theirs = [two, three, { id: '4', item: 'd' }]
    const list = compareSides([items], { items: base }, { items: mine }, { items: theirs })
    expect(list).toMatchObject([
      {
        by: 'both',
        rows: { mine: { added: 0, changed: 1, removed: 0 }, theirs: { added: 1, changed: 0, removed: 1 } },
      },
    ])
    const { id: _, ...again } = one as { id: string }
    expect(merge(list, { items: 'mine' }, { items: theirs })).toEqual({ items: [{ ...again, item: 'A' }, two, three] })
    expect(merge(list, { items: 'theirs' }, { items: theirs })).toEqual({ items: theirs })
  })

  it('that both added alike are no conflict', () => {
    const list = compareSides(
      [items],
      {},
      { items: [{ item: 'x', points: '1' }] },
      { items: [{ id: '9', item: 'x', points: '1.00', rate: '0' }] },
    )
    expect(list.map(({ by }) => by)).toEqual(['same'])
  })
})
