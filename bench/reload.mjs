// From a reload to the list on the screen: the example's inspection lots in Chromium with a warm cache, median of seven.
//   node bench/reload.mjs        (bin/sluice must be built)
// It prints and asserts nothing. Two more figures tell a slow page from a busy machine: the CPU time of the page's main thread,
// which waiting for a core does not lengthen, and a fixed piece of work by the clock, for comparing runs with each other.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserPath, root, signIn, startServer } from '../ui/e2e/server.mjs'

const rounds = 7
const warmUps = 4
const list = '/application/shiplock/application-list/inspection?code=inspection&queryCode=inspection'
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** Notes when the first row with a cell has been painted, counted from the start of the navigation. */
function watch() {
  const seen = new MutationObserver(() => {
    if (!document.querySelector('.ag-row[row-id] .ag-cell')) return
    seen.disconnect()
    requestAnimationFrame(() => {
      const painted = new MessageChannel()
      painted.port1.onmessage = () => performance.mark('list-drawn')
      painted.port2.postMessage(0)
    })
  })
  seen.observe(document, { childList: true, subtree: true })
}

function busy() {
  const start = performance.now()
  let x = 1
  for (let i = 0; i < 20_000_000; i++) x = Math.imul(x, 1103515245) + 12345
  return x === 0 ? 0 : performance.now() - start
}

const profile = mkdtempSync(join(tmpdir(), 'sluice-reload-'))
const server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
// A profile on disk: only there does Chromium keep compiled code between loads, as it does for everybody.
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browserPath(),
  viewport: { width: 1440, height: 900 },
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  server.addUser('boss', 'administrator', '管理员')
  const page = await context.newPage()
  await page.addInitScript(watch)
  await signIn(page, server.url, 'boss')
  await page.goto(server.url + list)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const threadTime = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
  }
  const figures = { response: [], paint: [], answer: [], drawn: [], thread: [], work: [], share: [] }
  for (let i = 0; i < warmUps + rounds; i++) {
    await page.waitForTimeout(1500) // people reload a page that is at rest, with all that comes after its rows
    await page.reload({ waitUntil: 'commit' })
    await page.waitForFunction(() => performance.getEntriesByName('list-drawn').length > 0)
    const at = await page.evaluate(() => ({
      response: performance.getEntriesByType('navigation')[0].responseEnd,
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      answer: performance.getEntriesByType('resource').find((r) => r.name.endsWith('/query/list'))?.responseEnd ?? 0,
      drawn: performance.getEntriesByName('list-drawn')[0].startTime,
    }))
    const thread = await threadTime() // counted anew with each page
    if (i < warmUps) continue
    figures.thread.push(thread)
    for (const [name, value] of Object.entries(at)) figures[name].push(value)
    const before = await threadTime()
    figures.work.push(await page.evaluate(`(${busy})()`))
    figures.share.push((await threadTime()) - before)
  }
  const names = {
    response: 'page answered',
    paint: 'first paint',
    answer: 'rows answered',
    drawn: 'list drawn (target 400)',
    thread: 'CPU of the main thread',
    work: 'fixed work, for the machine',
    share: 'fixed work, its CPU',
  }
  console.log(`load average ${loadavg()[0].toFixed(1)}; ms, median of ${rounds} (lowest to highest)`)
  for (const [name, values] of Object.entries(figures)) {
    const range = `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`
    console.log(`${names[name].padEnd(30)}${median(values).toFixed(0).padStart(6)}  (${range})`)
  }
} finally {
  await context.close()
  await server.stop()
  rmSync(profile, { recursive: true, force: true })
}
