// How quick a large list is in Chromium: 60 columns and 500 rows on a page.
//   make bench BENCH=--list       (or node bench/list.mjs; bin/sluice must be built)
// It prints and asserts nothing. Frames are those that the page got to draw (requestAnimationFrame) while Chromium turned the wheel
// for it. Two more figures tell a slow page from a busy machine: the CPU time of the page's main thread, which waiting for a core
// does not lengthen, and a fixed piece of work in both. PROFILE=folder keeps CPU profiles, which the browser's tools open.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserPath, signIn, startServer } from '../ui/e2e/server.mjs'
import { COLUMNS, listPack, listPath, ROWS } from './list-pack.mjs'

const rounds = 3
const warmUps = 2
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** Notes when the rows that have room on the screen are painted with their values, and the time between frames. */
function watch() {
  const drawn = () => {
    const body = document.querySelector('.ag-body-viewport, .ag-grid-scrolling-cells')
    const rows = document.querySelectorAll('.ag-row[row-id] .ag-cell[col-id="c0"]')
    return body && rows.length >= 10 && [...rows].every((cell) => cell.textContent)
  }
  window.drawn = (ready = drawn) =>
    new Promise((resolve) => {
      const seen = new MutationObserver(look)
      function look() {
        if (!ready()) return
        seen.disconnect()
        requestAnimationFrame(() => {
          const painted = new MessageChannel()
          painted.port1.onmessage = () => resolve(performance.now())
          painted.port2.postMessage(0)
        })
      }
      seen.observe(document, { childList: true, subtree: true, characterData: true })
      look()
    })
  window.listDrawn = window.drawn()
  window.answered = () => performance.getEntriesByType('resource').findLast((r) => r.name.endsWith('/query/list'))?.responseEnd
  window.frames = () => {
    const times = []
    let running = true
    const next = (time) => {
      times.push(time)
      if (running) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    return () => {
      running = false
      return times.slice(1).map((time, i) => time - times[i])
    }
  }
}

function busy() {
  const start = performance.now()
  let x = 1
  for (let i = 0; i < 20_000_000; i++) x = Math.imul(x, 1103515245) + 12345
  return x === 0 ? 0 : performance.now() - start
}

const line = (name, target, figure) => console.log(`${name.padEnd(38)}${figure.padEnd(62)}${target}`)
const ms = (n) => `${n.toFixed(0)} ms`

const folder = mkdtempSync(join(tmpdir(), 'sluice-list-profile-'))
const pack = listPack()
const server = await startServer({ packs: [pack] })
// A profile on disk: only there does Chromium keep compiled code between loads, as it does for everybody.
const context = await chromium.launchPersistentContext(folder, {
  executablePath: browserPath(),
  viewport: { width: 1440, height: 900 },
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  server.addUser('boss', 'administrator', '管理员')
  const page = await context.newPage()
  await page.addInitScript(watch)
  await signIn(page, server.url, 'boss')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const threadTime = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
  }
  /** What the main thread spent on it. */
  const spent = async (work) => {
    const before = await threadTime()
    const result = await work()
    return { result, thread: (await threadTime()) - before }
  }
  const profiled = async (name, work) => {
    if (!process.env.PROFILE) return work()
    await devtools.send('Profiler.enable')
    await devtools.send('Profiler.start')
    const result = await work()
    const { profile } = await devtools.send('Profiler.stop')
    mkdirSync(process.env.PROFILE, { recursive: true })
    writeFileSync(join(process.env.PROFILE, `${name}.cpuprofile`), JSON.stringify(profile))
    return result
  }
  let asked = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname.replace('/api/runtime/', ''))
  })

  await page.goto(server.url + listPath)
  await page.evaluate(() => window.listDrawn)
  const fixed = await spent(() => page.evaluate(`(${busy})()`))
  console.log(
    `load average ${loadavg()[0].toFixed(1)}; ${COLUMNS} columns, ${ROWS} rows; fixed work ${ms(fixed.result)}, ${ms(fixed.thread)} of CPU`,
  )

  const opened = []
  for (let i = 0; i < warmUps + rounds; i++) {
    await page.waitForTimeout(500)
    await page.reload({ waitUntil: 'commit' })
    await page.waitForFunction(() => window.listDrawn)
    const at = await page.evaluate(async () => ({ drawn: await window.listDrawn, answered: window.answered() }))
    const thread = await threadTime() // counted again with each page
    if (i >= warmUps) opened.push({ ...at, thread })
  }
  const waited = opened.map(({ drawn, answered }) => drawn - answered)
  const whole = `reload ${ms(median(opened.map(({ drawn }) => drawn)))}, ${ms(median(opened.map(({ thread }) => thread)))} of CPU`
  line('data arrived to first paint', '< 1,000 ms', `${ms(median(waited))} (${waited.map(ms).join(', ')}; ${whole})`)

  await page.waitForTimeout(1500)
  const bounds = await page.locator('.ag-root-wrapper').boundingBox()
  const scroll = async (name, distance) => {
    await page.waitForTimeout(500)
    await page.evaluate(() => {
      window.stop = window.frames()
    })
    const { thread } = await spent(() =>
      profiled(name, () =>
        devtools.send('Input.synthesizeScrollGesture', {
          x: Math.round(bounds.x + bounds.width / 2),
          y: Math.round(bounds.y + bounds.height / 2),
          gestureSourceType: 'mouse',
          speed: 2400,
          preventFling: true,
          ...distance,
        }),
      ),
    )
    const frames = await page.evaluate(() => window.stop())
    const rate = (1000 * frames.length) / frames.reduce((sum, one) => sum + one, 0)
    const late = frames.filter((one) => one > 25).length
    const figures = `${rate.toFixed(0)} a second, worst ${ms(Math.max(...frames))}, ${late} of ${frames.length} late`
    line(`frames, wheel ${name}`, '60', `${figures}, ${(thread / frames.length).toFixed(1)} ms of CPU each`)
  }
  await scroll('down', { yDistance: -9000 })
  await scroll('up', { yDistance: 9000 })
  await scroll('right', { xDistance: -5400 })
  await scroll('left', { xDistance: 5400 })

  const step = async (name, act) => {
    await page.waitForTimeout(500)
    asked = []
    await page.evaluate(() => {
      const before = document.querySelector('.ag-row[row-index="0"]')?.getAttribute('row-id')
      window.changed = window.drawn(() => {
        const first = document.querySelector('.ag-row[row-index="0"]')
        return first && first.getAttribute('row-id') !== before && first.querySelector('.ag-cell[col-id="c0"]')?.textContent
      })
    })
    const { thread } = await spent(() =>
      profiled(name, async () => {
        await act()
        await page.evaluate(() => window.changed)
      }),
    )
    const took = await page.evaluate(async () => (await window.changed) - window.answered())
    await page.waitForTimeout(800)
    line(`requests of a ${name}`, '1', `${asked.length} (${asked.join(', ')}); ${ms(took)} from data to paint, ${ms(thread)} of CPU`)
  }
  await step('sort', () => page.locator('.ag-header-cell[col-id="c1"] .ag-header-cell-label').click())
  await step('page change', () => page.locator('.ant-pagination-next button').click())
} finally {
  await context.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  rmSync(dirname(pack), { recursive: true, force: true })
}
