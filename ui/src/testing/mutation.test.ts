// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type Break, breaksIn, broken, switched } from '../../testing/mutation/breaks.mjs'
import { changedSince } from '../../testing/mutation/changed.mjs'
import { draw, poolsOfChange } from '../../testing/mutation/draw.mjs'
import { keyOf, readEquivalent } from '../../testing/mutation/equivalent.mjs'
import { runner } from '../../testing/mutation/run.mjs'
import { importersOf, isBreakable, testsOf } from '../../testing/mutation/tests.mjs'

const changes = (source: string) => breaksIn('a.tsx', source).map(({ line, change }) => `${line} ${change}`)
const numbered = (breaks: Break[]) => breaks.map((one, i) => ({ ...one, number: i + 1 }))

describe('What is broken', () => {
  it.each<[string, string, string[]]>([
    ['an operand of &&', 'x = a && b', ['1 a && b  ->  a', '1 a && b  ->  b']],
    ['an operand of ||', 'x = a || b', ['1 a || b  ->  a', '1 a || b  ->  b']],
    ['a default after ??', 'x = a ?? 1', ['1 a ?? 1  ->  a']],
    ['a default of a parameter', 'const f = (a = 1) => a', ['1 a = 1  ->  a']],
    ['a default of a property', 'const { a = 1, b } = c', ['1 a = 1  ->  a']],
    ['the bound of <', 'x = a < b', ['1 a < b  ->  a <= b']],
    ['the bound of >=', 'x = a >= b', ['1 a >= b  ->  a > b']],
    ['an equality', 'x = a === b', ['1 a === b  ->  a !== b']],
    ['an inequality', 'x = a != b', ['1 a != b  ->  a == b']],
    ['true', 'x = true', ['1 true  ->  false']],
    ['false of an attribute', 'x = <p hidden={false} />', ['1 false  ->  true']],
    ['the arms of a condition', 'x = a ? b : c', ['1 a ? b : c  ->  a ? c : b']],
    ['a guard', 'function f() {\n  if (a) return\n  b = 1\n}', ['2 a  ->  false && (a)']],
    ['a guard of a loop', 'for (;;) {\n  if (a) {\n    b = 1\n    continue\n  }\n}', ['2 a  ->  false && (a)']],
    ['a call', 'f(\n  1,\n)', ['1 f( ...  ->']],
    ['a call that is awaited', 'await f()', ['1 await f()  ->']],
    ['a call that nobody waits for', 'void f()', ['1 void f()  ->']],
  ])('%s', (_, source, want) => expect(changes(source)).toEqual(want))

  it.each([
    ['a type', 'let x: true | Map<false, 1>; type B = A extends 1 ? true : false'],
    ['an import', "import { a } from 'b'"],
    ['a branch with another one', 'if (a) b = 1\nelse c = 1'],
    ['a branch that goes on', 'if (a) b = 1'],
    ['a sum', 'x = a + b'],
    ['a call whose result is read', 'x = f()'],
    ['the call of a super class', 'class A extends B { constructor() { super() } }'],
  ])('%s is not', (_, source) => expect(changes(source)).toEqual([]))
})

const SAMPLE = `
const log = []
const limit = 3 > 2 ? 3 : 2
function all(a, b, c = 2) {
  log.length = 0
  if (a < 0) return 'negative'
  const first = a > 1
  ;(first || b) && log.push('first')
  log.push(c)
  if (b) log.push('b')
  else log.push('no b')
  if (c === limit) {
    log.push('limit')
    return log.join()
  }
  const { d = a ?? b } = c === 2 ? { d: undefined } : {}
  const f = (x) =>
    x
      ? true // as it is
      : x === undefined || a >= b
  return [d, f(a > b && (b || c === 2)), f(), ...log].join()
}
all
`

