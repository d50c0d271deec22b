// From the press of Enter behind the password to the workbench on the screen: the example's first page in Chromium, a browser that has been
// here before (its cache is warm) and one that has not, median of five each.
//   node bench/workbench.mjs        (bin/sluice must be built)
// It prints and asserts nothing. A fixed piece of work by the clock tells a slow page from a busy machine. Target: the first widgets within a second.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserPath, password, root, startServer } from '../ui/e2e/server.mjs'

const rounds = 5
const typing = 1500 // how long people take to type a password, in ms
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** Notes when widgets with a title, and the first chart, were painted, counted from the press of Enter. */
function watch() {
  const marks = { widgets: 'main h2', chart: 'main canvas, main svg[role="img"]' }
  const seen = {}
  window.seen = seen
  let pressed = 0
  const look = () => {
    for (const [name, selector] of Object.entries(marks))
      if (!(name in seen) && document.querySelector(selector)) {
        seen[name] = 0
        requestAnimationFrame(() => {
          const painted = new MessageChannel()
          painted.port1.onmessage = () => {
            seen[name] = performance.now() - pressed
          }
          painted.port2.postMessage(0)
        })
      }
    if (Object.keys(marks).some((name) => !seen[name])) requestAnimationFrame(look)
  }
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key !== 'Enter' || pressed) return
      pressed = performance.now()
      look()
    },
    true,
  )
}

function busy() {
  const start = performance.now()
  let x = 1
  for (let i = 0; i < 20_000_000; i++) x = Math.imul(x, 1103515245) + 12345
  return x === 0 ? 0 : performance.now() - start
}

async function arrive(context, url, work) {
  await context.clearCookies()
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.locator('input[autocomplete="username"]').fill('boss')
  const field = page.locator('input[type="password"]')
  await field.pressSequentially(password, { delay: typing / password.length })
  await page.evaluate(`(${watch})()`)
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => window.seen.widgets && window.seen.chart, undefined, { timeout: 60_000 })
  const seen = await page.evaluate(() => window.seen)
  work.push(await page.evaluate(`(${busy})()`))
  await page.close()
  return seen
}

const server = await startServer({
  packs: [join(root, 'examples/ship-lock'), join(root, 'examples/lock-quality')],
  on: ['quality'],
})
const open = (profile) =>
  chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    args: ['--no-sandbox', '--disable-gpu'],
  })
try {
  server.addUser('boss', 'administrator', '管理员')
  const figures = { first: [], again: [] }
  const work = []
  for (let i = 0; i < rounds; i++) {
    const profile = mkdtempSync(join(tmpdir(), 'sluice-workbench-'))
    const context = await open(profile)
    figures.first.push(await arrive(context, server.url, work))
    figures.again.push(await arrive(context, server.url, work))
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
  const told = (values) =>
    `${median(values).toFixed(0).padStart(6)}  (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`
  console.log(`load average ${loadavg()[0].toFixed(1)}; ms from Enter, median of ${rounds} (lowest to highest)`)
  for (const [name, label] of [
    ['first', 'never here before'],
    ['again', 'warm cache'],
  ]) {
    console.log(`${label.padEnd(20)} first widgets ${told(figures[name].map((one) => one.widgets))}`)
    console.log(`${''.padEnd(20)} first chart   ${told(figures[name].map((one) => one.chart))}`)
  }
  console.log(`${'fixed work'.padEnd(20)}               ${told(work)}`)
} finally {
  await server.stop()
}
