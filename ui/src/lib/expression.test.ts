// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Expr, evaluate, fold, fromWire, holds, type Scope, textOf, type Value } from './expression'

interface Corpus {
  vars: Record<string, unknown>
  records: Record<string, Record<string, unknown>>
  cases: { expression: string; record: string; expected: unknown; form: Expr }[]
}

const corpus = JSON.parse(
  readFileSync(new URL('../../../engine/expression/testdata/corpus.json', import.meta.url), 'utf8'),
) as Corpus

function scopeOf(values: Record<string, unknown>): Scope {
  return {
    column: ({ path = [], column }) => values[[...path, column].join('.')],
    variable: (name) => corpus.vars[name],
    rows: (sheet) => ((values[sheet] ?? []) as Record<string, unknown>[]).map(scopeOf),
  }
}

/** A result as the corpus writes it. */
const plain = (v: Value): unknown => (typeof v === 'object' && v !== null && !Array.isArray(v) ? textOf(v) : v)

describe('the corpus that the server runs too', () => {
  for (const c of corpus.cases) {
    it(`${c.record}: ${c.expression}`, () => {
      const run = () => plain(evaluate(c.form, scopeOf(corpus.records[c.record] ?? {})))
      if (typeof c.expected === 'object' && c.expected !== null && 'error' in c.expected) expect(run).toThrow()
      else expect(run()).toEqual(c.expected)
    })
  }
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
  const nothing = scopeOf({})
  it('a missing condition is true', () => expect(holds(undefined, nothing)).toBe(true))
  it('a condition that cannot be computed is not true', () => {
    const tooLarge = { op: 'const', kind: 'number', value: '9'.repeat(24) }
    const sum = { op: 'arith', sign: '+', a: tooLarge, b: tooLarge }
    expect(holds({ op: 'not', x: { op: 'null', x: sum } }, nothing)).toBe(false)
  })
  it('what only the server can tell is not true', () => expect(holds({ op: 'server' }, nothing)).toBe(false))
  it('folds without regard to case and composition', () => expect(fold('E\u0301A')).toBe(fold('éa')))
})
