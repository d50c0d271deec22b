import { ApiError } from '@sluice/sdk'
import { expect, test } from 'vitest'
import cases from '../testdata/readings.json'
import { absurd } from './fill/judge'
import { refusedFields, refusedRows } from './fill/judged'
import {
  type Item,
  inTolerance,
  readings,
  readNumbers,
  shownReadings,
  toleranceText,
  writtenReadings,
} from './fill/readings'
import { codesOf } from './model/code-table'
import { placedOf } from './model/placed'
import { waitsFor } from './node/process-list'
import { boxColor, countOf, leavesOf } from './quality-module'
import { type Component, unboundOf } from './shared/components'
import { hits, pathTo } from './shared/whole-tree'
import { nextCode, shareOf, usualBelow } from './shared/words'
import { columnsOf, stateOf } from './subproject-inspection'

const item = (part: Partial<Item>): Item => ({
  ...{ id: 'i', name: 'i', itemClass: 'GENERAL', method: 'POINT', unit: 'mm', minPoints: 1 },
  ...{ devLow: null, devHigh: null, limitLow: null, limitHigh: null },
  ...part,
})

interface ReadingCase {
  text: string
  method: string
  unit: string
  values?: string[]
}

test('readings are typed one by one or many at once, and read as the server does', () => {
  for (const { text, method, unit, values } of cases as ReadingCase[])
    expect([text, readings(text, method, unit)?.map((n) => String(Number(n))) ?? null]).toEqual([
      text,
      values?.map((n) => String(Number(n))) ?? null,
    ])
  expect(readNumbers('12. +4 .5')).toEqual(['12', '4', '.5'])
})

test('a point is in tolerance of its design, a limit is one of the reading itself', () => {
  const flat = item({ devLow: '-10', devHigh: '10' })
  expect([inTolerance(flat, '100', '110'), inTolerance(flat, '100', '110.1'), inTolerance(flat, '', '-10')]).toEqual([
    true,
    false,
    true,
  ])
  expect(inTolerance(item({ limitLow: '30' }), '100', '29')).toBe(false)
  expect(toleranceText(flat)).toBe('±10')
  expect(toleranceText(item({ devLow: '-5', devHigh: '10' }))).toBe('−5 … +10')
  expect(toleranceText(item({ limitLow: '30' }))).toBe('≥ 30')
  expect(toleranceText(item({ devHigh: '8' }))).toBe('≤ 8')
  expect(toleranceText(item({ devLow: '-5' }))).toBe('≥ −5')
})

test('a rate below all is never shown as all', () => {
  expect(shareOf('0.7777')).toBe('77.8%')
  expect(shareOf('0.99999')).toBe('99.9%')
  expect(shareOf('1')).toBe('100%')
  expect(shareOf(null)).toBe('')
})

const process = (id: string, status: string, prevIds: string[]) => ({
  ...{ id, qbsId: 'n', status, prevIds, code: id, name: id, required: true, biz: [] },
  bizCount: { total: 1, done: 0 },
})

test('a locked process names what it waits for', () => {
  const all = [process('a', 'DONE', []), process('b', 'OPEN', ['a']), process('c', 'LOCKED', ['a', 'b'])]
  expect(waitsFor(all[2] as never, all)).toEqual(['b'])
  expect(waitsFor(all[1] as never, all)).toEqual([])
  expect(columnsOf([...all.slice(0, 2), ...all]).map(({ key, name }) => [key, name])).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['c', 'c'],
  ])
})

test('a step of the library is one column, of whichever revision, and no two columns have one heading', () => {
  const of = (id: string, code: string, name: string, baseId?: string, baseVersion?: number) => ({
    ...{ ...process(id, 'OPEN', []), code, name },
    ...(baseId ? { baseId, baseVersion: baseVersion ?? 1 } : {}),
  })
  const columns = columnsOf([
    of('1', 'A', 'Rebar', 'x', 1),
    of('2', 'A2', 'Reinforcement', 'x', 3),
    of('3', 'A', 'Rebar by hand'),
    of('4', 'Z', 'Reinforcement', 'other', 1),
    of('5', 'B', 'Pour', 'y', 1),
  ])
  expect(columns.map(({ name, ids }) => [name, [...ids]])).toEqual([
    ['Reinforcement', ['1', '2', '3', '4']],
    ['Pour', ['5']],
  ])
})

test('a required sheet is overdue the day after its node should be finished', () => {
  const sheet = { status: 'NONE', required: true }
  expect(stateOf(sheet, '2026-11-25', '2026-11-26')).toBe('OVERDUE')
  expect(stateOf(sheet, '2026-11-26', '2026-11-26')).toBe('NONE')
  expect(stateOf({ ...sheet, required: false }, '2026-11-25', '2026-11-26')).toBe('NONE')
  expect(stateOf({ ...sheet, status: 'COMPLETED' }, '2026-11-25', '2026-11-26')).toBe('COMPLETED')
})

const leaf = (id: string, boundFlag: boolean, evalStatus = 'QUALIFIED'): Component => ({
  ...{ id, title: id, code: id, leaf: true, boundFlag },
  ...(boundFlag ? { evalStatus } : {}),
})
const model: Component[] = [
  { ...leaf('m', false), leaf: false, children: [leaf('x', true), leaf('y', false)] },
  { ...leaf('n', false), leaf: false, children: [leaf('z', true, 'PENDING')] },
]

test('components: what is not bound with what stands above it, and counts by state', () => {
  expect(unboundOf(model)).toEqual([{ ...model[0], children: [leaf('y', false)] }])
  expect([...countOf(model)]).toEqual([
    ['QUALIFIED', 1],
    ['', 1],
    ['PENDING', 1],
  ])
  const found = hits(model, 'z', (node, parentId) => ({ id: node.id, parentId, title: node.title, leaf: node.leaf }))
  expect(found.map(({ id, match }) => [id, match])).toEqual([
    ['n', false],
    ['z', true],
  ])
})

