// Breaks lines of the interface at random and tells which of them no component test sees (docs/adr/0032,
// docs/bite.md). Source files stay as they are: Vite gives the tests the broken ones, with all breaks in them, one
// of which is on at a time.
//
//   node ui/testing/mutation/mutate.mjs -n 20 -seed 1 [PATH...]
//   node ui/testing/mutation/mutate.mjs -changed [BASE]
//
// The first form breaks lines of the files below the paths, by default of ui/src and plugins. The second breaks lines
// of each file that differs from BASE (by default the merge base with origin/main, or the commit before, as on main
// itself): -n of each, 5 by default, those that the change touched before others, -most in all and one of each file at
// least; it exits with 1 when a line is unseen. `make bite` runs it. -record writes the score of a path into
// docs/bite.md, and -fall REASON lets it fall.
//
// A break that does not compile is not counted. Each is tried with the tests that run its line, as long as none sees
// it: those among the nearest files that import it (-near, 3), among five times as many, among all. Breaks that change
// no answer are listed in equivalent.txt beside this file.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { breaksIn, switched } from './breaks.mjs'
import { changedSince } from './changed.mjs'
import { draw, poolsOfChange, shuffled } from './draw.mjs'
import { keyOf, readEquivalent } from './equivalent.mjs'
import { runner } from './run.mjs'
import { importersOf, isBreakable, testsOf } from './tests.mjs'
import { compiler } from './types.mjs'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PATTERNS = ['ui/src/*.ts', 'ui/src/*.tsx', 'plugins/*.ts', 'plugins/*.tsx'] // of git: a star is any path

const read = (file) => readFileSync(ROOT + file, 'utf8')
const breaksOf = (file) => breaksIn(file, read(file))

const OPTIONS = {
  args: process.argv.slice(2).map((word) => word.replace(/^-(?=[a-z]{2})/, '--')),
  allowPositionals: true,
  options: {
    n: { type: 'string', short: 'n' },
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '60' },
    near: { type: 'string', default: '3' },
    changed: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    fall: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
}

let values
let positionals
let seed

try {
  ;({ values, positionals } = parseArgs(OPTIONS))
  seed = number(values.seed)
  process.exitCode = values.help ? help() : await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

/** What this file begins with. */
function help() {
  const [head] = read('ui/testing/mutation/mutate.mjs').split('\nimport')
  console.log(head.replaceAll(/^\/\/ ?/gm, ''))
  return 0
}

function number(text) {
  if (!/^\d+$/.test(text)) throw new Error(`not a number: ${text}`)
  return Number(text)
}

async function main() {
  if (values.record && (values.changed || positionals.length !== 1)) throw new Error('-record is of one path')
  if (values.changed && positionals.length > 1) throw new Error('-changed is since one commit')
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...PATTERNS], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean)
  const pools = values.changed ? changedPools() : pathPools(files)
  if (pools.every(({ want }) => want === 0)) {
    console.log('no line of the interface to break')
    return 0
  }
  const listed = readEquivalent()
  const drawn = draw(pools, compiler(ROOT))
  const sums = new Map()
  for await (const [one, outcome] of tried(drawn, listed, importersOf(files, read))) {
    const folder = values.changed ? one.file.slice(0, one.file.lastIndexOf('/')) : 'sum'
    const sum = sums.get(folder) ?? { broken: 0, equivalent: 0, seen: 0 }
    sums.set(folder, sum)
    sum.broken++
    if (outcome === 'seen') sum.seen++
    if (outcome === 'equal') sum.equivalent++
    console.log(`${outcome.padEnd(6)} ${one.touched ? '+ ' : ''}${one.file}:${one.line}  ${one.change}`)
    if (outcome === 'UNSEEN' || outcome === 'NEVER') console.log(`       ${keyOf(one).replaceAll('\n', '\n       ')}`)
  }
  let missed = false
  for (const [folder, { broken, equivalent, seen }] of [...sums].toSorted()) {
    const sum = `seen ${seen} of ${broken - equivalent}, ${equivalent} equivalent`
    console.log(values.changed ? `${folder}: ${sum}` : sum)
    missed ||= seen < broken - equivalent
  }
  if (values.record) record(sums.get('sum'))
  return values.changed && missed ? 1 : 0
}

function changedPools() {
  const files = changedSince(ROOT, positionals[0], PATTERNS).filter(({ file }) => isBreakable(file))
  const pools = poolsOfChange(files, breaksOf, number(values.n ?? '5'), number(values.most), seed)
  const without = pools.filter(({ breaks }) => breaks.length === 0).map(({ file }) => file)
  if (without.length > 0) console.log(`# no line to break: ${without.join(', ')}`)
  return pools
}

function pathPools(files) {
  const paths = (positionals.length > 0 ? positionals : ['ui/src', 'plugins']).map((path) =>
    path.replace(/^\.\/|\/$/g, ''),
  )
  const below = files.filter(
    (file) => isBreakable(file) && paths.some((path) => file === path || file.startsWith(`${path}/`)),
  )
  return [{ breaks: shuffled(below.flatMap(breaksOf), seed), want: number(values.n ?? '20') }]
}

/** Tries breaks, and yields each with what became of it. */
async function* tried(drawn, listed, importers) {
  for (const one of drawn) if (listed.has(keyOf(one))) yield [one, 'equal']
  const breaks = drawn.filter((one) => !listed.has(keyOf(one))).map((one, i) => ({ ...one, number: i + 1 }))
  const byFile = grouped(breaks)
  const tests = runner(ROOT, Object.fromEntries([...byFile].map(([file, own]) => [file, switched(read(file), own)])))
  const importing = new Map([...byFile.keys()].map((file) => [file, testsOf(importers, file)]))
  const near = number(values.near)
  try {
    let left = breaks
    for (const [from, to] of [
      [0, near],
      [near, 5 * near],
      [5 * near, Number.POSITIVE_INFINITY],
    ]) {
      const asked = (one) => importing.get(one.file).slice(from, to)
      const all = [...new Set(left.flatMap(asked))]
      if (all.length > 0) console.error(`# ${all.length} test files for ${left.length} lines`)
      const { ran, took } = all.length > 0 ? await tests.notes(all) : { ran: new Map(), took: 0 }
      const unseen = []
      for (const one of left) {
        // What is evaluated when a module is loaded is run by the first of the tests that share it; all of them
        // look at it.
        const running = ran.has(one.number)
          ? one.top
            ? asked(one)
            : ran.get(one.number).filter((test) => asked(one).includes(test))
          : []
        if (running.length > 0 && (await tests.sees(one.number, running, took))) yield [one, 'seen']
        else unseen.push({ ...one, run: one.run || running.length > 0 })
      }
      left = unseen
    }
    for (const one of left) yield [one, one.run ? 'UNSEEN' : 'NEVER']
  } finally {
    tests.close()
  }
}

function grouped(breaks) {
  const out = new Map()
  for (const one of breaks) out.set(one.file, [...(out.get(one.file) ?? []), one])
  return out
}

function record(sum) {
  const path = positionals[0].replace(/^\.\/|\/$/g, '')
  const name = path.startsWith('plugins') ? `${path}: interface` : path
  const input = JSON.stringify({ name, seed, n: number(values.n ?? '20'), ...sum })
  const fall = values.fall ? ['-fall', values.fall] : []
  execFileSync('go', ['run', './internal/mutation', '-enter', ...fall], {
    cwd: ROOT,
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
}
