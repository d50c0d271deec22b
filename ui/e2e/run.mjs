// Runs all journeys, four suites at a time: a browser that waits for its server leaves a core to the others.
//   node ui/e2e/run.mjs [word of a file's name ...]
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

const LANES = process.env.SLOW ? 2 : 4 // slowed pages (server.mjs) are busy all the time
const folder = fileURLToPath(new URL('.', import.meta.url))
const words = process.argv.slice(2)
// The longest first, so that none of them runs alone at the end.
const LONGEST = [
  'pictures',
  'bulk',
  'journeys',
  'typing',
  'print',
  'workflow-tasks',
  'scripts',
  'identity',
  'quality',
  'filters',
  'account',
  'workflow-admin',
  'gantt',
  'table',
  'form-kinds',
  'hands',
  'delete',
]
const rank = (name) => (LONGEST.indexOf(name.split('.')[0]) + LONGEST.length + 1) % (LONGEST.length + 1)
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs') && (words.length === 0 || words.some((word) => name.includes(word))))
  .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  .map((name) => join(folder, name))

// Whatever the suites write, and what they share (dataFolder in server.mjs), goes with the run.
const temporary = mkdtempSync(join(tmpdir(), 'sluice-e2e-'))
chmodSync(temporary, 0o711) // a PostgreSQL server among them runs as somebody else
process.env.TMPDIR = temporary
process.env.SLUICE_E2E_KEPT = temporary
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }))

const seconds = new Map()
const events = run({ files, concurrency: LANES })
events.on('test:fail', () => {
  process.exitCode = 1
})
for (const end of ['test:pass', 'test:fail'])
  events.on(end, ({ file, nesting, details }) => {
    if (nesting === 0 && file) seconds.set(file, (seconds.get(file) ?? 0) + details.duration_ms / 1000)
  })
events.on('end', () => {
  // A load is the dearest thing that a journey does: `visit` goes to a page without one.
  const none = { all: 0, browser: 0, server: 0, own: 0, uncounted: 0, loads: 0 }
  const costs = [...seconds].map(([file, clock]) => {
    const told = join(temporary, `${basename(file)}.cost`)
    const cost = existsSync(told) ? JSON.parse(readFileSync(told, 'utf8')) : none
    return { name: basename(file).split('.')[0], clock, ...cost }
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
})
events.compose(new spec()).pipe(process.stdout)
