// The journeys of a user through the example, in a real browser against the real program: `npm run e2e`.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { hasPostgres, startPostgres } from './postgres.mjs'
import { browserPath, openPage, quiet, root, said, signIn, startBrowser, startServer } from './server.mjs'

const ship = join(root, 'examples/ship-lock')
const list = (code, query = '') => `/application/shiplock/application-list/${code}${query}`

const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
if (skip) {
  console.error(`LEFT OUT: browser journeys (${skip})`)
  if (process.env.CI === 'true') process.exit(1)
}

for (const store of ['SQLite', 'PostgreSQL']) shipLock(store)

function shipLock(store) {
  // What has nothing to do with the database is tried on one; EVERY=1 tries it on both.
  const brief = store === 'PostgreSQL' && !process.env.EVERY ? 'with EVERY=1' : false
  const missing = store === 'PostgreSQL' && !hasPostgres() ? 'no PostgreSQL' : skip
  describe(`the ship-lock example on ${store}`, { skip: missing }, () => {
    let server
    let browser
    let postgres
    before(async () => {
      if (store === 'PostgreSQL') postgres = await startPostgres()
      server = await startServer({ packs: [ship], db: postgres?.url })
      server.addUser('boss', 'administrator', '管理员')
      server.addUser('reader', 'viewer', '查阅员')
      browser = await startBrowser()
    })
    after(async () => {
      await browser?.close()
      await server?.stop()
      await postgres?.stop()
    })

    /** Signs in, runs a journey and fails on foreign requests and errors of the page. */
    async function journey(options, run) {
      const { page, context, problems } = await openPage(browser, server.url, options)
      try {
        await signIn(page, server.url, options.user ?? 'boss')
        await run(page)
        assert.deepEqual(problems, [])
      } finally {
        await context.close()
      }
    }
    const rowsDrawn = (page) => page.locator('.ag-row[row-id]').first().waitFor()
    const go = async (page, path) => {
      await page.goto(server.url + path)
      await rowsDrawn(page)
    }

    test('browse: applications, menu, list, record', async () => {
      await journey({}, async (page) => {
        await page.goto(server.url)
        await page.getByRole('link', { name: '全部应用' }).click()
        await page.waitForURL(/\/app-list\/applications/)
        await page.getByText('船闸工程', { exact: true }).first().click()
        await page.waitForURL(/\/application\/shiplock/)
        await page.getByText('检验批', { exact: true }).first().click()
        await rowsDrawn(page)
        const row = page.locator('.ag-row[row-id]').first()
        await row.locator('a, button').first().click()
        const drawer = page.locator('.ant-drawer')
        await drawer.getByRole('button', { name: '编辑' }).waitFor()
        await page.keyboard.press('Escape')
        await drawer.waitFor({ state: 'detached' })

        // A click anywhere on a row opens it, unless it is on a control.
        await row.locator('input[type="checkbox"]').click()
        await page.getByRole('toolbar').waitFor()
        await row.locator('.ag-cell[col-id="part"]').click()
        await page.waitForURL(/\/form\/detail\?.*key=/)
        await drawer.getByRole('button', { name: '编辑' }).waitFor()
        await page.keyboard.press('Escape')
        await drawer.waitFor({ state: 'detached' })

        // Editing asks the server where, and the address has the way back.
        await row.hover()
        const told = page.waitForResponse((answer) => answer.url().includes('/form/get_form_url'))
        await row.getByRole('button', { name: '编辑' }).click()
        await told
        await drawer.getByRole('button', { name: '保存', exact: true }).waitFor()
        const query = new URL(page.url()).searchParams
        assert.equal(query.get('iframeAction'), 'detail')
        assert.match(query.get('return') ?? '', /^\/application\/shiplock\/application-list\/inspection/)
      })
    })

    test('filter, sort and page stand in the address and survive a reload', async () => {
      await journey({}, async (page) => {
        await go(page, list('contract'))
        const asked = (want) =>
          page.waitForResponse((answer) => {
            const { orderByFields = [], orderType = 0 } = answer.request().postDataJSON() ?? {}
            return answer.url().endsWith('/query/list') && [...orderByFields, orderType].join() === want
          })
        const sum = page.getByRole('button', { name: /^合同金额合计 \d[\d,.]+ 元$/ }) // its column is out of sight
        await sum.click()
        await sum.waitFor({ state: 'detached' })
        // An arrow sorts in its direction, the one in force sorts no more; one column at a time.
        const arrow = async (code, direction) => {
          await page.locator(`.ag-header-cell[col-id="${code}"]`).hover()
          await page.locator(`.ag-header-cell[col-id="${code}"] [data-direction="${direction}"]`).click()
        }
        const [down, other] = [asked('amount,2'), asked('name,1')]
        await arrow('amount', 'desc')
        await down
        await page.waitForURL(/sort=-amount/)
        await arrow('amount', 'desc')
        await page.waitForURL((url) => !url.searchParams.has('sort'))
        await arrow('amount', 'desc')
        await page.waitForURL(/sort=-amount/)
        await arrow('name', 'asc')
        await other
        assert.equal(await page.locator('[data-direction][aria-pressed="true"]').count(), 1)
        const sorted = asked('amount,1')
        await page.locator('.ag-header-cell-label', { hasText: '合同金额' }).click()
        await page.waitForURL(/sort=amount/)
        const before = (await (await sorted).json()).data.content[0].id
        await page.reload()
        await rowsDrawn(page)
        assert.equal((await page.locator('.ag-header-cell[col-id="#"]').boundingBox()).width, 48)
        await page.waitForFunction(
          (text) => document.querySelector('.ag-row[row-index="0"]')?.getAttribute('row-id') === text,
          before,
        )
        await page.locator('input').nth(1).fill('监理')
        await page.keyboard.press('Enter')
        await page.waitForURL(/%E7%9B%91%E7%90%86|监理/)
        await page.getByRole('button', { name: '重置' }).click()
        await page.waitForFunction(() => !location.search.includes('%E7%9B%91'))
      })
    })

    test('add, edit, conflict and delete a record', async () => {
      await journey({}, async (page) => {
        await go(page, list('drawing'))
        await page.getByRole('button', { name: '新增' }).first().click()
        await page.getByRole('button', { name: '保存', exact: true }).waitFor()
        await page.getByRole('button', { name: '保存', exact: true }).click()
        await page.getByText(/项需要修改/).waitFor()
        const fields = page.locator('[data-field]')
        const required = fields.filter({ has: page.locator('label span') })
        const name = `测试图纸 ${Date.now()}`
        for (const [i, field] of (await required.all()).entries()) {
          const input = field.locator('input[type="text"], textarea').first()
          if ((await input.count()) && (await input.getAttribute('role')) !== 'combobox')
            await input.fill(name.slice(i === 0 ? -20 : -8))
        }
        for (const radio of await page.locator('[data-field] .ant-radio-group').all())
          await radio.locator('label').first().click()
        for (const combo of await required.locator('input[role="combobox"]').all()) {
          await combo.click()
          await page
            .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
            .first()
            .click()
        }
        await page.getByRole('button', { name: '保存', exact: true }).click()
        await page.locator('.ant-drawer').getByRole('button', { name: '编辑' }).waitFor()
        await page.waitForURL(/key=/)
        await quiet(page)
        const address = new URL(page.url())
        const id = address.searchParams.get('key')
        assert.match(id ?? '', /^[0-9a-f-]{36}$/)

        // Somebody else changes the record while it is being edited here.
        await page.locator('.ant-drawer').getByRole('button', { name: '编辑' }).click()
        await page.locator('.ant-drawer [data-field] input').first().waitFor()
        const loaded = await page.evaluate(
          async (key) => (await (await fetch(`/api/runtime/form/load?schemaCode=drawing&objectId=${key}`)).json()).data,
          id,
        )
        const text = loaded.form.fields.find(
          (field) => field.propertyType === 0 && !field.readOnly && field.propertyCode !== 'number',
        )
        const answer = await page.evaluate(
          async ([key, version, code]) => {
            const body = { schemaCode: 'drawing', id: key, version, data: { [code]: '别人的改动' } }
            return (
              await (
                await fetch('/api/runtime/form/save', {
                  method: 'POST',
                  headers: { 'Content-Type': 'application/json' },
                  body: JSON.stringify(body),
                })
              ).json()
            ).errcode
          },
          [id, loaded.version, text.propertyCode],
        )
        assert.equal(answer, 0)
        await page
          .locator(`[data-field="${text.propertyCode}"] input, [data-field="${text.propertyCode}"] textarea`)
          .first()
          .fill('我的改动')
        await page.getByRole('button', { name: '保存', exact: true }).click()
        await page.getByText('此记录已被他人修改').first().waitFor()
        await page.getByRole('button', { name: '全部用我的修改' }).click()
        await page.getByRole('button', { name: '保存合并结果' }).click()
        await page.locator('.ant-drawer').getByRole('button', { name: '编辑' }).waitFor()
        await page.getByRole('button', { name: '变更记录' }).click()
        await page.getByText('别人的改动').first().waitFor()
        await page.keyboard.press('Escape')

        await page.locator('.ant-drawer').getByRole('button', { name: '删除', exact: true }).click()
        const deleted = page.waitForResponse('**/api/runtime/query/delete')
        await page.locator('.ant-modal').getByRole('button', { name: '删除' }).click()
        assert.deepEqual((await (await deleted).json()).data?.errors, [])
        await said(page, '已删除')
        const gone = await page.evaluate(
          async (key) =>
            (await (await fetch(`/api/runtime/form/load?schemaCode=drawing&objectId=${key}`)).json()).errcode,
          id,
        )
        assert.equal(gone, 302000)
      })
    })

    test('the tree loads its levels on demand', { skip: brief }, async () => {
      await journey({}, async (page) => {
        await go(page, list('qbs'))
        const count = () => page.locator('.ag-row[row-id]').count()
        const roots = await count()
        await page.locator('.ag-row [aria-expanded="false"], .ag-row button[aria-label]').first().click()
        await page.waitForFunction((n) => document.querySelectorAll('.ag-row[row-id]').length > n, roots)
        const inset = (index) =>
          page
            .locator(`.ag-row[row-index="${index}"] .ag-cell[col-id="name"] a`)
            .evaluate((link) => link.getBoundingClientRect().x)
        assert.equal((await inset(1)) - (await inset(0)), 20)
        const child = page.locator('.ag-row[row-index="1"]').first()
        const id = await child.getAttribute('row-id')
        await child.locator('.ag-cell[col-id="level"]').click()
        await page.waitForURL((url) => url.searchParams.get('key') === id)
        await page.locator('.ant-drawer').getByRole('button', { name: '编辑' }).waitFor()
        await page.keyboard.press('Escape')
        await page.locator('.ag-row [aria-expanded="true"]').first().click()
        await page.waitForFunction((n) => document.querySelectorAll('.ag-row[row-id]').length === n, roots)
      })
    })

    test('both languages, dark, phone', { skip: brief }, async () => {
      await journey({ locale: 'en' }, async (page) => {
        await go(page, list('inspection'))
        await page.getByText('Inspection lots').first().waitFor()
      })
      await journey({ dark: true }, async (page) => {
        await go(page, list('inspection'))
        await page.goto(`${server.url}${list('contract')}`)
        await rowsDrawn(page)
        await page.locator('.ag-row[row-id]').first().locator('a, button').first().click()
        await page.locator('.ant-drawer').getByRole('button', { name: '编辑' }).click()
        await page.getByRole('button', { name: '保存', exact: true }).waitFor()
      })
      await journey({ width: 390, height: 844 }, async (page) => {
        await page.goto(server.url + list('inspection'))
        await page.getByText('JYP-').first().waitFor()
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(wide <= 390, `the page is ${wide} px wide on a phone`)
        const totals = page.locator('dl[aria-label="汇总"]')
        assert.match((await totals.textContent()) ?? '', /金额合计\s*\d[\d,.]+ 元/)
      })
    })
  })
}

