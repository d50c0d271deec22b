// How quick a large form is in Chromium: 300 fields and a sub-table of 500 rows and 20 columns.
//   make bench BENCH=--forms       (or node bench/forms.mjs; bin/sluice must be built)
// It prints and asserts nothing. Keystrokes are events as the keyboard makes them; each is measured from its time stamp to the
// frame that shows it. A fixed piece of work tells a slow page from a busy machine.
import { rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname } from 'node:path'
import { openPage, signIn, startBrowser, startServer } from '../ui/e2e/server.mjs'
import { dataOf, FIELDS, formPack, formPath } from './form-pack.mjs'

const ROWS = Number(process.env.ROWS ?? 500)
const KEYS = Number(process.env.KEYS ?? 60)
const sorted = (values) => [...values].sort((a, b) => a - b)
const at = (values, part) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN

/** Notes the time from each key or input event to the end of the frame after it, and when the form is drawn. */
function watch() {
  window.paints = []
  const painted = (start) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => window.paints.push(performance.now() - start)
      channel.port2.postMessage(0)
    })
  window.addEventListener('keydown', (event) => painted(event.timeStamp), true)
  // A large form draws its controls in sight first: something is in the places of the others until they are drawn.
  const fields = () => document.querySelectorAll('[data-field]').length >= 290
  const inSight = (element) => {
    // What the browser skips is not in sight, and asking where it is would lay it out.
    if (!element.checkVisibility({ contentVisibilityAuto: true })) return false
    const { top, bottom } = element.getBoundingClientRect()
    return bottom > 0 && top < window.innerHeight
  }
  window.sightDrawn = () =>
    fields() &&
    [...document.querySelectorAll('[data-field] input, [data-field] textarea')].some(inSight) &&
    ![...document.querySelectorAll('[data-later]')].some(inSight)
  window.allDrawn = () =>
    fields() && !document.querySelector('[data-later]') && document.querySelector('[data-field="items"] [role="gridcell"]')
  window.drawnWhen = (ready) =>
    new Promise((resolve) => {
      const look = () => {
        if (!ready()) return false
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
        return true
      }
      if (look()) return
      const seen = new MutationObserver(() => look() && seen.disconnect())
      seen.observe(document, { childList: true, subtree: true })
    })
}

function busy() {
  const start = performance.now()
  let x = 1
  for (let i = 0; i < 20_000_000; i++) x = Math.imul(x, 1103515245) + 12345
  return x === 0 ? 0 : performance.now() - start
}

const letters = ['a', 'b', 'Backspace', 'Backspace']
const figures = ['1', '2', 'Backspace', 'Backspace']
const line = (name, target, ...values) => console.log(`${name.padEnd(44)}${values.join('').padEnd(52)}${target}`)
const ms = (n) => `${n.toFixed(0)} ms`

const pack = formPack()
const server = await startServer({ packs: [pack] })
const browser = await startBrowser()
try {
  server.addUser('boss', 'administrator', '管理员')
  const { page } = await openPage(browser, server.url)
  await page.addInitScript(watch)
  await signIn(page, server.url, 'boss')
  const post = (path, body) =>
    page.evaluate(
      async ([to, sent]) => {
        const start = performance.now()
        const answer = await fetch(to, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest', 'Idempotency-Key': `${Math.random()}`.padEnd(24, '0') },
          body: JSON.stringify(sent),
        })
        return { ...(await answer.json()), took: performance.now() - start }
      },
      [path, body],
    )
  const saved = await post('/api/runtime/form/save', { schemaCode: 'sheet', sheetCode: 'sheet', data: dataOf(ROWS) })
  if (saved.errcode !== 0) throw new Error(JSON.stringify(saved).slice(0, 2000))
  console.log(`load average ${loadavg()[0].toFixed(1)}; ${FIELDS} fields, ${ROWS} rows of 20 columns; fixed work ${ms(await page.evaluate(`(${busy})()`))}`)
  line('save of a new record in one transaction', '', ms(saved.took))

  const opened = { sight: [], all: [] }
  for (let i = 0; i < 4; i++) {
    await page.goto(server.url + formPath(`&key=${saved.data.id}&edit=1`))
    const took = await page.evaluate(async () => {
      const [sight, all] = await Promise.all([window.drawnWhen(window.sightDrawn), window.drawnWhen(window.allDrawn)])
      const answer = performance.getEntriesByType('resource').find((entry) => entry.name.includes('/form/load'))
      return { sight: sight - answer.responseEnd, all: all - answer.responseEnd }
    })
    if (i === 0) continue
    opened.sight.push(took.sight)
    opened.all.push(took.all)
  }
  line('data arrived to form drawn in sight', '< 1,000 ms', ms(at(opened.sight, 0.5)))
  line('data arrived to its last control', '', ms(at(opened.all, 0.5)))

  // The time that the main thread of the page works for a key, whatever else the machine does.
  const metrics = await page.context().newCDPSession(page)
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpu = async () => {
    const { metrics: all } = await metrics.send('Performance.getMetrics')
    return (all.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
  /** Keys that leave what they write as long as it was: a value that grows would reach the field's limits. */
  const typing = async (name, go, keys) => {
    await go()
    await page.waitForTimeout(600)
    await page.evaluate(() => {
      window.paints = []
    })
    const before = await cpu()
    for (let i = 0; i < KEYS; i++) {
      await page.keyboard.press(keys[i % keys.length])
      await page.waitForTimeout(25)
    }
    await page.waitForTimeout(400)
    const paints = await page.evaluate(() => window.paints)
    const each = ((await cpu()) - before) / KEYS
    line(
      name,
      'p95 < 50 ms',
      `p50 ${ms(at(paints, 0.5))}, p95 ${ms(at(paints, 0.95))}, max ${ms(Math.max(...paints))}, CPU ${ms(each)}`,
    )
  }
  const field = (code) => page.locator(`[data-field="${code}"] input`).first()
  await typing('typing in a text field', () => field('f0').click(), letters)
  await typing('typing in a number that feeds figures', () => field('f1').click(), figures)

  const grid = page.locator('[data-field="items"] [role="grid"]')
  await grid.locator('[data-at="0:0"]').click()
  await page.keyboard.press('Control+Home')
  for (let i = 0; i < 249; i++) await page.keyboard.press('ArrowDown')
  await typing('typing in a text cell of row 250', () => page.keyboard.press('F2'), letters)
  await page.keyboard.press('Escape')
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  await typing('typing in a cell that feeds an amount', () => page.keyboard.press('F2'), figures)
  await page.keyboard.press('Escape')
  await typing('arrow keys through the rows', () => page.waitForTimeout(1), ['ArrowDown'])
  await page.locator('[data-field="f0"] input').fill('gespeichert')
  const sent = page.waitForResponse((one) => one.url().endsWith('/form/save'))
  const refused = page
    .locator('[data-field] [role="alert"]')
    .first()
    .waitFor()
    .catch(() => null)
  const started = Date.now()
  await page.keyboard.press('Control+s')
  const done = await Promise.race([sent, refused])
  if (!done) throw new Error(`the form refused: ${await page.locator('[data-field] [role="alert"]').allTextContents()}`)
  const took = Date.now() - started
  const body = await done.json()
  const timing = done.request().timing()
  if (body.errcode !== 0) throw new Error(JSON.stringify(body).slice(0, 2000))
  line('Ctrl+S to answer, 1 field and the rows', '', ms(took), ` (server ${ms(timing.responseStart - timing.requestStart)})`)
} finally {
  await browser.close()
  await server.stop()
  rmSync(dirname(pack), { recursive: true, force: true })
}
