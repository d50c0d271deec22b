// The program is killed under open pages and started again: nothing that was saved or typed is lost, and the pages go on.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, quiet, root, signIn, startBrowser, startServer } from './server.mjs'

const list = '/application/shiplock/application-list/drawing'

describe('a server that is killed and comes back', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('deputy', 'administrator', '副经理')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  async function person(name, run) {
    const { page, context, problems } = await openPage(browser, server.url)
    try {
      await signIn(page, server.url, name)
      const call = (path, body) =>
        page.evaluate(
          async ([to, data]) => {
            const headers = { 'Content-Type': 'application/json' }
            const answer = await fetch(to, data ? { method: 'POST', headers, body: JSON.stringify(data) } : {})
            return (await answer.json()).data
          },
          [path, body ?? null],
        )
      await run(page, call)
      const own = problems.filter((one) => !/net::ERR_/.test(one))
      assert.deepEqual(own, [])
    } finally {
      await context.close()
    }
  }
  const button = (page, name) => page.getByRole('button', { name, exact: true })

  test('what is typed stays while the server is away, and is saved once when it is back', () =>
    person('boss', async (page, call) => {
      const { content } = await call('/api/runtime/query/list', {
        schemaCode: 'drawing',
        page: 0,
        size: 1,
        filters: [],
      })
      const { id, version } = content[0]
      const load = `/api/runtime/form/load?schemaCode=drawing&objectId=${id}`
      await page.goto(`${server.url}/form/detail?schemaCode=drawing&key=${id}`)
      await button(page, '编辑').click()
      const name = page.locator('[data-field="name"] input')
      await name.fill('断电前输入的图名')
      await quiet(page)
      await server.restart(async () => {
        await button(page, '保存').click()
        await page
          .getByText(/无法连接服务器|网络已断开/)
          .first()
          .waitFor()
        assert.equal(await name.inputValue(), '断电前输入的图名')
      })
      await button(page, '保存').click()
      await button(page, '编辑').waitFor()
      const after = await call(load)
      assert.equal(after.data.name, '断电前输入的图名')
      assert.equal(after.version, version + 1)
    }))

  test('a list that is asked for meanwhile says so, again on request, and comes by itself', () =>
    person('boss', async (page) => {
      await page.goto(server.url + list)
      await quiet(page) // with the files of all that is on it
      await page.locator('.ag-row[row-id]').first().waitFor()
      await server.restart(async () => {
        await page.getByRole('columnheader', { name: '图名' }).click()
        const asked = page.waitForRequest('**/api/runtime/query/list')
        await button(page, '重试').click()
        await asked
        await button(page, '重试').waitFor()
      })
      await page.locator('.ag-row[row-id]').first().waitFor()
    }))

  test('a part of the page that is asked for meanwhile comes by itself', () =>
    person('boss', async (page) => {
      await page.goto(server.url + list)
      await page.locator('.ag-row[row-id]').first().waitFor()
      await quiet(page)
      const note = page.getByText('无法连接服务器，恢复后自动继续…')
      await server.restart(async () => {
        await button(page, '列设置').click()
        await note.waitFor()
      })
      await page.getByRole('dialog').waitFor()
      await note.waitFor({ state: 'detached' })
    }))

  test('an open list hears of changes again', () =>
    person('boss', (page) =>
      person('deputy', async (_, call) => {
        await page.goto(server.url + list)
        await page.locator('.ag-row[row-id]').first().waitFor()
        const hears = page.waitForResponse(
          (answer) => answer.url().includes('/api/events?watch=drawing') && answer.ok(),
        )
        await server.restart(async () => {})
        await hears
        const id = await page.locator('.ag-row[row-id]').first().getAttribute('row-id')
        const { version } = await call(`/api/runtime/form/load?schemaCode=drawing&objectId=${id}`)
        await call('/api/runtime/form/save', { schemaCode: 'drawing', id, version, data: { name: '重启后的改动' } })
        await page.locator(`.ag-row[row-id="${id}"]`, { hasText: '重启后的改动' }).first().waitFor()
      }),
    ))

  test('who is signed in stays so', () =>
    person('deputy', async (page) => {
      await page.goto(server.url + list)
      await page.locator('.ag-row[row-id]').first().waitFor()
      await server.restart(async () => {})
      await page.reload()
      await page.locator('.ag-row[row-id]').first().waitFor()
      assert.equal(await page.getByText('登录').count(), 0)
    }))
})
