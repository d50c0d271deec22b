// Starts the real program on a fresh folder and a browser beside it, for the journeys.
import { execFileSync, spawn } from 'node:child_process'
import { constants, publicEncrypt } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { browsers, secondsOf, waitedFor } from './cpu.mjs'

export const root = fileURLToPath(new URL('../../', import.meta.url))
const binary = process.env.SLUICE_BIN ?? join(root, 'bin/sluice')
export const password = 'Journey-Pass-2026'

// The shell without a window starts in half the time, and costs a tenth less for each page.
const installed = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const candidates = [process.env.CHROMIUM, ...installed.map((name) => `/usr/bin/${name}`)]

/** The browser's path, or null where there is none. */
export const browserPath = () => candidates.find((path) => path && existsSync(path)) ?? null

/** A group of the interface's texts; a file of them is plain JavaScript. */
export async function texts(locale, file, group = file) {
  const source = readFileSync(join(root, `ui/src/i18n/${locale}/${file}.ts`), 'utf8')
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`))[group]
}

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

/** Runs a subcommand of a program to its end and returns what it printed. People keep the password that they are given here. */
const call = (program, ...args) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    env: { SLUICE_PASSWORD: password, SLUICE_MUST_CHANGE: 'false', ...process.env },
  })

/** What this suite has cost so far: loads of pages, and seconds of browsers, of which some are told to nobody who waits for them. */
const cost = { loads: 0, browser: 0, uncounted: 0 }

/** The same of sluice itself. */
export const sluice = (...args) => call(binary, ...args)

/**
 * A fresh data folder. What the first start on the same packs writes is most of the work of a start: in a run of many suites, for
 * which run.mjs names a folder, the first of those that give their packs the same name keeps it, and the others begin with a copy.
 */
async function dataFolder(packs, name, program, more) {
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
  const first = await serve(['serve', '--data', data, '--packs', packs.join(), ...more], program, await freePort())
  await first.stop()
  cpSync(data, `${kept}.new`, { recursive: true })
  renameSync(`${kept}.new`, kept)
  return data
}

const example = join(root, 'examples/ship-lock')

/**
 * Serves packs from a fresh folder, and packs of the program that `on` names; `command` is serve or dev, `db` the address of a PostgreSQL database. Suites that serve the
 * same packs give them the same name in `kept`. `program` is another one than sluice, with packs of its own.
 */
export async function startServer({ packs, on = [], command = 'serve', db = null, kept = '', program = binary }) {
  const more = on.length > 0 ? ['--with', on.join()] : []
  const name = packs.join() === example && on.length === 0 ? 'ship-lock' : kept
  const data = await dataFolder(packs, command === 'serve' && !db && name, program, more)
  const store = ['--data', data, ...(db ? ['--db', db] : [])]
  const args = [command, ...store, '--packs', packs.join(), ...more]
  const port = await freePort()
  let running = await serve(args, program, port)
  return {
    url: running.url,
    said: () => running.said(),
    data,
    addUser: (username, role, fullName) =>
      call(program, 'user', 'add', ...store, '--role', role, '--full-name', fullName, username),
    /** Ends the program as a power cut does, and starts it again at the same address when `meanwhile` is done. */
    restart: async (meanwhile) => {
      await running.stop('SIGKILL')
      try {
        await meanwhile()
      } finally {
        running = await serve(args, program, port)
      }
    },
    stop: async () => {
      await running.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function serve(args, program, port) {
  const child = spawn(program, [...args, '--addr', `127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'pipe'] })
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
  const stop = async (signal = 'SIGTERM') => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
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

/**
 * How V8 runs the pages. None lives long enough to win by what the optimizing compilers cost, but the plain one pays from the first
 * call on; and with room for what a page throws away there is little to collect.
 */
const SCRIPTS = [
  ...['--no-turbofan', '--no-maglev', '--always-sparkplug'],
  ...['--min-semi-space-size=64', '--initial-heap-size=512'], // megabytes
]

