import { openPage, signIn, startBrowser, startServer } from './server.mjs'
import { join } from 'node:path'
import { root } from './server.mjs'
const server = await startServer({ packs: [join(root, 'examples/ship-lock')], kept: 'shiplock' })
server.addUser('boss', 'administrator', '管理员')
const browser = await startBrowser()
for (const [locale, width, height, dark] of [['zh', 1440, 1400], ['en', 390, 900], ['en', 1440, 1400, true]]) {
  const { page, context, problems } = await openPage(browser, server.url, { locale, width, height, colorScheme: dark ? 'dark' : 'light' })
  page.setDefaultTimeout(20000)
  await signIn(page, server.url, 'boss')
  await page.goto(server.url + '/')
  await page.waitForTimeout(4000)
  await page.screenshot({ path: `/tmp/lead-wb-${locale}-${width}${dark ? 'd' : ''}.png`, fullPage: true })
  if (width === 1440 && !dark) {
    for (const [path, name] of [['/application/shiplock/application-report/progress', 'report'], ['/portal-design-preview/defaultPortalDashboard', 'preview'], ['/portal-page/nothing', 'nothing']]) {
      await page.goto(server.url + path)
      await page.waitForTimeout(3500)
      await page.screenshot({ path: `/tmp/lead-${name}.png` })
    }
  }
  console.log(locale, width, problems)
  await context.close()
}
await browser.close(); await server.stop()
