// Compares what the parts of a run cost with .ci/baseline: whole parts, and each suite of journeys and each package of Go.
//   node .ci/growth.mjs            a table of the parts, and what has grown
//   node .ci/growth.mjs --judge    fails when a suite or a package has grown
//   UPDATE=1 node .ci/growth.mjs   what was measured becomes the new baseline
// Work is CPU time in units of a fixed computation (.ci/part). Packages whose results were cached cost nothing and are not compared.
//
// The unit takes out much of the difference between machines, not all: the same commit has measured a sixth to a half more on one
// machine than on another. The baseline names the machine on which each part was written; what has grown against another one is
// reported and not judged. A suite with more journeys than the baseline knows may cost as much more.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const times = at('.cache/test-times')
const baseline = at('.ci/baseline')

/** A suite has grown if it needs 25 % and 10 units more than the baseline: small suites vary. */
const QUARTER = 1.25
const LITTLE = 10 // units, about four seconds

/** Rows of the baseline that begin so tell the machine on which the rows of a part were written. */
const MACHINE = 'machine/'

const rows = (text) => text.split('\n').flatMap((line) => (line.trim() ? [line.trim().split(/\s+/)] : []))
const read = (name) => (existsSync(name) ? readFileSync(name, 'utf8') : '')
const unit = Number(read(`${times}/.unit`))

const here = `${cpus().length} x ${cpus()[0].model.trim().replace(/\s+/g, ' ')}`
const isMachine = ([name]) => name.startsWith(MACHINE)
const kept = rows(read(baseline))
const machines = new Map(kept.filter(isMachine).map(([name, ...of]) => [name.slice(MACHINE.length), of.join(' ')]))
const partOf = (name) => name.split('/', 1)[0]
const elsewhere = (name) => (machines.get(partOf(name)) ?? here) !== here

/** Work by name; of a suite of journeys also how many passed. */
const before = new Map(
  kept.filter((row) => !isMachine(row)).map(([name, work, journeys = 0]) => [name, { work: Number(work), journeys: Number(journeys) }]),
)
const now = new Map()
const grown = [] // lines to print
let judgedGrown = 0
const unknown = []

const files = readdirSync(times).sort((a, b) => statSync(`${times}/${a}`).mtimeMs - statSync(`${times}/${b}`).mtimeMs)
console.log(`\n${'part'.padEnd(16)}${['seconds', 'CPU', 'work', 'baseline'].map((one) => one.padStart(10)).join('')}`)
for (const name of files.filter((one) => !one.startsWith('.'))) {
  const [[clock, cpu]] = rows(read(`${times}/${name}`))
  const work = note(`parts/${name}`, Number(cpu))
  const was = before.get(`parts/${name}`)?.work ?? '-'
  const figures = [Number(clock).toFixed(0), Number(cpu).toFixed(0), work.toFixed(0), was]
  console.log(`${name.padEnd(16)}${figures.map((one) => String(one).padStart(10)).join('')}`)
}
for (const name of files.filter((one) => one.startsWith('.costs-')))
  for (const [one, seconds, journeys = 0] of rows(read(`${times}/${name}`)))
    judge(`${name.slice('.costs-'.length)}/${one}`, Number(seconds), Number(journeys))
if (unknown.length > 0) console.log(`NEW, without a baseline: ${unknown.join(', ')}`)
for (const line of grown) console.log(line)

if (process.env.UPDATE === '1') update()
else if (process.argv.includes('--judge') && judgedGrown > 0) process.exitCode = 1

/** Notes what was measured, and returns it in units. */
function note(name, seconds, journeys = 0) {
  const work = seconds / unit
  now.set(name, { work, journeys })
  return work
}

function judge(name, seconds, journeys) {
  const work = note(name, seconds, journeys)
  const was = before.get(name)
  if (was === undefined) {
    unknown.push(name)
    return
  }
  const more = was.journeys > 0 && journeys > was.journeys
  const may = more ? (was.work * journeys) / was.journeys : was.work
  if (work <= may * QUARTER || work <= may + LITTLE) return
  const by = `${((work / was.work - 1) * 100).toFixed(0)} %${more ? `, ${journeys} journeys instead of ${was.journeys}` : ''}`
  const foreign = elsewhere(name) ? ` (the baseline is of another machine: ${machines.get(partOf(name))})` : ''
  if (!foreign) judgedGrown++
  grown.push(`GREW: ${name} from ${was.work.toFixed(0)} to ${work.toFixed(0)}, ${by}${foreign}`)
}

/** Writes the baseline. Of a part that was written on another machine nothing stays: figures of two machines are not mixed. */
function update() {
  const parts = new Set([...now.keys()].map(partOf))
  const stays = ([name]) => !(parts.has(partOf(name)) && elsewhere(name))
  const merged = new Map([...[...before].filter(stays), ...now])
  for (const part of parts) machines.set(part, here)
  const lines = [...merged].map(([name, { work, journeys }]) => `${name} ${work.toFixed(0)}${journeys > 0 ? ` ${journeys}` : ''}`)
  for (const [part, machine] of machines) lines.push(`${MACHINE}${part} ${machine}`)
  const byName = (a, b) => (a.split(' ', 1)[0] < b.split(' ', 1)[0] ? -1 : 1)
  writeFileSync(baseline, lines.sort(byName).map((line) => `${line}\n`).join(''))
}
