// Runs component tests with breaks, through a process that keeps them ready (host.mjs) and is ended when it hangs.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HOST = fileURLToPath(new URL('./host.mjs', import.meta.url))
const FIRST = 30 * 60_000 // for a first run of many tests on a machine that has other things to do

/** Starts the tests with these broken files. */
export function runner(root, texts) {
  const dir = mkdtempSync(join(tmpdir(), 'mutation'))
  const list = join(dir, 'texts.json')
  const said = join(dir, 'said') // what jsdom and the tests complain about
  const log = openSync(said, 'w')
  writeFileSync(list, JSON.stringify(texts))
  let host

  const start = async () => {
    host = fork(HOST, [list], { cwd: root, detached: true, stdio: ['ignore', log, log, 'ipc'] })
    await Promise.race([
      once(host, 'message'),
      once(host, 'exit').then(() =>
        Promise.reject(new Error(`the tests do not start:\n${readFileSync(said, 'utf8')}`)),
      ),
    ])
  }
  const stop = () => {
    try {
      if (host) process.kill(-host.pid, 'SIGKILL')
    } catch {} // it has ended
    host = undefined
  }
  const ask = async (question, limit) => {
    if (!host) await start()
    const running = host
    let end
    const answer = new Promise((resolve) => {
      end = resolve
    })
    const timer = setTimeout(end, limit)
    const ended = () => end()
    running.once('message', end)
    running.once('exit', ended)
    running.send(question)
    const got = await answer
    clearTimeout(timer)
    running.off('message', end)
    running.off('exit', ended)
    if (!got) stop()
    return got
  }

  const close = () => {
    stop()
    rmSync(dir, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      close()
      process.exit(130)
    })
  }

  return {
    /** Runs tests without a break. Returns the tests that run each number, and the time of the run. */
    async notes(tests) {
      const notes = join(dir, 'ran')
      writeFileSync(notes, '')
      const begun = Date.now()
      const got = await ask({ number: 0, tests, notes }, FIRST)
      const faults = [...(got?.failed ?? ['no answer']), ...(got?.errors ?? [])]
      if (faults.length > 0) throw new Error(`the tests fail without a break:\n${faults.join('\n')}`)
      const ran = new Map()
      for (const line of readFileSync(notes, 'utf8').split('\n').filter(Boolean)) {
        const one = JSON.parse(line)
        for (const number of one.ran) ran.set(number, [...(ran.get(number) ?? []), one.test.slice(root.length)])
      }
      return { ran, took: Date.now() - begun }
    },
    /** Reports whether tests fail with a break. What hangs is seen. */
    async sees(number, tests, took) {
      const got = await ask({ number, tests }, 5 * took + 180_000)
      return !got || got.failed.length > 0 || got.errors.length > 0
    },
    close,
  }
}
