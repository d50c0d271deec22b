#!/usr/bin/env node
// Runs go test, shows what it prints, and says at the end of a red run in few lines what was red: who reads only the end of a log reads that.
//   .ci/red.mjs COMMAND...
// A run that took too long ends with the stacks of every goroutine. They are told by what they wait for in this module, those that are alike together.
import { spawn } from 'node:child_process'

const ours = /^github\.com\/sluice-platform\/sluice\/([^(\s]+(?:\([^)]*\)[^(\s]*)*)\(/
const kept = []
let held = ''

/** Notes what of a line is told at the end. */
function read(line) {
  if (/^(\s*--- FAIL|FAIL\s|panic: |fatal error: |\trunning tests:|\t\t\S+ \([\d.hms]+\)$|WARNING: DATA RACE)/.test(line)) kept.push({ line })
  const begun = /^goroutine \d+ (?:\S+ )?\[([^\]]+)\]:/.exec(line)
  if (begun) kept.push({ state: begun[1].replace(/, \d+ minutes/, ''), frames: [] })
  const frame = ours.exec(line)
  const last = kept.at(-1)
  if (frame && last?.frames && last.frames.length < 5) last.frames.push(frame[1])
}

/** The lines that were kept, and the goroutines below them. */
function summary() {
  const lines = kept.filter((k) => k.line).map((k) => k.line)
  const alike = new Map()
  for (const { state, frames } of kept.filter((k) => k.frames?.length > 0)) {
    const key = `[${state}] ${frames.join(' < ')}`
    alike.set(key, (alike.get(key) ?? 0) + 1)
  }
  const stacks = [...alike].sort((a, b) => b[1] - a[1]).map(([key, n]) => `${n} x ${key}`)
  return [...lines.slice(0, 60), ...stacks.slice(0, 40)]
}

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'inherit'] })
child.stdout.setEncoding('utf8')
child.stdout.on('data', (text) => {
  process.stdout.write(text)
  const lines = (held + text).split('\n')
  held = lines.pop()
  for (const line of lines) read(line)
})
child.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 127
})
child.on('close', (code, signal) => {
  read(held)
  if (code !== 0) console.log(['', 'RED:', ...summary()].join('\n'))
  process.exitCode = code ?? (signal ? 1 : 0)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
