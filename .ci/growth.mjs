// Compares what the parts of a run cost with .ci/baseline: whole parts, and each suite of journeys and each package of Go.
//   node .ci/growth.mjs            a table of the parts, and what has grown
//   node .ci/growth.mjs --judge    fails when a suite or a package has grown
//   UPDATE=1 node .ci/growth.mjs   what was measured becomes the new baseline
// Work is CPU time in units of a fixed computation (.ci/part). Packages whose results were cached cost nothing and are not compared.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const times = at('.cache/test-times')
const baseline = at('.ci/baseline')

/** A suite has grown if it needs 25 % and 10 units more than the baseline: small suites vary. */
const QUARTER = 1.25
const LITTLE = 10 // units, about four seconds

const rows = (text) => text.split('\n').flatMap((line) => (line.trim() ? [line.trim().split(/\s+/)] : []))
const read = (name) => (existsSync(name) ? readFileSync(name, 'utf8') : '')
const unit = Number(read(`${times}/.unit`))
const before = new Map(rows(read(baseline)).map(([name, work]) => [name, Number(work)]))
const now = new Map()
const grown = []
const unknown = []

const files = readdirSync(times).sort((a, b) => statSync(`${times}/${a}`).mtimeMs - statSync(`${times}/${b}`).mtimeMs)
console.log(`\n${'part'.padEnd(16)}${['seconds', 'CPU', 'work', 'baseline'].map((one) => one.padStart(10)).join('')}`)
for (const name of files.filter((one) => !one.startsWith('.'))) {
  const [[clock, cpu]] = rows(read(`${times}/${name}`))
  const work = compare(`parts/${name}`, Number(cpu), false)
  const figures = [Number(clock).toFixed(0), Number(cpu).toFixed(0), work.toFixed(0), before.get(`parts/${name}`) ?? '-']
  console.log(`${name.padEnd(16)}${figures.map((one) => String(one).padStart(10)).join('')}`)
}
for (const name of files.filter((one) => one.startsWith('.costs-')))
  for (const [one, seconds] of rows(read(`${times}/${name}`)))
    compare(`${name.slice('.costs-'.length)}/${one}`, Number(seconds), true)
if (unknown.length > 0) console.log(`NEW, without a baseline: ${unknown.join(', ')}`)
for (const line of grown) console.log(line)

if (process.env.UPDATE === '1') {
  const merged = new Map([...before, ...now])
  const lines = [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, work]) => `${name} ${work.toFixed(0)}\n`)
  writeFileSync(baseline, lines.join(''))
} else if (process.argv.includes('--judge') && grown.length > 0) process.exitCode = 1

function compare(name, seconds, judged) {
  const work = seconds / unit
  now.set(name, work)
  const was = before.get(name)
  if (judged && was === undefined) unknown.push(name)
  if (judged && was !== undefined && work > was * QUARTER && work > was + LITTLE)
    grown.push(`GREW: ${name} from ${was.toFixed(0)} to ${work.toFixed(0)}, ${((work / was - 1) * 100).toFixed(0)} %`)
  return work
}
