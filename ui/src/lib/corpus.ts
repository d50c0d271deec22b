import { type Expr, evaluate, type Scope, textOf, type Value } from './expression'

/** The cases that the server's evaluator runs too (engine/expression/testdata/corpus.json). */
export interface Corpus {
  vars: Record<string, unknown>
  records: Record<string, Record<string, unknown>>
  cases: CorpusCase[]
}

export interface CorpusCase {
  expression: string
  record: string
  expected: unknown
  form: Expr
}

export function corpusScope(corpus: Pick<Corpus, 'vars'>, values: Record<string, unknown>): Scope {
  return {
    column: ({ path = [], column }) => values[[...path, column].join('.')],
    variable: (name) => corpus.vars[name],
    rows: (sheet) => ((values[sheet] ?? []) as Record<string, unknown>[]).map((row) => corpusScope(corpus, row)),
  }
}

/** A result as the corpus writes it. */
const plain = (v: Value): unknown => (typeof v === 'object' && v !== null && !Array.isArray(v) ? textOf(v) : v)

/** What a case gives here, as JSON; "error" for one that cannot be computed. */
export function runCase(corpus: Corpus, { form, record }: CorpusCase): string {
  try {
    return JSON.stringify(plain(evaluate(form, corpusScope(corpus, corpus.records[record] ?? {}))))
  } catch {
    return 'error'
  }
}

/** What a case has to give. */
export const expectedOf = ({ expected }: CorpusCase) =>
  typeof expected === 'object' && expected !== null && 'error' in expected ? 'error' : JSON.stringify(expected)
