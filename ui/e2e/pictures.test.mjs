// Every page in its looks (zh and en, light and dark) and at three widths, with typical and with hostile data. Each is
// checked for what a picture shows at a glance (nothing wider than the screen, no control without a name, no error, no foreign
// request) and by axe-core, which may find nothing. EVERY=1 takes all looks; else the phone has all pages, and a wide screen
// those that it draws otherwise. AXE=file writes what axe looked at and found.
// SHOTS=docs/screenshots keeps the pictures; SHOTS_MORE=1 adds dialogs and edge states.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { axeFaults, faultsOf } from './faults.mjs'
import { hostilePack, seedHostile } from './hostile.mjs'
import { browserPath, openPage, quiet, root, settled, signIn, startBrowser, startServer } from './server.mjs'

const folder = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
const more = Boolean(process.env.SHOTS_MORE)
if (folder) mkdirSync(folder, { recursive: true })

const looks = {
  'zh-light': {},
  'zh-dark': { dark: true },
  'en-light': { locale: 'en' },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
  'en-dark': { locale: 'en', dark: true },
  ...Object.fromEntries(
    Object.entries({ tablet: { width: 768, height: 1024 }, phone: { width: 390, height: 844 } }).flatMap(
      ([name, size]) => [
        [`${name}-zh-dark`, { dark: true, ...size }],
        [`${name}-en-light`, { locale: 'en', ...size }],
        [`${name}-en-dark`, { locale: 'en', dark: true, ...size }],
      ],
    ),
  ),
}
/** The pages of the administration. */
const ADMINISTRATION = [
  ['admin-applications', '/admin/applications'],
  ['admin-application', '/admin/applications/shiplock'],
  ['admin-names', '/admin/applications/shiplock/names'],
  ['admin-links', '/external-links'],
  ['admin-rights', '/rights'],
  ['admin-audit', '/audit'],
  ['admin-operation', '/system/operation'],
  ['admin-errors', '/system/errors'],
  ['admin-versions', '/workflow-center/workflow-versions'],
]
/** Fields of a form from which a list or a calendar of each sort drops. */
const DROPS = {
  contract: { person: 'manager', department: 'partyA', day: 'endOn' },
  site: { choice: 'kind', address: 'place', departments: 'units', time: 'openFrom' },
}
const words = {
  zh: { edit: '编辑', save: '保存', filter: '筛选', password: '账号或密码错误' },
  en: { edit: 'Edit', save: 'Save', filter: 'Filter', password: 'is incorrect' },
}
const taken = ['zh-light', 'zh-dark', 'en-light', 'phone']
const only =
  process.env.LOOKS?.split(',') ?? (process.env.EVERY ? Object.keys(looks) : folder ? taken : ['en-light', 'phone'])
/** A wide look in which only those pages are looked at that a phone draws otherwise. */
const brief = (look) => !look.startsWith('phone') && !folder && !process.env.EVERY && !process.env.LOOKS
const report = []

