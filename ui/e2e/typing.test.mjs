// Dates, times and numbers are typed key by key into the real controls, in a real browser: what is typed stands in its box until the
// box is left, is read once, and what cannot be read stays, is marked and stops the save. No server: the page is ui/testing/typing.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { buildTyping } from '../testing/typing/build.mjs'
import { lines, meaning } from '../testing/typing/meaning.mjs'
import { browserPath, openPage, root, startBrowser } from './server.mjs'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const corpus = JSON.parse(readFileSync(join(root, 'plugins/core/property/date/testdata/texts.json'), 'utf8'))

/** The page's files, on a port of their own. */
function serve(folder) {
  const server = createServer(({ url }, answer) => {
    const { pathname } = new URL(url, 'http://page')
    const file = join(folder, pathname === '/' ? 'index.html' : pathname)
    try {
      const body = readFileSync(file)
      answer.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body)
    } catch {
      answer.writeHead(404).end()
    }
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** What stands in the browser's boxes before each key: the test compares it with what was typed so far. */
function watchKeys() {
  window.seen = []
  document.addEventListener('keydown', ({ target }) => window.seen.push([target.id, target.value ?? null]), true)
}

const BOXES = 75
const TAB = { type: 'keyDown', key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
const character = (key) => ({ type: 'keyDown', key, text: key, unmodifiedText: key })

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: corpus.zone, dateStyle: 'short', timeStyle: 'medium' })

/** A stored moment by the installation's clock, with the fraction of its second where it has one. */
const localTime = (value) => clock.format(new Date(value)) + value.replace(/^.*?(\.\d*?)0*Z$/, '$1').replace(/^\.$/, '')

/** While one looks at a part: ONLY=table node --test ui/e2e/typing.test.mjs */
const only = (part) => (process.env.ONLY && process.env.ONLY !== part ? 'another part is asked for' : false)

describe('typing', { skip: browserPath() ? false : 'no Chromium', timeout: 600_000 }, () => {
  let folder
  let server
  let browser
  let url
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-typing-'))
    await buildTyping(folder)
    server = await serve(folder)
    url = `http://127.0.0.1:${server.address().port}`
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    server?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  async function open(part, run, look = { locale: 'en' }) {
    const { page, context, problems } = await openPage(browser, url, look)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
    page.setDefaultTimeout(20_000)
    await page.addInitScript(watchKeys)
    await page.clock.setFixedTime(new Date(`${corpus.today}T03:00:00Z`))
    await page.goto(`${url}/?part=${part}`)
    await page.waitForFunction(() => window.ready && document.querySelector('input, [role="grid"]'))
    const cdp = await context.newCDPSession(page)
    /** Keys that bear a text, one event each, without waiting for one before the next is sent. */
    const keys = (text) =>
      Promise.all(
        [...text].map((key) =>
          cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key, unmodifiedText: key }),
        ),
      )
    const value = (name) => page.evaluate((of) => window.values[of] ?? null, name)
    const shown = (name) => page.locator(`[id="${name}"]`).inputValue()
    const marked = (name) => page.locator(`[id="${name}"]`).getAttribute('aria-invalid')
    try {
      await run({ page, cdp, keys, value, shown, marked, press: (key) => page.keyboard.press(key) })
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }

  /** Types one text after the other into the boxes of a page, each left with Tab, and tells what became of them. */
  async function typeAll({ page, cdp }, kind, texts) {
    await page.evaluate(
      ([of, count]) => {
        for (let i = 0; i < count; i++) window.set(`${of}-${i}`, null)
        window.seen = []
        window.changes = {}
      },
      [kind, texts.length],
    )
    await page.locator(`#${kind}-0`).focus()
    const sent = texts.flatMap((text) => [...[...text].map(character), TAB])
    await Promise.all(sent.map((key) => cdp.send('Input.dispatchKeyEvent', key)))
    return page.evaluate(
      ([of, count]) =>
        Array.from({ length: count }, (_, i) => {
          const box = document.getElementById(`${of}-${i}`)
          return {
            seen: window.seen.filter(([id]) => id === box.id).map(([, text]) => text),
            changes: window.changes[box.id] ?? 0,
            value: window.values[box.id] ?? null,
            shown: box.value,
            marked: box.getAttribute('aria-invalid') === 'true',
          }
        }),
      [kind, texts.length],
    )
  }

  /** What has to become of a text: it stood as typed before every key, was read once, and means what `want` says. */
  function judge(kind, text, want, { seen, changes, value, shown, marked }) {
    const chars = [...text]
    const faults = []
    if (seen.join('\n') !== [...chars.map((_, i) => chars.slice(0, i).join('')), text].join('\n'))
      faults.push(`stood as ${seen}`)
    if (changes !== (text === '' ? 0 : 1)) faults.push(`was read ${changes} times`)
    const said = kind === 'moment' && typeof value === 'string' ? localTime(value) : value
    if (want === null && text !== '' && (value?.unread !== text || shown !== text || !marked))
      faults.push(`cannot be read, and became ${JSON.stringify(value)}, shown ${shown}, marked ${marked}`)
    if (want !== null && (said !== want || marked)) faults.push(`means ${want}, and became ${JSON.stringify(said)}`)
    return faults.length > 0 ? [`${kind} ${JSON.stringify(text)}: ${faults.join('; ')}`] : []
  }

  const table = (kind, cases) =>
    open(`table&kind=${kind}&count=${BOXES}`, async (own) => {
      const faults = []
      for (let at = 0; at < cases.length; at += BOXES) {
        const some = cases.slice(at, at + BOXES)
        const all = await typeAll(
          own,
          kind,
          some.map(([text]) => text),
        )
        faults.push(...some.flatMap(([text, want], i) => judge(kind, text, want, all[i])))
      }
      assert.equal(faults.length, 0, `${faults.length} of ${cases.length}:\n${faults.slice(0, 20).join('\n')}`)
    })

  test('the cases of the corpus', { skip: only('corpus') }, async () => {
    for (const kind of ['date', 'month', 'year', 'monthDay', 'time']) await table(kind, Object.entries(corpus[kind]))
    await table(
      'moment',
      Object.entries(corpus.moment).map(([text, want]) => [text, want && localTime(want)]),
    )
  })

  test('3,000 texts, as people write them, with slips, and without sense', { skip: only('table') }, async () => {
    const share = { date: 1200, time: 1000, month: 600, moment: 200 }
    let read = 0
    const lot = Object.entries(share).map(([kind, count]) => {
      const cases = lines(kind, count, 2026).map((text) => [text, meaning(text, kind, corpus.today)])
      read += cases.filter(([, want]) => want !== null).length
      return [kind, cases]
    })
    assert.ok(read > 1200 && read < 2000, `${read} of them mean something`)
    // Two pages at a time: the browser waits for the one while the other draws.
    const [date, time, month, moment] = lot.map(
      ([kind, cases]) =>
        () =>
          table(kind, cases),
    )
    await Promise.all([date(), time().then(month).then(moment)])
  })
})
