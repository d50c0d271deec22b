// Prints the seconds of CPU of a fixed computation: the unit that .ci/part counts work in. It is timed in as many processes at once as
// there are cores, as the parts are run, because one that runs alone is faster; the least of five rounds has met the least of other work.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

const ROUNDS = 5

function compute() {
  let text = 'x'
  for (let i = 0; i < 250_000; i++) text = createHash('sha256').update(text).digest('hex')
}

function timed() {
  const start = process.cpuUsage()
  compute()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

if (process.argv.includes('--one')) {
  compute() // compiled by then
  console.log(Math.min(...Array.from({ length: ROUNDS }, timed)))
} else {
  const processes = Array.from({ length: availableParallelism() }, async () => {
    const child = spawn(process.execPath, [import.meta.filename, '--one'], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (more) => {
      text += more
    })
    const [code] = await once(child, 'close')
    if (code !== 0) process.exit(1)
    return Number(text)
  })
  const units = await Promise.all(processes)
  console.log(units.reduce((a, b) => a + b, 0) / units.length)
}