test('components in space: those with a box, in the color of their state, a parent by its parts', () => {
  const box = [0, 0, 0, 1, 1, 1] as const
  const placed = { ...leaf('x', true), bbox: box }
  const nodes: Component[] = [{ ...leaf('m', false), leaf: false, bbox: box, children: [placed, leaf('y', false)] }]
  expect(placedOf(nodes).map(({ id }) => id)).toEqual(['x'])
  expect(leavesOf(nodes, 'm')).toEqual(['x', 'y'])
  expect(leavesOf(nodes, 'y')).toEqual(['y'])
  expect(pathTo(nodes, 'y').map(({ id }) => id)).toEqual(['m'])
  expect(pathTo(nodes, 'm')).toEqual([])
  expect(boxColor(leaf('y', false), 'evalStatus', '#010203')).toBe('#010203')
})

test('a part has the level that parts mostly have', () => {
  expect([undefined, 'PROJECT', 'UNIT', 'DIVISION', 'ITEM', 'LOT'].map(usualBelow)).toEqual(
    ['UNIT', 'SINGLE', 'DIVISION', 'ITEM', 'LOT', ''], // sub-unit and sub-divisional works are the exception
  )
})

test('the code that is offered is the one that comes', () => {
  expect(nextCode('CZ-01', ['CZ-01-01', 'CZ-01-02'])).toBe('CZ-01-03')
  expect(nextCode('CZ-01', ['CZ-01-01', 'CZ-01-03'])).toBe('CZ-01-04')
  expect(nextCode(undefined, ['CZ'])).toBe('01')
  expect(nextCode('80.1', ['80.1.1'])).toBe('80.1.2')
})

test('codes: of all components, of a part of the model, and of a component those beside it', () => {
  const nodes: Component[] = [
    { ...leaf('m', false), leaf: false, children: [leaf('x', true), leaf('y', false)] },
    { ...leaf('n', false), leaf: false, children: [leaf('z', true)] },
    leaf('w', false),
  ]
  const ids = (chosen: string | null) => codesOf(nodes, chosen).map(({ id }) => id)
  expect(ids(null)).toEqual(['x', 'y', 'z', 'w'])
  expect(ids('gone')).toEqual(['x', 'y', 'z', 'w'])
  expect(ids('m')).toEqual(['x', 'y'])
  expect(ids('y')).toEqual(['x', 'y'])
  expect(ids('w')).toEqual(['x', 'y', 'z', 'w'])
})

test('answers are kept as ticks, which read back as the same answers, and are shown as words', () => {
  const words = { yes: 'Yes', no: 'No' }
  const kept = writtenReadings('YESNO', ['1', '0', '1'])
  expect(kept).toBe('✓; ✗; ✓')
  expect(readings(kept, 'YESNO', '')).toEqual(['1', '0', '1'])
  expect(shownReadings(kept, 'YESNO', words)).toBe('Yes; No; Yes')
  expect(shownReadings('1; 1; 0', 'YESNO', words)).toBe('Yes; Yes; No')
  expect(shownReadings('是；不符合要求', 'YESNO', words)).toBe('Yes; No')
  expect(shownReadings('half', 'YESNO', words)).toBe('half')
  expect(writtenReadings('POINT', ['1', '-2'])).toBe('1; -2')
  expect(shownReadings('1; -2', 'POINT', words)).toBe('1; -2')
})

test('readings that nobody measures: far beyond the tolerance, the limits or the design value', () => {
  const flat = item({ devLow: '-10', devHigh: '10' })
  for (const [value, far] of [
    ['12', false],
    ['-40', false],
    ['100', false],
    ['101', true],
    ['-1200', true],
  ] as const)
    expect(absurd(flat, '', value), value).toBe(far)
  expect(absurd(flat, '1200', '1210')).toBe(false)
  expect(absurd(flat, '1200', '12')).toBe(true)
  expect(absurd(flat, 'x', '5000')).toBe(false) // without a design value nothing is known
  expect(absurd(item({ devLow: '0', devHigh: '0' }), '', '3')).toBe(false)
  const cover = item({ limitLow: '30', limitHigh: '50' })
  expect([absurd(cover, '', '60'), absurd(cover, '', '501'), absurd(cover, '', '2.9')]).toEqual([false, true, true])
  const strength = item({ method: 'STAT_STRENGTH' })
  expect([absurd(strength, '30', '42.5'), absurd(strength, '30', '425'), absurd(strength, '', '425')]).toEqual([
    ...[false, true, false],
  ])
  expect([
    absurd(item({ method: 'STAT_COMPACTION' }), '96', '97.1'),
    absurd(item({ method: 'STAT_COMPACTION' }), '96', '9.7'),
  ]).toEqual([false, true])
  expect(absurd(item({ method: 'YESNO' }), '', '1')).toBe(false)
})

test('the server names the field that it refuses, and the row of a check item', () => {
  const error = new ApiError('', {
    ...{ code: 302001, status: 422 },
    data: {
      errors: [
        { propertyCode: 'checkDate', errmsg: 'A day to come' },
        { propertyCode: 'items.values', row: '#2', errmsg: 'Not read' },
        { propertyCode: 'items', errmsg: 'Once only' },
      ],
    },
  })
  expect(refusedFields(error, ['a', 'b'])).toEqual({
    checkDate: 'A day to come',
    'item b': 'Not read',
    items: 'Once only',
  })
  expect(refusedFields(new Error('x'), [])).toEqual({})
  expect(refusedRows(error)).toEqual([{ row: '#2', col: 'items.values', errmsg: 'Not read' }])
})
