// What others write while a list is open, in two browsers against the real program: part of `npm run e2e`.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const list = '/application/shiplock/application-list/drawing'
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

describe('changes by others', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('deputy', 'administrator', '副经理')
    server.addUser('guest', 'viewer', '来访')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** A browser of one person, and the calls that this person's page can make. */
  async function person(name, options = {}) {
    const { page, context, problems } = await openPage(browser, server.url, options)
    await signIn(page, server.url, name)
    const call = (path, body) =>
      page.evaluate(
        async ([to, data]) => {
          const headers = { 'Content-Type': 'application/json' }
          const answer = await fetch(to, data ? { method: 'POST', headers, body: JSON.stringify(data) } : {})
          return answer.json()
        },
        [path, body ?? null],
      )
    const rows = async (filters = []) =>
      (await call('/api/runtime/query/list', { schemaCode: 'drawing', page: 0, size: 100, filters })).data.content
    const save = async (row, data) => {
      const said = await call('/api/runtime/form/save', {
        schemaCode: 'drawing',
        id: row.id,
        version: row.version,
        data,
      })
      assert.equal(said.errcode, 0, said.errmsg)
      return { ...row, version: said.data.version }
    }
    return { page, problems, call, rows, save, leave: () => context.close() }
  }
  /** Opens the list and waits until it hears of changes. */
  const follow = async (page) => {
    const hears = page.waitForResponse((answer) => answer.url().includes('/api/events?watch=drawing'))
    await page.goto(server.url + list)
    await page.locator('.ag-row[row-id], ul li a[href*="/form/detail"]').first().waitFor()
    await hears
  }
  const hint = (page) => page.getByRole('status').getByRole('button')
  const order = (page) =>
    page.locator('.ag-row[row-id]').evaluateAll((all) => {
      const places = new Map(all.map((row) => [Number(row.getAttribute('row-index')), row.getAttribute('row-id')]))
      return [...places].sort(([a], [b]) => a - b).map(([, id]) => id)
    })

  test('a shown row takes its new contents in place, and a hint counts until one refreshes', async () => {
    const [one, two] = [await person('boss'), await person('deputy')]
    await follow(one.page)
    const before = await order(one.page)
    const all = await two.rows()
    const row = all.find(({ id }) => id === before[2])
    const changed = await two.save(row, { name: '改过的图名' })
    await hint(one.page).filter({ hasText: '1 条有变动，刷新' }).waitFor()
    await one.page.locator(`.ag-row[row-id="${row.id}"]`, { hasText: '改过的图名' }).first().waitFor()
    assert.deepEqual(await order(one.page), before)
    await two.save(changed, { name: '又改一次' })
    await one.page.locator(`.ag-row[row-id="${row.id}"]`, { hasText: '又改一次' }).first().waitFor()
    assert.match(await hint(one.page).textContent(), /^1 条/)
    const made = await two.call('/api/runtime/form/save', {
      schemaCode: 'drawing',
      data: { number: 'E2E-1', name: '新增的图', discipline: 'GATES', status: 'REVIEW' },
    })
    assert.equal(made.errcode, 0, made.errmsg)
    await hint(one.page).filter({ hasText: '2 条有变动，刷新' }).waitFor()
    if (shots) await one.page.screenshot({ path: join(shots, 'changes-zh-light.png') })
    await hint(one.page).click()
    await hint(one.page).waitFor({ state: 'detached' })
    assert.deepEqual([...one.problems, ...two.problems], [])
    await one.leave()
    await two.leave()
  })

  test('what one may not see is no news, and what one writes oneself neither', async () => {
    const [guest, boss] = [await person('guest', { locale: 'en' }), await person('boss')]
    await follow(guest.page)
    await follow(boss.page)
    const all = await boss.rows()
    const open = new Set((await guest.rows()).map(({ id }) => id))
    const secret = all.find(({ id }) => !open.has(id))
    const plain = all.find(({ id }) => open.has(id))
    assert.ok(secret && plain)
    await boss.save(secret, { name: '看不到的改动' })
    await boss.save(plain, { name: '看得到的改动' })
    // Changes come in their order: with this one the one before would have come.
    await guest.page.locator('.ag-row', { hasText: '看得到的改动' }).first().waitFor()
    assert.equal(await hint(guest.page).textContent(), '1 record changed. Refresh')
    assert.equal(await hint(boss.page).count(), 0)
    assert.deepEqual([...guest.problems, ...boss.problems], [])
    await guest.leave()
    await boss.leave()
  })

  test('a phone has its actions in a sheet', async () => {
    const phone = await person('boss', { width: 390, height: 844 })
    const { page } = phone
    await page.goto(server.url + list)
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link') })
      .nth(1)
    await card.waitFor()
    if (shots) await page.screenshot({ path: join(shots, 'phone-list.png') })
    await card.getByRole('button', { name: '更多操作' }).click()
    const sheet = page.locator('.ant-drawer')
    await sheet.getByRole('button', { name: '删除' }).waitFor()
    if (shots) {
      await page.waitForTimeout(500)
      await page.screenshot({ path: join(shots, 'phone-actions.png') })
    }
    await sheet.getByRole('button', { name: '编辑' }).click()
    await page.waitForURL(/form\/detail.*edit=1/)
    assert.deepEqual(phone.problems, [])
    await phone.leave()
    const guest = await person('guest', { width: 390, height: 844 })
    await guest.page.goto(server.url + list)
    await guest.page.getByRole('list').getByRole('link').first().waitFor()
    assert.equal(await guest.page.getByRole('button', { name: '更多操作' }).count(), 0)
    await guest.leave()
  })

  test('a phone says it too', async () => {
    const [phone, boss] = [await person('deputy', { width: 390, height: 844 }), await person('boss')]
    await follow(phone.page)
    const [row] = await boss.rows()
    await boss.save(row, { name: '手机上也看到' })
    await hint(phone.page).waitFor()
    await phone.page.getByText('手机上也看到').waitFor()
    if (shots) await phone.page.screenshot({ path: join(shots, 'phone-changes.png') })
    await hint(phone.page).click()
    await hint(phone.page).waitFor({ state: 'detached' })
    assert.deepEqual([...phone.problems, ...boss.problems], [])
    await phone.leave()
    await boss.leave()
  })
})
