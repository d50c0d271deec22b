// The work of the processes that a journey starts. A browser's renderers are ended rather than waited for, so the time that
// a shell measures knows nothing of the most of it: it is read here before they are gone.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const TICKS = 100 // a second, on every Linux that runs these tests

/** A process's parent, its own ticks, and those of the ended ones that it waited for. */
function statOf(pid) {
  try {
    // The name, in brackets, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    return { parent: fields[1], own: fields[11] + fields[12], waited: fields[13] + fields[14] }
  } catch {
    return null // it has ended meanwhile, or there is no /proc
  }
}

/** Seconds of the ended processes that this one waited for. */
export const waitedFor = () => (statOf(process.pid)?.waited ?? 0) / TICKS

/** Seconds of all that these processes, and whatever they started, have done so far. */
export function secondsOf(roots) {
  const stats = new Map()
  for (const pid of existsSync('/proc') ? readdirSync('/proc') : []) {
    const stat = /^\d+$/.test(pid) && statOf(pid)
    if (stat) stats.set(Number(pid), stat)
  }
  const within = (pid) => pid > 1 && (roots.includes(pid) || within(stats.get(pid)?.parent ?? 0))
  let ticks = 0
  for (const [pid, { own, waited }] of stats) if (within(pid)) ticks += own + waited
  return ticks / TICKS
}

/** The browsers that this process has started and that still run. */
export const browsers = () =>
  (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((pid) => /^\d+$/.test(pid) && statOf(pid)?.parent === process.pid)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging'))
    .map(Number)
