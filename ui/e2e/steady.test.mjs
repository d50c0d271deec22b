// Nothing that can be pressed moves after it is shown, and a press at the moment a control appears does what it says. On three pages
// here; with EVERY=1 on every page that is listed below, at three widths, with a quick and with a slow processor.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, signIn, startBrowser, startServer, tellPage } from './server.mjs'
import { movesOf, pressedAtOnce, watchPlaces } from './steady.mjs'

const app = '/application/shiplock'
const widths = process.env.EVERY ? [1440, 768, 390] : [1440]
const rates = process.env.EVERY ? [1, 4] : [1]

describe('places', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('boss', 'administrator', '管理员')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** Addresses by what they show. */
  async function pages(page) {
    const first = (schemaCode) =>
      page.evaluate(async (code) => {
        const answer = await fetch('/api/runtime/query/list', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ schemaCode: code, queryCode: code, page: 0, size: 1 }),
        })
        return (await answer.json()).data.content[0].id
      }, schemaCode)
    const contract = `/form/detail?schemaCode=contract&key=${await first('contract')}`
    const few = { list: `${app}/application-list/inspection`, operation: '/system/operation', record: contract }
    if (!process.env.EVERY) return few
    return {
      ...few,
      home: '/app-list/applications',
      contracts: `${app}/application-list/contract`,
      tree: `${app}/application-list/qbs`,
      report: `${app}/application-report/progress`,
      'record of an inspection': `/form/detail?schemaCode=inspection&key=${await first('inspection')}`,
      form: `${contract}&edit=true`,
      'new form': '/form/detail?schemaCode=site',
      drafts: '/my-draft',
      messages: '/message-notification',
      me: '/user/info',
      tasks: '/tasks',
      'all tasks': '/tasks/all',
      work: '/workflow-center/my-unfinished-workitem',
      nowhere: '/nowhere',
    }
  }

  for (const width of widths)
    for (const rate of rates)
      test(`what can be pressed stays where it is: ${width} px, processor 1:${rate}`, async () => {
        const height = width < 1000 ? 844 : 900
        const { page, context, problems } = await openPage(browser, server.url, { width, height, fresh: true })
        await watchPlaces(context)
        try {
          await signIn(page, server.url, 'boss')
          const all = await pages(page)
          const cdp = await context.newCDPSession(page)
          await cdp.send('Emulation.setCPUThrottlingRate', { rate: rate * Number(process.env.SLOW ?? 1) })
          const moves = []
          for (const [name, path] of Object.entries(all)) {
            await page.goto(server.url + path)
            await page.locator('h1').first().waitFor({ state: 'attached' })
            moves.push(...(await movesOf(page)).map((one) => `${name}: ${one}`))
          }
          assert.deepEqual(moves, [])

          await page.goto(server.url + all.record)
          await pressedAtOnce(page, 'header button', '编辑')
          await page.getByRole('button', { name: '保存', exact: true }).waitFor()
          assert.equal(await page.evaluate(() => document.activeElement === document.body), false, 'no focus')
          assert.deepEqual(problems, [])
        } catch (error) {
          throw await tellPage(page, error)
        } finally {
          await context.close()
        }
      })
})
