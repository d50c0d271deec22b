// Runs all journeys, two suites at a time. A suite that fails is run once more by itself: on a machine that is busy with other
// things a page may take longer than anybody waits. What fails twice has failed; what passes then is told.
//   node ui/e2e/run.mjs [word of a file's name ...]
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const words = process.argv.slice(2)
// Long ones early, so that none of them runs alone at the end.
const LONG = ['journeys', 'table', 'bulk', 'files', 'life', 'widgets', 'scripts']
const place = (name) => (LONG.indexOf(name.split('.')[0]) + LONG.length + 1) % (LONG.length + 1)
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs') && (words.length === 0 || words.some((word) => name.includes(word))))
  .sort((a, b) => place(a) - place(b) || a.localeCompare(b))
  .map((name) => join(folder, name))

/** Runs files and names those with a failure. */
function failedOf(paths, concurrency) {
  const failed = new Set()
  const events = run({ files: paths, concurrency })
  events.on('test:fail', ({ file, name }) => failed.add(paths.find((path) => path === file || path === name) ?? file))
  return new Promise((resolve, reject) => {
    events.on('error', reject)
    events.on('end', () => resolve([...failed]))
    events.compose(new spec()).pipe(process.stdout)
  })
}

const first = await failedOf(files, 2)
if (first.length > 0) {
  console.log(`\nOnce more, one by one: ${first.map((path) => path.slice(folder.length)).join(', ')}\n`)
  const again = await failedOf(first, 1)
  const unsteady = first.filter((path) => !again.includes(path)).map((path) => path.slice(folder.length))
  if (unsteady.length > 0) console.log(`\nUNSTEADY, failed first and passed then: ${unsteady.join(', ')}`)
  if (again.length > 0) {
    console.log(`\nFAILED twice: ${again.map((path) => path.slice(folder.length)).join(', ')}`)
    process.exitCode = 1
  }
}
