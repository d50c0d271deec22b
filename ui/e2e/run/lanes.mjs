// Runs files of journeys, each in a process of its own, in lanes.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPORTER = fileURLToPath(new URL('./reporter.mjs', import.meta.url))

/** No file of journeys takes this long, in milliseconds: it hangs. Those that look at every page need four times as long. */
const HANGS = 15 * 60_000 * Number(process.env.SLOW ?? 1) * (process.env.EVERY ? 4 : 1)

/** Processes of files that run: each has a group of its own, with the server and the browser that it started. */
const groups = new Set()

const end = (group) => {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // it has ended meanwhile
  }
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const group of groups) end(group)
    process.exit(1)
  })

/**
 * Runs one file to its end. Tells its report as people read it, its seconds, and its tests by their titles: those that passed, were
 * skipped, and failed. Of those that failed by themselves, why.
 */
export function runFile(file, hangs = HANGS) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lane-'))
  const events = join(folder, 'events')
  const into = (reporter, destination) => ['--test-reporter', reporter, '--test-reporter-destination', destination]
  const reporters = [...into('spec', 'stdout'), ...into(REPORTER, events)]
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // under a test runner a child would report to it
  const begun = Date.now()
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...reporters, file], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    groups.add(child.pid)
    let report = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        report += chunk
      })
    const hung = setTimeout(() => end(child.pid), hangs)
    child.once('close', (code, signal) => {
      clearTimeout(hung)
      groups.delete(child.pid)
      const told = read(events)
      rmSync(folder, { recursive: true, force: true })
      const name = basename(file)
      // A file that ends without a failed test and with an error, or is ended, failed as a whole.
      if (code !== 0 && told.failed.length === 0) told.failed.push(signal ? `ended by ${signal}` : `exit code ${code}`)
      const titled = (titles) => titles.map((title) => `${name} > ${title}`)
      resolve({
        file,
        report,
        seconds: (Date.now() - begun) / 1000,
        passed: titled(told.passed),
        skipped: titled(told.skipped),
        failed: titled(told.failed),
        why: told.why,
      })
    })
  })
}

function read(events) {
  const told = { passed: [], skipped: [], failed: [], why: [] }
  let text = ''
  try {
    text = readFileSync(events, 'utf8')
  } catch {
    return told // the process ended before it had begun
  }
  for (const line of text.split('\n').filter(Boolean)) {
    const { outcome, title, why } = JSON.parse(line)
    told[outcome].push(title)
    if (why) told.why.push(why)
  }
  return told
}

/** Runs files in lanes, each lane the next file as soon as it is free, and tells each as it ends. */
export async function runLanes(files, lanes, tell) {
  const left = [...files]
  const lane = async () => {
    for (let file = left.shift(); file; file = left.shift()) tell(await runFile(file))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
