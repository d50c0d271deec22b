// Starts the real program on a fresh folder and a browser beside it, for the journeys.
import { execFileSync, spawn } from 'node:child_process'
import { constants, publicEncrypt } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

export const root = fileURLToPath(new URL('../../', import.meta.url))
const binary = process.env.SLUICE_BIN ?? join(root, 'bin/sluice')
export const password = 'Journey-Pass-2026'

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser's path, or null where there is none. */
export const browserPath = () => candidates.find((path) => path && existsSync(path)) ?? null

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** Runs a subcommand to its end and returns what it printed. People keep the password that they are given here. */
export const sluice = (...args) =>
  execFileSync(binary, args, {
    encoding: 'utf8',
    env: { SLUICE_PASSWORD: password, SLUICE_MUST_CHANGE: 'false', ...process.env },
  })

/**
 * A fresh data folder. What the first start on the same packs writes is most of the work of a start: in a run of many suites, for
 * which run.mjs names a folder, the first of those that give their packs the same name keeps it, and the others begin with a copy.
 */
async function dataFolder(packs, name) {
  const data = mkdtempSync(join(tmpdir(), 'sluice-e2e-'))
  if (!process.env.SLUICE_E2E_KEPT || !name) return data
  const kept = join(process.env.SLUICE_E2E_KEPT, name)
  try {
    mkdirSync(`${kept}.begun`)
  } catch {
    for (let i = 0; i < 3000 && !existsSync(kept); i++) await new Promise((resolve) => setTimeout(resolve, 20))
    if (existsSync(kept)) cpSync(kept, data, { recursive: true })
    return data
  }
  const first = await serve(['serve', '--data', data, '--packs', packs.join()])
  await first.stop()
  cpSync(data, `${kept}.new`, { recursive: true })
  renameSync(`${kept}.new`, kept)
  return data
}

const example = join(root, 'examples/ship-lock')

/**
 * Serves packs from a fresh folder; `command` is serve or dev, `db` the address of a PostgreSQL database. Suites that serve the
 * same packs give them the same name in `kept`.
 */