export async function startBrowser() {
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      `--js-flags=${SCRIPTS.join(' ')}`,
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${FEATURES.join()}`,
    ],
  })
  const close = browser.close.bind(browser)
  browser.close = async () => {
    const before = waitedFor()
    const work = secondsOf(browsers())
    await close()
    cost.browser += work
    cost.uncounted += Math.max(0, work - (waitedFor() - before))
  }
  return browser
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
export const said = (page, words, timeout = ACTION) =>
  page.waitForFunction(
    (wanted) => {
      const at = window.notices.findIndex((text) => text.includes(wanted))
      return at >= 0 && window.notices.splice(0, at + 1)
    },
    words,
    { timeout },
  )

/** SLOW=8 gives the scripts of a page an eighth of their speed, and a journey its own: it clicks before things are drawn then. */
const slow = Number(process.env.SLOW ?? 1)

/** How long an action may take, and a job of the server (an import, an export, a batch), in milliseconds. */
const ACTION = 15_000 * slow
export const JOB = 60_000 * slow
/** A page that has asked for nothing for so long asks for nothing more by itself. */
const QUIET = 300 * slow

/** Contexts that no journey uses at the moment, by browser and by what is fixed for a context. */
const unused = new WeakMap()

/** What journeys listen to on a page. */
const EVENTS = [
  'request',
  'response',
  'requestfinished',
  'requestfailed',
  'pageerror',
  'console',
  'dialog',
  'popup',
  'framenavigated',
]

/**
 * A context with an empty page. A fresh one is new. Another one has been used: its cookies, storage, rights and listeners are gone, but
 * the browser keeps the files that it has read and compiled, without which a page costs twice as much.
 */
async function contextOf(browser, url, { fresh, ...look }) {
  const kind = JSON.stringify([url, look])
  if (!unused.has(browser)) unused.set(browser, new Map())
  const free = unused.get(browser).get(kind) ?? []
  unused.get(browser).set(kind, free)
  const used = fresh ? null : free.pop()
  const context = used ?? (await newContext(browser, look))
  const page = context.pages()[0] ?? (await context.newPage())
  if (used) {
    await toBlank(page, url)
    await forget(page, url)
    await page.setViewportSize({ width: look.width, height: look.height })
    await page.emulateMedia({
      media: null,
      colorScheme: look.dark ? 'dark' : 'light',
      reducedMotion: look.motion ? 'no-preference' : 'reduce',
    })
    await context.setOffline(false)
    if (slow > 1) await slowDown(page)
  }
  const close = context.close.bind(context)
  if (fresh)
    context.close = async () => {
      gone.push(await pictureOf(page))
      await close()
    }
  else
    context.close = async () => {
      const [first, ...others] = context.pages()
      await Promise.all(others.map((page) => page.close()))
      for (const event of EVENTS) first?.removeAllListeners(event)
      await first?.unrouteAll({ behavior: 'ignoreErrors' })
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.clearPermissions()
      await context.clearCookies()
      if (slow > 1 && first) await slowDown(first, 1)
      free.push(context)
    }
  return { context, page }
}

async function newContext(browser, { width, height, locale, dark, motion }) {
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height },
    locale: locale === 'zh' ? 'zh-CN' : 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: motion ? 'no-preference' : 'reduce',
  })
  await context.addInitScript((wanted) => localStorage.setItem('locale', wanted), locale)
  await context.addInitScript(keepNotices)
  if (slow > 1) context.on('page', (page) => void slowDown(page).catch(() => {})) // it may be gone by then
  return context
}

const slowed = new WeakMap()

/** A page that is slowed is busy the whole time, also when it has nothing to do: one that no journey uses must not be. */
async function slowDown(page, rate = slow) {
  if (!slowed.has(page)) slowed.set(page, page.context().newCDPSession(page))
  const cdp = await slowed.get(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Empties the storage of the application, cookies excepted. */
async function forget(page, url) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'local_storage,indexeddb,cache_storage' })
  await cdp.detach()
  await page.evaluate(() => sessionStorage.clear())
}

/** A picture of a page, and one of it in the dark from the same visit: its path gets -dark in place of -light. Pictures are made with SHOTS only. */
export async function bothLooks(page, path) {
  await page.screenshot({ path })
  if (!path.endsWith('-light.png')) return
  await page.emulateMedia({ colorScheme: 'dark' })
  await settled(page)
  await page.screenshot({ path: path.replace(/-light\.png$/, '-dark.png') })
  await page.emulateMedia({ colorScheme: 'light' })
}

process.on('exit', () => {
  const folder = process.env.SLUICE_E2E_KEPT
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1e6
  const server = waitedFor() - (cost.browser - cost.uncounted)
  const told = { ...cost, own, server, all: own + server + cost.browser }
  if (folder) writeFileSync(join(folder, `${basename(process.argv[1])}.cost`), JSON.stringify(told))
})

/**
 * A page that fails the test on requests to foreign origins and on errors of the page. Most journeys belong to a person who wants no
 * motion: elements appear and disappear without animation. A journey whose page must not know anything, or that changes what a page
 * keeps for good (clocks, touch, scripts at its start), asks for a `fresh` one.
 */
export async function openPage(browser, url, look = {}) {
  const all = { width: 1440, height: 900, locale: 'zh', dark: false, motion: false, fresh: false, ...look }
  const { context, page } = await contextOf(browser, url, all)
  page.setDefaultTimeout(ACTION)
  opened.add(page)
  watchRequests(page)
  const problems = []
  page.on('request', (request) => {
    const to = request.url()
    if (request.isNavigationRequest() && !to.endsWith(BLANK)) cost.loads++
    if (!to.startsWith(url) && !to.startsWith('data:') && !to.startsWith('blob:'))
      problems.push(`foreign request: ${to}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (401|403|404|409|422|429)/.test(message.text()))
      problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  return { page, context, problems }
}

/** The frame of a request; a page that is only being made has none yet. */
function frameOf(request) {
  try {
    return request.frame()
  } catch {
    return null
  }
}

/** Requests that are under way, by page, and when one began or ended last. */
const requests = new WeakMap()

