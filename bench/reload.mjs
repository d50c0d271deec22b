// From a reload to the list on the screen: the example's inspection lots in Chromium with a warm cache, median of seven, beside
// a floor: the same texts in a page of React and the grid alone, reloaded in turn.
//   node bench/reload.mjs        (bin/sluice must be built)
// It prints and asserts nothing. Two more figures tell a slow page from a busy machine: the CPU time of the page's main thread,
// which waiting for a core does not lengthen, and a fixed piece of work by the clock, for comparing runs with each other.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserPath, root, signIn, startServer } from '../ui/e2e/server.mjs'
import { startFloor } from './floor-page.mjs'

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

/** The texts that the list shows, for the floor. */
function shown() {
  const cells = (row) => [...document.querySelectorAll(`.ag-row[row-id="${row}"] .ag-cell`)]
  const ids = [...new Set([...document.querySelectorAll('.ag-row[row-id]')].map((row) => row.getAttribute('row-id')))]
  const rows = ids.map((id) => ({
    id,
    ...Object.fromEntries(cells(CSS.escape(id)).map((cell) => [cell.getAttribute('col-id'), cell.textContent])),
  }))
  return { columns: Object.keys(rows[0]).filter((name) => name !== 'id'), rows }
}

/** One of the two pages, in a tab of its own. */
class Subject {
  figures = { response: [], paint: [], answer: [], drawn: [], thread: [] }

  constructor(page, devtools, call) {
    Object.assign(this, { page, devtools, call })
  }

  static async of(context, url, call) {
    const page = await context.newPage()
    await page.goto(url)
    await page.locator('.ag-row[row-id] .ag-cell').first().waitFor()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    return new Subject(page, devtools, call)
  }

  async threadTime() {
    const { metrics } = await this.devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
  }

  async reload(counts) {
    await this.page.bringToFront()
    await this.page.waitForTimeout(1500) // people reload a page that is at rest, with all that comes after its rows
    await this.page.reload({ waitUntil: 'commit' })
    await this.page.waitForFunction(() => performance.getEntriesByName('list-drawn').length > 0)
    const at = await this.page.evaluate(
      (call) => ({
        response: performance.getEntriesByType('navigation')[0].responseEnd,
        paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
        answer: performance.getEntriesByType('resource').find((r) => r.name.endsWith(call))?.responseEnd ?? 0,
        drawn: performance.getEntriesByName('list-drawn')[0].startTime,
      }),
      this.call,
    )
    at.thread = await this.threadTime() // counted again with each page
    if (counts) for (const [name, value] of Object.entries(at)) this.figures[name].push(value)
  }
}

const profile = mkdtempSync(join(tmpdir(), 'sluice-reload-'))
const server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
// A profile on disk: only there does Chromium keep compiled code between loads, as it does for everybody.
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browserPath(),
  viewport: { width: 1440, height: 900 },
  args: ['--no-sandbox', '--disable-gpu'],
})
let floorServer
try {
  server.addUser('boss', 'administrator', '管理员')
  const first = await context.newPage()
  await context.addInitScript(watch)
  await signIn(first, server.url, 'boss')
  const product = await Subject.of(context, server.url + list, '/query/list')
  await first.close()
  floorServer = await startFloor(await product.page.evaluate(`(${shown})()`))
  const floor = await Subject.of(context, floorServer.url, '/rows.json')
  const work = { clock: [], cpu: [] }
  for (let i = 0; i < warmUps + rounds; i++) {
    for (const one of [product, floor]) await one.reload(i >= warmUps)
    const before = await floor.threadTime()
    work.clock.push(await floor.page.evaluate(`(${busy})()`))
    work.cpu.push((await floor.threadTime()) - before)
  }
  const names = {
    response: 'page answered',
    paint: 'first paint',
    answer: 'rows answered',
    drawn: 'list drawn (target 400)',
    thread: 'CPU of the main thread',
  }
  const told = (values) => `${median(values).toFixed(0).padStart(6)}  ${`(${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`.padEnd(16)}`
  console.log(`load average ${loadavg()[0].toFixed(1)}; ms, median of ${rounds} (lowest to highest); product, floor, ratio`)
  for (const [name, label] of Object.entries(names)) {
    const [a, b] = [product.figures[name], floor.figures[name]]
    console.log(`${label.padEnd(26)}${told(a)}${told(b)}${(median(a) / median(b)).toFixed(2)}`)
  }
  console.log(`${'fixed work, for the machine'.padEnd(26)}${told(work.clock)}`)
  console.log(`${'fixed work, its CPU'.padEnd(26)}${told(work.cpu)}`)
} finally {
  await context.close()
  await floorServer?.stop()
  await server.stop()
  rmSync(profile, { recursive: true, force: true })
}
