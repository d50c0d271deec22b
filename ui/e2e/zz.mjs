import { startServer, root, signIn, password } from '/work/wt/quick/ui/e2e/server.mjs'
import { secondsOf } from '/work/wt/quick/ui/e2e/cpu.mjs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
const server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
server.addUser('boss', 'administrator', '管理员')
const FEATURES = ['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay','HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning','AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled','PreconnectToSearch', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess', ...(process.env.NOFEAT ?? '').split(',').filter(Boolean)]
const js = process.env.JS ?? '--no-turbofan --no-maglev --always-sparkplug'
const b = await chromium.launch({ executablePath: process.env.CH ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox', `--js-flags=${js} --min-semi-space-size=64 --initial-heap-size=512`, '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', `--disable-features=${FEATURES.join()}`, ...(process.env.MORE ?? '').split(' ').filter(Boolean)] })
let last = secondsOf([process.pid]); let sum = 0
const step = async (name, f) => { await f(); const now = secondsOf([process.pid]); if (!process.env.SUM) console.log(name.padEnd(40), (now - last).toFixed(2)); sum += now - last; last = now }
const context = await b.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN', timezoneId: 'UTC', reducedMotion: 'reduce' })
await context.addInitScript(() => localStorage.setItem('locale', 'zh'))
const list = server.url + '/application/shiplock/application-list/inspection'
const load = async (page) => { await page.goto(list); await page.locator('.ag-row').first().waitFor(); await page.waitForTimeout(600) }
let page = await context.newPage()
await signIn(page, server.url, 'boss')
await step('first', () => load(page))
await step('second', () => load(page))
await step('third', () => load(page))
await page.close(); page = await context.newPage()
await step('new page after close', () => load(page))
await step('new page again', () => load(page))
let two = await context.newPage()
await step('new page before close', () => load(two)); await page.close()
await step('new page again', () => load(two))
const t = sum
console.log('sum', t.toFixed(2))
await b.close(); await server.stop()