describe('A file with all of its breaks in it', () => {
  const breaks = breaksIn('a.ts', SAMPLE)
  const run = (source: string, on = 0) => {
    const all = new Function('mutationOn', 'text', 'return eval(text)')((k: number) => k === on, source)
    const given = [-1, 0, 1, 2, undefined]
    return given.flatMap((a) => given.flatMap((b) => [all(a, b), all(a, b, 3)])).join('\n')
  }
  const together = switched(SAMPLE, numbered(breaks))

  it('does what the file does while none is on', () => expect(run(together)).toBe(run(SAMPLE)))

  it('does with one what the file with that break alone does', () => {
    expect(breaks.length).toBeGreaterThan(25)
    let different = 0
    for (const { number, ...one } of numbered(breaks)) {
      const alone = run(broken(SAMPLE, one))
      expect(run(together, number), one.change).toBe(alone)
      if (alone !== run(SAMPLE)) different++
    }
    expect(different).toBeGreaterThan(20)
  })

  it('compiles where expressions begin lines, hold markup or end without semicolons', () => {
    const source = [
      'const View = ({ open = true, rows }: { open?: boolean; rows?: string[] }) => (',
      '  <>',
      '    {open && rows ? <b>{rows ?? []}</b> : <i title="it\'s">a & b</i>}',
      '    {rows?.map((row) => {',
      '      if (row === "") return null // a comment',
      '      log(row)',
      '      return open || <p>{row as string}</p>',
      '    })}',
      '  </>',
      ')',
      'if (a) b()',
      'else c()',
      'const d = e',
      'open && go()',
      'for (const one of d) one || f(one)',
    ].join('\n')
    const { diagnostics } = ts.transpileModule(switched(source, numbered(breaksIn('a.tsx', source))), {
      fileName: 'a.tsx',
      reportDiagnostics: true,
      compilerOptions: { jsx: ts.JsxEmit.ReactJSX, target: ts.ScriptTarget.ES2022 },
    })
    expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([])
  })

  it('knows what is evaluated when a module is loaded', () => {
    const [top, inside] = breaksIn('a.ts', 'const a = b === c\nconst f = () => b === c')
    expect([top?.top, inside?.top]).toEqual([true, false])
  })
})

describe('Breaks of a change', () => {
  it('are of new and altered lines before others, committed or not', () => {
    const dir = mkdtempSync(join(tmpdir(), 'mutation'))
    try {
      const put = (file: string, text: string) => {
        mkdirSync(dirname(join(dir, file)), { recursive: true })
        writeFileSync(join(dir, file), text)
      }
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: dir })
      git('init', '-q')
      put('ui/src/a.ts', 'x = a < b\nx = c < d\ngone()\n')
      git('add', '.')
      git('commit', '-q', '-m', 'before')
      put('ui/src/a.ts', 'x = a < b\nx = c > d\nx = e && f\n')
      git('commit', '-q', '-a', '-m', 'after')
      put('ui/src/new.ts', 'x = true\n')
      put('other/b.ts', 'x = true\n')

      const files = changedSince(dir, undefined, ['ui/src/*.ts'])
      expect(files.map(({ file }) => file)).toEqual(['ui/src/a.ts', 'ui/src/new.ts'])
      const breaksOf = (file: string) => breaksIn(file, readFileSync(join(dir, file), 'utf8'))
      const [a, b] = poolsOfChange(files, breaksOf, 5, 60, 1)
      expect(a?.breaks.map(({ line, touched }) => [line, touched])).toEqual([
        ...[...(a?.breaks ?? [])].slice(0, 3).map(({ line }) => [line, true]),
        [1, false],
      ])
      expect(
        a?.breaks
          .slice(0, 3)
          .map(({ line }) => line)
          .toSorted(),
      ).toEqual([2, 3, 3])
      expect([a?.want, b?.want]).toEqual([4, 1])
      expect(poolsOfChange(files, breaksOf, 5, 3, 1).map(({ want }) => want)).toEqual([2, 1])
      expect(poolsOfChange(files, breaksOf, 5, 1, 1).map(({ want }) => want)).toEqual([1, 1])

      const changed = () => changedSince(dir, undefined, ['ui/src/*.ts']).map(({ file }) => file)
      git('update-ref', 'refs/remotes/origin/main', 'HEAD')
      expect(changed()).toEqual(['ui/src/a.ts', 'ui/src/new.ts']) // the last commit of main
      git('add', 'ui/src/new.ts')
      expect(changed()).toEqual(['ui/src/new.ts']) // work on top of main
    } finally {
      rmSync(dir, { recursive: true })
    }
  })

  it('are replaced when they do not compile', () => {
    const breaks = breaksIn('a.ts', 'x = a && b\nx = c < d')
    const drawn = draw([{ breaks, want: 2 }], (all) => all.map(({ change }) => change !== 'a && b  ->  a'))
    expect(drawn.map(({ change }) => change)).toEqual(['a && b  ->  b', 'c < d  ->  c <= d'])
  })
})

