// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Corpus, corpusScope, expectedOf, runCase } from './corpus'
import { fold, fromWire, holds } from './expression'

const corpus = JSON.parse(
  readFileSync(new URL('../../../engine/expression/testdata/corpus.json', import.meta.url), 'utf8'),
) as Corpus

describe('the corpus that the server runs too', () => {
  for (const c of corpus.cases) it(`${c.record}: ${c.expression}`, () => expect(runCase(corpus, c)).toBe(expectedOf(c)))
})

describe('wire values', () => {
  it.each([
    ['id', { id: 'a', name: 'A' }, 'a'],
    ['set', [{ id: 'a' }, { refId: 'b' }, 'c', ''], ['a', 'b', 'c']],
    ['set', 'a;b', ['a', 'b']],
    ['set', [], null],
    ['text', { code: '110101', province: '北京' }, '110101'],
    ['text', '', null],
    ['bool', false, false],
    ['number', 'x', null],
  ])('%s %j', (kind, given, expected) => {
    expect(fromWire(kind, given)).toEqual(expected)
  })
})

describe('conditions', () => {
  const nothing = corpusScope(corpus, {})
  it('a missing condition is true', () => expect(holds(undefined, nothing)).toBe(true))
  it('a condition that cannot be computed is not true', () => {
    const tooLarge = { op: 'const', kind: 'number', value: '9'.repeat(24) }
    const sum = { op: 'arith', sign: '+', a: tooLarge, b: tooLarge }
    expect(holds({ op: 'not', x: { op: 'null', x: sum } }, nothing)).toBe(false)
  })
  it('what only the server can tell is not true', () => expect(holds({ op: 'server' }, nothing)).toBe(false))
  it('folds without regard to case and composition', () => expect(fold('E\u0301A')).toBe(fold('éa')))
})
