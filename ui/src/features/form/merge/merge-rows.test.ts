// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { FormField } from '@/api/types'
import { compareSides, firstChoices, merge, undecided } from './merge'
import { conflictsOf, mergeRows, type Row, sidesOf } from './merge-rows'

const column = (propertyCode: string, more: object = {}) =>
  ({ propertyCode, propertyType: 0, name: propertyCode, name_i18n: {}, children: null, ...more }) as FormField
const items = column('items', {
  propertyType: 8,
  children: [column('a'), column('b'), column('c'), column('sum', { readOnly: true })],
})
const rows = (text: string): Row[] =>
  text.split(' ').flatMap((word) => {
    if (!word) return []
    const [id = '', a = '', b = '', c = ''] = word.split(':')
    return [{ ...(id.startsWith('+') ? {} : { id }), a: a || null, b: b || null, c: c || null }]
  })
const said = (all: Row[]) => all.map(({ id, a, b, c }) => [id ?? '+', a, b, c].map((x) => x ?? '').join(':')).join(' ')

describe('rows of three states', () => {
  const base = '1:p:q:r 2:p:q:r 3:p:q:r'
  const merged = (mine: string, theirs: string, choices: Record<string, 'mine' | 'theirs'> = {}) => {
    const sides = sidesOf(items, rows(base), rows(mine), rows(theirs))
    return {
      asks: conflictsOf(items, sides).map(({ key }) => key),
      rows: said(mergeRows(items, sides, (key) => choices[key])),
    }
  }

  it.each([
    ['cells of one row', '1:M:q:r 2:p:q:r 3:p:q:r', '1:p:q:T 2:p:q:r 3:p:q:r', '1:M:q:T 2:p:q:r 3:p:q:r'],
    ['the same cell made the same', '1:X:q:r 2:p:q:r 3:p:q:r', '1:X:T:r 2:p:q:r 3:p:q:r', '1:X:T:r 2:p:q:r 3:p:q:r'],
    ['rows added by both', `${base} +:m`, `${base} 9:t`, `${base} +:m:: 9:t::`],
    ['a row between', '1:p:q:r +:m 2:p:q:r 3:p:q:r', '2:p:q:r 3:p:q:r', '+:m:: 2:p:q:r 3:p:q:r'],
    ['one removes, the other changes another', '2:p:q:r 3:M:q:r', '1:p:q:r 2:p:q:r 3:p:T:r', '2:p:q:r 3:M:T:r'],
    ['both remove', '2:p:q:r 3:p:q:r', '1:p:q:r 3:p:q:r', '3:p:q:r'],
    ['I move, they change', '3:p:q:r 1:p:q:r 2:p:q:r', '1:p:q:r 2:T:q:r 3:p:q:r', '3:p:q:r 1:p:q:r 2:T:q:r'],
    ['they move, I add', `${base} +:m`, '2:p:q:r 1:p:q:r 3:p:q:r', '2:p:q:r 1:p:q:r 3:p:q:r +:m::'],
    ['both move alike', '3:p:q:r 1:p:q:r 2:p:q:r', '3:p:q:r 1:p:q:r 2:p:q:r', '3:p:q:r 1:p:q:r 2:p:q:r'],
    ['an emptied cell', '1::q:r 2:p:q:r 3:p:q:r', '1:p:T:r 2:p:q:r 3:p:q:r', '1::T:r 2:p:q:r 3:p:q:r'],
    ['an empty new row at the end is none', `${base} +:`, `${base} 9:t`, `${base} 9:t::`],
  ])('become one by themselves: %s', (_, mine, theirs, expected) => {
    expect(merged(mine, theirs)).toEqual({ asks: [], rows: expected })
  })

  it('ask for a cell that both made different', () => {
    const [mine, theirs] = ['1:M:q:r 2:p:q:r 3:p:q:r', '1:T:q:t 2:p:q:r 3:p:q:r']
    expect(merged(mine, theirs)).toEqual({ asks: ['items/1/a'], rows: '1:T:q:t 2:p:q:r 3:p:q:r' })
    expect(merged(mine, theirs, { 'items/1/a': 'mine' }).rows).toBe('1:M:q:t 2:p:q:r 3:p:q:r')
  })

  it('ask for a row that one removed and the other changed; what is kept against a removal is a new row', () => {
    const [gone, changed] = ['2:p:q:r 3:p:q:r', '1:X:q:r 2:p:q:r 3:p:q:r']
    expect(merged(gone, changed).asks).toEqual(['items/1'])
    expect(merged(gone, changed, { 'items/1': 'mine' }).rows).toBe('2:p:q:r 3:p:q:r')
    expect(merged(gone, changed, { 'items/1': 'theirs' }).rows).toBe('1:X:q:r 2:p:q:r 3:p:q:r')
    expect(merged(changed, gone, { 'items/1': 'theirs' }).rows).toBe('2:p:q:r 3:p:q:r')
    expect(merged(changed, gone, { 'items/1': 'mine' }).rows).toBe('+:X:q:r 2:p:q:r 3:p:q:r')
  })

  it('ask for the order that both changed', () => {
    const [mine, theirs] = ['3:p:q:r 1:p:q:r 2:p:q:r', '2:p:q:r 1:p:q:r 3:p:q:r']
    expect(merged(mine, theirs).asks).toEqual(['items/'])
    expect(merged(mine, theirs, { 'items/': 'mine' }).rows).toBe('3:p:q:r 1:p:q:r 2:p:q:r')
    expect(merged(mine, theirs, { 'items/': 'theirs' }).rows).toBe('2:p:q:r 1:p:q:r 3:p:q:r')
  })

  it('of a whole record need no choice where nothing is asked', () => {
    const [was, own, other] = [rows(base), rows('1:M:q:r 2:p:q:r 3:p:q:r'), rows('1:p:T:r 2:p:q:r 3:p:q:r')]
    const list = compareSides([items], { items: was }, { items: own }, { items: other })
    const choices = firstChoices(list)
    expect([choices, undecided(list, choices)]).toEqual([{ items: 'rows' }, []])
    expect(said(merge(list, choices, { items: other }).items as Row[])).toBe('1:M:T:r 2:p:q:r 3:p:q:r')
    const clash = compareSides([items], { items: was }, { items: own }, { items: rows('1:T:q:r 2:p:q:r 3:p:q:r') })
    expect(undecided(clash, firstChoices(clash))).toEqual(['items/1/a'])
    expect(undecided(clash, { ...firstChoices(clash), items: 'theirs' })).toEqual([])
  })
})