it('asks the tests that import a file, nearest first', () => {
  const texts: Record<string, string> = {
    'ui/src/lib/a.ts': '',
    'ui/src/lib/a.test.ts': "import { a } from './a'",
    'ui/src/lib/z.test.ts': "import { c } from './c'",
    'ui/src/app/a.test.ts': "const { a } = await import('@/lib/a')",
    'ui/src/lib/b.ts': "export * from './a'",
    'ui/src/app/far.test.tsx': "import { b } from '@/lib/b'",
    'ui/src/lib/c.ts': '',
    'ui/src/registry/all.ts': "import.meta.glob<{ a: B }>('../../../plugins/*/widget/*/ui.tsx', { eager: true })",
    'plugins/core/widget/map/ui.tsx': "import { b } from '@sluice/sdk'",
    'ui/src/sdk/index.ts': "export * from '../lib/c'",
    'ui/src/registry/all.test.ts': "import './all'",
  }
  const importers = importersOf(Object.keys(texts), (file) => texts[file] ?? '')
  expect(testsOf(importers, 'ui/src/lib/a.ts')).toEqual([
    'ui/src/lib/a.test.ts',
    'ui/src/app/a.test.ts',
    'ui/src/app/far.test.tsx',
  ])
  expect(testsOf(importers, 'ui/src/lib/c.ts')).toEqual(['ui/src/lib/z.test.ts', 'ui/src/registry/all.test.ts'])
  expect(testsOf(importers, 'plugins/core/widget/map/ui.tsx')).toEqual(['ui/src/registry/all.test.ts'])
})

it('leaves tests, texts and generated files alone', () => {
  const files = [
    'ui/src/lib/a.ts',
    'ui/src/lib/a.test.ts',
    'ui/src/i18n/en/a.ts',
    'ui/src/api/schema.gen.ts',
    'ui/src/testing/setup.ts',
  ]
  expect(files.filter(isBreakable)).toEqual(['ui/src/lib/a.ts'])
})

it('tells of each run what it found, and nothing of the runs before', async () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const file = 'ui/src/lib/ago.ts'
  const tests = ['ui/src/lib/ago.test.ts', 'ui/src/lib/trimmed.test.ts']
  const source = readFileSync(root + file, 'utf8')
  const breaks = numbered(breaksIn(file, source))
  const ran = runner(root, { [file]: switched(source, breaks) })
  try {
    const [first] = (await ran.notes(tests)).ran.keys()
    expect(first).toBeDefined()
    const seen = []
    for (const { number } of breaks) if (await ran.sees(number, tests.slice(0, 1), 1000)) seen.push(number)
    expect(seen).not.toEqual([])
    expect(await ran.sees(seen[0] ?? 0, tests.slice(1), 1000)).toBe(false)
    await ran.notes(tests)
  } finally {
    ran.close()
  }
}, 300_000)

it('lists breaks that exist', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  for (const key of readEquivalent().keys()) {
    const file = key.slice(0, key.indexOf(':'))
    expect(breaksIn(file, readFileSync(root + file, 'utf8')).map(keyOf)).toContain(key)
  }
})