function watchRequests(page) {
  const now = { underWay: new Set(), at: Date.now() }
  requests.set(page, now)
  let loads = null
  const change = (how) => (request) => {
    if (request.resourceType() === 'eventsource') return
    if (how === 'add' && request.isNavigationRequest() && frameOf(request) === page.mainFrame()) loads = request
    now.underWay[how](request)
    now.at = Date.now()
  }
  // The end of what a page that was left had asked for is not always told.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !loads) return
    for (const one of now.underWay) if (one !== loads) now.underWay.delete(one)
    loads = null
  })
  page.on('request', change('add'))
  for (const event of ['requestfinished', 'requestfailed']) page.on(event, change('delete'))
}

/**
 * Waits until a page of openPage asks for nothing any more. The driver's own "network idle" never comes to a page that opens its stream
 * of events early, and does not wait at all on a page that was idle once.
 */
export async function quiet(page, timeout = ACTION) {
  const now = requests.get(page)
  const end = Date.now() + timeout
  for (;;) {
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))))
    const since = Date.now() - now.at
    if (now.underWay.size === 0 && since >= QUIET) return
    if (Date.now() > end) throw new Error(`still asked for: ${[...now.underWay].map((one) => one.url()).join(' ')}`)
    await new Promise((go) => setTimeout(go, 25))
  }
}

/** Signs in as a person does, on the page. */
export async function signInByForm(page, url, username, secret = password) {
  await page.goto(`${url}/login`)
  await page.locator('input[autocomplete="username"], input[name="username"], #username').first().fill(username)
  await page.locator('input[type="password"]').first().fill(secret)
  await page.keyboard.press('Enter')
  await page.waitForURL((at) => !at.pathname.startsWith('/login'))
}

const BLANK = '/blank'

/** A page without the application's own policy would get another process, and the application after it one more. */
const EMPTY = {
  headers: { 'Content-Type': 'text/html', 'Cross-Origin-Opener-Policy': 'same-origin' },
  body: '<!doctype html>',
}

/** Leaves a page on an empty address of the server's origin, so that calls of the journey are the page's own. */
async function toBlank(page, url) {
  const blank = url + BLANK
  await page.route(blank, (route) => route.fulfill(EMPTY))
  await page.goto(blank)
  await page.unroute(blank)
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
  const mine = async () => {
    const answer = await request.get(`${url}/api/organization/user/info`)
    return answer.ok() && (await answer.json()).data?.username === username
  }
  await toBlank(page, url) // the page before would ask with the rights of the next person
  await context.clearCookies()
  if (known) await context.addCookies(known)
  if (!known || !(await mine())) {
    await context.clearCookies()
    const { index, key } = await answered(request.get(`${url}/api/login/rsa_key`))
    const padding = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
    const sent = { username, password: publicEncrypt(padding, Buffer.from(secret)).toString('base64'), index }
    await answered(request.post(`${url}/api/login/Authentication/get_token`, { data: sent }))
    sessions.set(who, await context.cookies())
  }
  await forget(page, url)
}

/** Waits until nothing moves any more, but for what never ends, and what was changed last is drawn. */
export const settled = (page) =>
  page.evaluate(async () => {
    const drawn = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))
    const moves = ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity
    do await drawn()
    while (document.getAnimations().some(moves))
  })

/** What is on a page, short enough for a report: elsewhere nobody can open the browser. */
async function pictureOf(page) {
  const tree = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2000 })
    .catch(() => 'the page cannot be read')
  const cut = tree.length > 6000 ? `${tree.slice(0, 2000)}\n...\n${tree.slice(-4000)}` : tree
  const said = await page.evaluate(() => window.notices ?? []).catch(() => [])
  return `${page.url()}\nnotices: ${said.join(' / ') || 'none'}\n${cut}`
}

/** Pages that were opened and may be looked at, and what was on those that this test has closed. */
const opened = new Set()
const gone = []

/** Reports show it with the error. A context that was given back keeps what was on its page until it is used again. */
async function tellPages({ error }) {
  const closed = gone.splice(0)
  if (!error) return
  const pages = [...opened].filter((page) => !page.isClosed() && !page.url().endsWith(BLANK))
  const pictures = [...closed, ...(await Promise.all(pages.map(pictureOf)))]
  const cause = error.cause ?? error
  Object.defineProperty(cause, 'seen', { value: pictures.join('\n\n') })
  cause.stack += `\n${cause.seen}` // reports print the stack as it is
  if (!process.env.SHOTS) return
  for (const [i, page] of pages.entries())
    await page.screenshot({ path: join(process.env.SHOTS, `failed-${i}.png`) }).catch(() => {})
}

// Other programs read functions of this file too.
if (/\.test\.mjs$/.test(process.argv[1] ?? '')) afterEach(tellPages)

/** Of the looks that a journey is made in, the last; all of them with EVERY=1 or when pictures are taken. */
export const someOf = (looks) => looks.slice(process.env.EVERY || process.env.SHOTS ? 0 : -1)