describe('fifty models of somebody else', { skip }, () => {
  test('each list and form opens', async () => {
    const server = await startServer({ packs: [join(root, 'examples/clinic')] })
    const browser = await startBrowser()
    try {
      server.addUser('boss', 'administrator', '管理员')
      const { page, problems } = await openPage(browser, server.url)
      await signIn(page, server.url, 'boss')
      const menu = await page.evaluate(
        async () => (await (await fetch('/api/app/function/tree?appCode=clinic')).json()).data,
      )
      const entries = menu.flatMap((folder) => folder.children)
      assert.equal(entries.length, 50)
      // All of them with EVERY=1; otherwise some from everywhere.
      for (const entry of process.env.EVERY ? entries : entries.filter((_, i) => i % 10 === 0)) {
        await page.goto(`${server.url}/application/clinic/application-list/${entry.schemaCode}`)
        await page.getByText(entry.name).first().waitFor()
        await page.getByRole('button', { name: '新增' }).first().waitFor()
        await page.goto(`${server.url}/form/detail?schemaCode=${entry.schemaCode}`)
        await page.getByRole('button', { name: '保存', exact: true }).waitFor()
        await page.locator('[data-field]').first().waitFor()
      }
      assert.deepEqual(problems, [])
    } finally {
      await browser.close()
      await server.stop()
    }
  })
})