describe('pictures', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  let hostile
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock'), hostilePack()], kept: 'hostile' })
    server.addUser('boss', 'administrator', '管理员')
    browser = await startBrowser()
    const { page, context } = await openPage(browser, server.url)
    await signIn(page, server.url, 'boss')
    hostile = await seedHostile(page)
    await context.close()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    if (process.env.AXE) writeFileSync(process.env.AXE, `${report.join('\n')}\n`)
  })

  for (const [look, options] of Object.entries(looks).filter(([name]) => only.includes(name))) {
    test(look, async () => {
      const phone = look.startsWith('phone')
      const text = words[options.locale ?? 'zh']
      const { page, context, problems } = await openPage(browser, server.url, { ...options, fresh: true })
      const faults = []
      const take = async (name, extra = false) => {
        await quiet(page)
        await page.locator('h1').first().waitFor({ state: 'attached' }) // every page has one; before it, the page is still coming
        await settled(page)
        const broken = await axeFaults(page)
        report.push(`${look} ${options.width ?? 1440} ${name}: ${broken.length} violations`, ...broken)
        faults.push(...[...(await faultsOf(page)), ...broken].map((fault) => `${name}: ${fault}`))
        if (folder && (!extra || more)) await page.screenshot({ path: join(folder, `${name}-${look}.png`) })
      }
      /** Looks at what has dropped from a control, and closes it. */
      const dropped = async (name, control) => {
        const popup = ['.ant-select-dropdown', '.ant-picker-dropdown', '.ant-dropdown', '.ant-popover']
          .map((one) => `${one}:visible`)
          .join()
        await control.click()
        await page.locator(popup).first().waitFor()
        await quiet(page)
        await settled(page)
        await control.evaluate((at) => at.setAttribute('data-looked-at', ''))
        await page.locator(popup).evaluateAll((all) => {
          for (const one of all) one.setAttribute('data-looked-at', '')
        })
        const broken = await axeFaults(page, ['[data-looked-at]'])
        report.push(`${look} ${options.width ?? 1440} ${name}, open: ${broken.length} violations`, ...broken)
        faults.push(...broken.map((fault) => `${name}, open: ${fault}`))
        await page.evaluate(() => {
          for (const one of document.querySelectorAll('[data-looked-at]')) one.removeAttribute('data-looked-at')
        })
        await page.keyboard.press('Escape')
        await page.locator(popup).first().waitFor({ state: 'hidden' })
      }
      const menus = page.locator('[aria-haspopup="menu"][aria-label]:visible')
      const operators = options.width ? menus.last() : menus.first() // of a drawer before the page, or of the page
      const drops = async (form) => {
        for (const [name, field] of Object.entries(DROPS[form]))
          await dropped(name, page.locator(`[data-field="${field}"] input`).first())
      }
      const go = (path) => page.goto(server.url + path)
      const list = (app, code, query = '') => go(`/application/${app}/application-list/${code}${query}`)
      /** Waits for the title of a page that exists. */
      const here = () =>
        page
          .locator('h1', { hasNotText: /^(页面不存在|Page not found)$/ })
          .first()
          .waitFor()
      const rows = () => page.locator(phone ? 'ul li a[href*="/form/detail"]' : '.ag-row[row-id]')
      const unfold = async (levels) => {
        for (let i = 0; i < levels; i++) {
          const children = page.waitForResponse((answer) => (answer.request().postData() ?? '').includes('"parentId"'))
          await page
            .locator(`${phone ? 'main li' : '.ag-row'} [aria-expanded="false"]`)
            .last()
            .click()
          await children
          await settled(page)
        }
      }
      const record = async (name) => {
        await page.locator('[data-field]').first().waitFor()
        await take(`${name}-record`)
        await page.locator('header button', { hasText: text.edit }).click()
        await page.mouse.move(0, 0) // over nothing that explains itself
        await page.getByRole('button', { name: text.save, exact: true }).waitFor()
        await page.locator('[data-field] input').first().waitFor()
        await take(`${name}-form`)
      }
      try {
        if (!brief(look)) {
          await go('/login')
          await page.locator('input[type="password"]').waitFor()
          await take('login')
        }
        await signIn(page, server.url, 'boss')

        if (!brief(look)) {
          await go('/app-list/applications')
          await page
            .getByText(options.locale === 'en' ? 'Ship lock' : '船闸工程')
            .filter({ visible: true }) // beside a page that was opened lately it is left out on a phone
            .first()
            .waitFor()
          await take('home')
          for (const [name, path] of [
            ['drafts', '/my-draft'],
            ['messages', '/message-notification'],
            ['me', '/user/info'],
            ['tasks', '/tasks'],
          ]) {
            await go(path)
            await page.locator('h1').first().waitFor()
            await take(name, true)
          }
        }
        await go('/tasks/all')
        await page.locator('main search').waitFor()
        await take('tasks-all', true)
        for (const [name, path] of ADMINISTRATION) {
          await go(path)
          await here()
          await take(name, true)
        }
        if (phone) {
          await go('/application/shiplock')
          await page.locator('nav, ul button').first().waitFor()
          await take('menu', true)
        }

        await list('shiplock', 'inspection')
        await rows().first().waitFor()
        await take('list')
        if (phone || look.startsWith('tablet')) {
          await page.getByRole('button', { name: text.filter, exact: true }).click()
          await take('filters', true)
          await dropped('operators', operators)
          await page.keyboard.press('Escape')
        } else {
          await page.keyboard.press('?')
          await page.getByRole('dialog').waitFor()
          if (!brief(look)) await take('shortcuts', true)
          await page.keyboard.press('Escape')
          await page.keyboard.press('Control+k')
          await page.getByRole('dialog').getByRole('combobox').fill('ht')
          await take('palette', true)
          await page.keyboard.press('Escape')
          await dropped('views', page.locator('main h1 [aria-haspopup="menu"]'))
          await dropped('operators', operators)
          await dropped('saved filters', page.locator('main [aria-haspopup="dialog"]').first())
          await dropped('page size', page.locator('.ant-pagination [role="combobox"]'))
        }
        await list('shiplock', 'contract')
        await rows().first().waitFor()
        await (phone ? rows().first() : rows().first().locator('a').first()).click()
        await record('typical')
        await drops('contract')
        if (!brief(look)) {
          await go('/form/detail?schemaCode=site')
          await page.locator('[data-field] input').first().waitFor()
          await drops('site')
        }

        await list('shiplock', 'qbs')
        await rows().first().waitFor()
        await unfold(2)
        await take('tree')

        if (!phone) {
          await list('shiplock', 'activity')
          await page.locator('.gantt_task_line').first().waitFor()
          await take('gantt', true)
        }

        if (brief(look)) {
          assert.deepEqual(faults, [])
          assert.deepEqual(problems, [])
          return
        }
        await list('hostile', 'thing', `?size=${phone ? 20 : 500}`)
        await rows().first().waitFor()
        await take('hostile-list')
        if (!phone) {
          await list(
            'hostile',
            'thing',
            '?f.name=Reinforced&f.state=DONE;OPEN&f.amount=-1;9999999999999999.5&o.amount=Between',
          )
          await rows().first().waitFor()
          await take('hostile-filtered', true)
        }
        await go(`/form/detail?schemaCode=thing&key=${hostile.hard}`)
        await record('hostile')
        await list('hostile', 'node')
        await rows().first().waitFor()
        await unfold(11)
        await take('hostile-tree')
        await list('hostile', 'nothing')
        await here()
        await take('hostile-empty', true)
        await go('/form/detail?schemaCode=thing&key=0190a000-0000-7000-8000-000000000000')
        await here()
        await take('hostile-missing', true)
        await go('/nowhere')
        await page.locator('h1').first().waitFor()
        await take('nowhere', true)
        assert.deepEqual(faults, [])
        assert.deepEqual(problems, [])
      } catch (error) {
        if (faults.length > 0) console.error(faults.join('\n'))
        throw error
      } finally {
        await context.close()
      }
    })
  }
})