export async function startServer({ packs, command = 'serve', db = null, kept = '' }) {
  const name = packs.join() === example ? 'ship-lock' : kept
  const data = await dataFolder(packs, command === 'serve' && !db && name)
  const store = ['--data', data, ...(db ? ['--db', db] : [])]
  const { url, said, stop } = await serve([command, ...store, '--packs', packs.join()])
  return {
    url,
    said,
    data,
    addUser: (username, role, fullName) =>
      sluice('user', 'add', ...store, '--role', role, '--full-name', fullName, username),
    stop: async () => {
      await stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function serve(args) {
  const port = await freePort()
  const child = spawn(binary, [...args, '--addr', `127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const url = `http://127.0.0.1:${port}`
  const start = Date.now()
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said}`)
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) break
    if (Date.now() - start > 60_000) throw new Error(`the server is not ready: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  return { url, said: () => said, stop }
}

/**
 * What no journey needs and each page would pay for: a second of work for the lists that drop from an address bar, and a process
 * in reserve. The last list counts, so it begins with those that Playwright turns off (its chromiumSwitches.ts).
 */
const FEATURES = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  ...['PreconnectToSearch', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
]

export async function startBrowser() {
  return chromium.launch({
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${FEATURES.join()}`,
    ],
  })
}

/** Runs in the page: notices stay for a few seconds, which a busy machine may miss, so their words are kept. */
function keepNotices() {
  window.notices = []
  const seen = new WeakMap()
  const look = () => {
    for (const notice of document.querySelectorAll('.ant-message-notice, .ant-notification-notice')) {
      const text = notice.textContent
      if (text && seen.get(notice) !== text) window.notices.push(text)
      seen.set(notice, text)
    }
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
}

/** Waits for a notice with these words, gone already or not; each is taken once. */
export const said = (page, words) =>
  page.waitForFunction((wanted) => {
    const at = window.notices.findIndex((text) => text.includes(wanted))
    return at >= 0 && window.notices.splice(0, at + 1)
  }, words)

/** Browser contexts that were left, by browser and look: the next page of the same look finds the application's files in the cache. */
const left = new WeakMap()

/** A context of a look without cookies, storage, rights and pages. */
async function contextOf(browser, url, { width, height, locale, dark, motion }) {
  const look = JSON.stringify([url, width, height, locale, dark, motion])
  if (!left.has(browser)) left.set(browser, new Map())
  const free = left.get(browser)
  const known = free.get(look)?.pop()
  if (known) {
    await Promise.all([known.clearCookies(), known.clearPermissions()])
    const page = await known.newPage()
    const cdp = await known.newCDPSession(page)
    await cdp.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'local_storage,indexeddb,cache_storage' })
    await cdp.detach()
    return { context: known, page }
  }
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale: locale === 'zh' ? 'zh-CN' : 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: motion ? 'no-preference' : 'reduce',
  })
  await context.addInitScript((wanted) => localStorage.setItem('locale', wanted), locale)
  await context.addInitScript(keepNotices)
  context.close = async () => {
    for (const page of context.pages()) await page.close()
    free.set(look, [...(free.get(look) ?? []), context])
  }
  return { context, page: await context.newPage() }
}

/**
 * A page that fails the test on requests to foreign origins and on errors of the page. Most journeys belong to a person who
 * wants no motion: what they press neither comes nor goes by and by.
 */
export async function openPage(browser, url, look = {}) {
  const all = { width: 1440, height: 900, locale: 'zh', dark: false, motion: false, ...look }
  const { context, page } = await contextOf(browser, url, all)
  page.setDefaultTimeout(120_000) // of a machine that has other things to do
  const problems = []
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(url) && !to.startsWith('data:') && !to.startsWith('blob:'))
      problems.push(`foreign request: ${to}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (401|403|404|409|422|429)/.test(message.text()))
      problems.push(`console: ${message.text()}`)
  })
  return { page, context, problems }
}

/** Signs in as a person does, on the page. */
export async function signInByForm(page, url, username, secret = password) {
  await page.goto(`${url}/login`)
  await page.locator('input[autocomplete="username"], input[name="username"], #username').first().fill(username)
  await page.locator('input[type="password"]').first().fill(secret)
  await page.keyboard.press('Enter')
  await page.waitForURL((at) => !at.pathname.startsWith('/login'))
}

/** The cookies of those who signed in, by server, person and password. */
const sessions = new Map()

/**
 * Signs in by the calls of the page, which saves drawing it, or with the cookies of an earlier time, and leaves the page on an
 * empty address of the server.
 */
export async function signIn(page, url, username, secret = password) {
  const context = page.context()
  const { request } = context
  const answered = async (answer) => {
    const { errcode, errmsg, data } = await (await answer).json()
    if (errcode !== 0) throw new Error(`sign in as ${username}: ${errmsg}`)
    return data
  }
  const who = `${url} ${username} ${secret}`
  const known = sessions.get(who)
  if (known) await context.addCookies(known)
  if (!known || !(await request.get(`${url}/api/organization/user/info`)).ok()) {
    await context.clearCookies()
    const { index, key } = await answered(request.get(`${url}/api/login/rsa_key`))
    const padding = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
    const sent = { username, password: publicEncrypt(padding, Buffer.from(secret)).toString('base64'), index }
    await answered(request.post(`${url}/api/login/Authentication/get_token`, { data: sent }))
    sessions.set(who, await context.cookies())
  }
  const blank = `${url}/blank` // of the server's origin, so that calls of the journey are the page's own
  await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.goto(blank)
  await page.unroute(blank)
}

/** Waits until nothing moves any more, but for what never ends, and what was changed last is drawn. */
export const settled = (page) =>
  page.evaluate(async () => {
    const drawn = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))
    const moves = ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity
    do await drawn()
    while (document.getAnimations().some(moves))
  })

/** What stood on the page when a journey failed goes into its error: elsewhere nobody can open the browser. */
export async function tellPage(page, error) {
  const tree = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2000 })
    .catch(() => 'the page cannot be read')
  error.message += `\n${page.url()}\n${tree.slice(0, 4000)}`
}

/** Of the looks that a journey is made in, the last; all of them with EVERY=1 or when pictures are taken. */
export const someOf = (looks) => looks.slice(process.env.EVERY || process.env.SHOTS ? 0 : -1)
