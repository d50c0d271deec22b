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

const line = (name, target, ...figures) => console.log(`${name.padEnd(44)}${figures.join('').padEnd(34)}${target}`)
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

  const opened = []
  for (let i = 0; i < 4; i++) {
    await page.goto(server.url + formPath(`&key=${saved.data.id}&edit=1`))
    await page.evaluate(async () => {
      const end = await window.drawnWhen(
        () =>
          document.querySelectorAll('[data-field]').length >= 290 &&
          document.querySelector('[data-field="items"] [role="row"] [role="gridcell"], [data-field="items"] tbody td') &&
          document.querySelectorAll('[data-field] input, [data-field] textarea').length > 250,
      )
      const answer = performance.getEntriesByType('resource').find((entry) => entry.name.includes('/form/load'))
      window.formDrawn = end - answer.responseEnd
    })
    if (i > 0) opened.push(await page.evaluate(() => window.formDrawn))
  }
  line('data arrived to form drawn', '< 1,000 ms', ms(at(opened, 0.5)))

  const typing = async (name, go, keys) => {
    await go()
    await page.waitForTimeout(600)
    await page.evaluate(() => {
      window.paints = []
    })
    for (let i = 0; i < KEYS; i++) {
      await page.keyboard.press(keys[i % keys.length])
      await page.waitForTimeout(25)
    }
    await page.waitForTimeout(400)
    const paints = await page.evaluate(() => window.paints)
    line(name, 'p95 < 50 ms', `p50 ${ms(at(paints, 0.5))}, p95 ${ms(at(paints, 0.95))}, max ${ms(Math.max(...paints))}`)
  }
  const field = (code) => page.locator(`[data-field="${code}"] input`).first()
  await typing('typing in a text field', () => field('f0').click(), ['a', 'b', 'c'])
  await typing('typing in a number that feeds figures', () => field('f1').fill('').then(() => field('f1').click()), ['1', '2', 'Backspace'])

  const grid = page.locator('[data-field="items"] [role="grid"]')
  if ((await grid.count()) > 0) {
    await grid.locator('[data-at="0:0"]').click()
    await page.keyboard.press('Control+Home')
    for (let i = 0; i < 249; i++) await page.keyboard.press('ArrowDown')
    await typing('typing in a text cell of row 250', () => page.keyboard.press('F2'), ['a', 'b', 'c'])
    await page.keyboard.press('Escape')
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
    await typing('typing in a cell that feeds an amount', () => page.keyboard.press('F2'), ['1', '2', 'Backspace'])
    await page.keyboard.press('Escape')
    await typing('arrow keys through the rows', () => page.waitForTimeout(1), ['ArrowDown'])
  } else {
    const cell = page.locator('[data-field="items"] tbody tr').nth(249).locator('input').first()
    await typing('typing in a text cell of row 250', () => cell.click(), ['a', 'b', 'c'])
  }
  await page.locator('[data-field="f0"] input').fill('gespeichert')
  const started = Date.now()
  const answer = page.waitForResponse((one) => one.url().endsWith('/form/save'))
  await page.keyboard.press('Control+s')
  const done = await answer
  const body = await done.json()
  const timing = done.request().timing()
  line('Ctrl+S to answer, 1 field and the rows', '', ms(Date.now() - started), ` (server ${ms(timing.responseStart - timing.requestStart)}, errcode ${body.errcode})`)
} finally {
  await browser.close()
  await server.stop()
  rmSync(dirname(pack), { recursive: true, force: true })
}