/** Numbers that are the same in every run. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

describe('random changes', () => {
  const codes = ['a', 'b', 'c'] as const

  it('of different rows and cells are all kept, whoever made them, and nothing is asked', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const roll = dice(seed)
      const was: Row[] = Array.from({ length: 1 + roll(6) }, (_, i) => ({ id: `${i}`, a: 'p', b: 'q', c: 'r' }))
      const sides = { mine: was.map((row) => ({ ...row })), theirs: was.map((row) => ({ ...row })) }
      const cells: [string, string, string][] = []
      const removed = new Set<string>()
      for (const { id = '' } of was) {
        if (roll(4) === 0) {
          const side = roll(2) ? 'mine' : 'theirs'
          sides[side] = sides[side].filter((row) => row.id !== id)
          removed.add(id)
          continue
        }
        for (const code of codes) {
          const by = roll(3)
          if (by === 2) continue
          const row = sides[by ? 'mine' : 'theirs'].find((one) => one.id === id)
          if (row) row[code] = `${id}${code}!`
          cells.push([id, code, `${id}${code}!`])
        }
      }
      const added: string[] = []
      for (const side of ['mine', 'theirs'] as const)
        for (let n = roll(3); n > 0; n--) {
          const name = `${side}${n}`
          added.push(name)
          const row: Row = { ...(side === 'theirs' ? { id: name } : {}), a: name, b: null, c: null }
          sides[side].splice(roll(sides[side].length + 1), 0, row)
        }
      if (roll(3) === 0) sides[roll(2) ? 'mine' : 'theirs'].reverse()

      const three = sidesOf(items, was, sides.mine, sides.theirs)
      expect(conflictsOf(items, three), `seed ${seed}`).toEqual([])
      const out = mergeRows(items, three, () => undefined)
      const told = `seed ${seed}: ${said(was)} | ${said(sides.mine)} | ${said(sides.theirs)} -> ${said(out)}`
      expect(new Set(out.map((row) => row.id ?? row.a)).size, told).toBe(out.length)
      expect(out.length, told).toBe(was.length - removed.size + added.length)
      for (const [id, code, value] of cells) expect(out.find((row) => row.id === id)?.[code], told).toBe(value)
      for (const name of added)
        expect(
          out.some((row) => row.a === name),
          told,
        ).toBe(true)
      for (const id of removed)
        expect(
          out.some((row) => row.id === id),
          told,
        ).toBe(false)
    }
  })

  it('whatever they are, taking all of one side gives each cell of that side, and my own state against an unchanged one', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const roll = dice(seed * 7919)
      const was: Row[] = Array.from({ length: roll(6) }, (_, i) => ({ id: `${i}`, a: 'p', b: 'q', c: 'r' }))
      const change = (tag: string): Row[] => {
        const next: Row[] = was
          .filter(() => roll(5) > 0)
          .map((row): Row => ({ ...row, ...(roll(2) ? { a: tag } : {}) }))
        if (roll(2))
          next.splice(roll(next.length + 1), 0, { ...(tag === 't' ? { id: 'new' } : {}), a: tag, b: tag, c: null })
        return roll(4) ? next : next.reverse()
      }
      const [mine, theirs] = [change('m'), change('t')]
      const all = (side: 'mine' | 'theirs') => mergeRows(items, sidesOf(items, was, mine, theirs), () => side)
      const own = all('mine')
      for (const row of mine) if (row.a === 'm') expect(own.some((one) => one.a === 'm' && one.b === row.b)).toBe(true)
      const other = all('theirs')
      for (const row of theirs)
        if (row.a === 't') expect(other.find((one) => one.id === row.id)?.a, `seed ${seed}`).toBe('t')
      expect(said(mergeRows(items, sidesOf(items, was, mine, was), () => undefined)), `seed ${seed}`).toBe(said(mine))
      expect(said(mergeRows(items, sidesOf(items, was, was, theirs), () => undefined)), `seed ${seed}`).toBe(
        said(theirs),
      )
    }
  })
})
