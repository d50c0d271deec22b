// Runs the journeys that a change asks for, in as many lanes as there are cores.
//   node ui/e2e/run.mjs                those of the change against BASE (ui/e2e/run/areas.mjs)
//   node ui/e2e/run.mjs all            every journey
//   node ui/e2e/run.mjs word ...       those whose file names hold one of the words
// Where at most two files are red, each is run three times more, alone. Three times green lets the run pass if .ci/unsteady
// lists the journey (ui/e2e/run/unsteady.mjs).
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { baseOf, changedSince, choose } from './run/choose.mjs'
import { runFile, runLanes } from './run/lanes.mjs'
import { faultsOf, historyOf, judge } from './run/unsteady.mjs'

const LANES = Number(process.env.LANES ?? availableParallelism())
const RERUN = { files: 2, times: 3 }
const folder = fileURLToPath(new URL('.', import.meta.url))
const baseline = fileURLToPath(new URL('../../.ci/baseline', import.meta.url))

const all = readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs'))
  .map((name) => name.replace('.test.mjs', ''))
const words = process.argv.slice(2)
const base = baseOf()
const history = historyOf(base)

function wanted() {
  if (words.length === 0) return choose(all, base && changedSince(base))
  if (words.join() === 'all') return { chosen: all, left: [], why: 'every journey is asked for' }
  return { chosen: all.filter((name) => words.some((word) => name.includes(word))), left: [], why: words.join(', ') }
}

/** What each suite cost when the baseline was written: the dearest come first, so that none runs alone at the end. */
const costs = new Map(
  (existsSync(baseline) ? readFileSync(baseline, 'utf8') : '')
    .split('\n')
    .map((line) => /^test-e2e\/(\S+) (\S+)/.exec(line))
    .filter(Boolean)
    .map(([, name, work]) => [name, Number(work)]),
)
const cost = (name) => costs.get(name) ?? Number.POSITIVE_INFINITY

const { chosen, left, why } = wanted()
if (chosen.length === 0) throw new Error(`no journey: ${why}`)
for (const entry of history.listed) console.log(`UNSTEADY: ${entry}`)
console.log(`journeys: ${chosen.length} of ${all.length} files (${why}), ${LANES} lanes`)
if (left.length > 0) console.log(`left out: ${left.join(', ')} (npm run e2e all)`)

// Whatever the suites write, and what they share (dataFolder in server.mjs), goes with the run.
const temporary = mkdtempSync(join(tmpdir(), 'sluice-e2e-'))
chmodSync(temporary, 0o711) // a PostgreSQL server among them runs as somebody else
process.env.TMPDIR = temporary
process.env.SLUICE_E2E_KEPT = temporary
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }))

const results = []
const files = chosen
  .sort((a, b) => cost(b) - cost(a) || a.localeCompare(b))
  .map((name) => join(folder, `${name}.test.mjs`))
await runLanes(files, LANES, (result) => {
  results.push(result)
  const { passed, failed, report, seconds } = result
  const name = basename(result.file)
  console.log(
    failed.length > 0 ? `\nRED ${name}\n${report}` : `${name}: ${passed.length} passed, ${seconds.toFixed(0)} s`,
  )
})
tellCosts()

const faults = faultsOf(history)
const red = results.filter(({ failed }) => failed.length > 0)
if (red.length > RERUN.files) faults.push(`${red.length} files are red`)
else await runAgain()

/** Runs red files again, alone, and judges what turned green. */
async function runAgain() {
  const turned = []
  for (const { file, failed } of red) {
    const again = []
    for (let time = 0; time < RERUN.times; time++) again.push(await runFile(file))
    const stays = again.filter((one) => one.failed.length > 0)
    console.log(`${basename(file)} again: ${RERUN.times - stays.length} of ${RERUN.times} green`)
    if (stays.length > 0) {
      console.log(stays[0].report)
      faults.push(`${basename(file)} is red again`)
    } else turned.push(...failed)
  }
  const judged = judge(turned, history)
  faults.push(...judged.faults)
  if (judged.paste.length === 0) return
  console.log(`\nFind the cause. To land before it is found, .ci/unsteady needs:\n${judged.paste.join('\n')}\n`)
  faults.push(`${judged.paste.length} journeys turned green and are not listed in .ci/unsteady`)
}

// Once more at the end, where it is found without reading a thousand lines.
for (const { failed, why } of red) console.log(`RED ${[failed.join(', '), ...why].join('\n')}`)
for (const fault of faults) console.log(`FAULT: ${fault}`)
const sum = (of) => results.reduce((total, one) => total + one[of].length, 0)
console.log(`journeys: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
process.exitCode = faults.length > 0 ? 1 : 0

/** A table of what the suites cost, for people and for .ci/part. A load of a page is the dearest thing that a journey does. */
function tellCosts() {
  const none = { all: 0, browser: 0, server: 0, own: 0, uncounted: 0, loads: 0 }
  const costs = results.map(({ file, seconds, passed }) => {
    const told = join(temporary, `${basename(file)}.cost`)
    const cost = existsSync(told) ? JSON.parse(readFileSync(told, 'utf8')) : none
    return { name: basename(file).split('.')[0], clock: seconds, journeys: passed.length, ...cost }
  })
  const sum = (of) => costs.reduce((total, cost) => total + cost[of], 0)
  const line = (name, figures) => `  ${name.padEnd(20)}${figures.map((one) => String(one).padStart(8)).join('')}`
  const figures = (of) => ['all', 'browser', 'server', 'own'].map((one) => of(one).toFixed(0))
  console.log(`\n${line('seconds of CPU', ['all', 'browser', 'server', 'test', 'loads', 'clock'])}`)
  for (const cost of costs.sort((a, b) => b.all - a.all).slice(0, Number(process.env.DEAREST ?? 12)))
    console.log(line(cost.name, [...figures((of) => cost[of]), cost.loads, cost.clock.toFixed(0)]))
  console.log(line('all suites', [...figures(sum), sum('loads')]))
  const more = process.env.SLUICE_UNCOUNTED // .ci/part adds it to what it has measured
  if (more) writeFileSync(more, sum('uncounted').toFixed(2))
  const each = process.env.SLUICE_COSTS // and .ci/growth compares each suite with the baseline
  if (each)
    writeFileSync(each, costs.map(({ name, all, journeys }) => `${name} ${all.toFixed(2)} ${journeys}\n`).join(''))
}
