// The page of real controls (ui/testing/typing) for typing.test.mjs: built, served without a server of ours, and opened.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before } from 'node:test'
import { buildTyping } from '../testing/typing/build.mjs'
import { openPage, startBrowser } from './server.mjs'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const TODAY = '2026-11-22'

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

/** Within describe(): builds and serves the page. What it returns opens a part of it. */
export function controls() {
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
  return async (part, run) => {
    const { page, context, problems } = await openPage(browser, url, { locale: 'en', fresh: true })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
    await page.clock.setFixedTime(new Date(`${TODAY}T03:00:00Z`))
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
}

/** Names in place of what is chosen. */
export const names = (value) => {
  if (Array.isArray(value)) return value.map(names)
  if (value?.kept) return { unread: value.unread, kept: names(value.kept) }
  return value?.name ?? value
}

/** Answers uploads, so late that people have gone on. */
export const takeFiles = (page) =>
  page.route('**/api/aliyun/upload**', async (route) => {
    await page.waitForTimeout(100)
    const data = { refId: `f${Math.random()}`, name: 'p.png', mimeType: 'image/png', size: 3, isImage: true }
    await route.fulfill({ json: { errcode: 0, errmsg: '', data } })
  })

/** Puts a picture on the clipboard. */
export const copyPicture = (page) =>
  page.evaluate(async () => {
    const picture = await new Promise((done) => document.createElement('canvas').toBlob(done))
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
  })
