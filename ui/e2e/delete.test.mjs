// Deletion in a real browser against the real program: the check, what it says, the question, every way it ends.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bar, call, openList, partsList, partsPack, rowsOf, tick } from './parts.mjs'
import { browserPath, JOB, openPage, root, said, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })

/** Their answers are the test's own; component tests see what they see. They take the pictures. */
const pictures = { skip: shots || process.env.EVERY ? false : 'with EVERY=1 or SHOTS' }

const CHECK = '**/api/runtime/query/delete_check'

describe('deletion', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock'), partsPack(1200)] })
    server.addUser('boss', 'administrator', '管理员')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  async function journey(run, options = {}) {
    const { page, context, problems } = await openPage(browser, server.url, options)
    try {
      await signIn(page, server.url, 'boss')
      await run(page)
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }
  const open = (page, query = '') => openList(page, server.url + partsList(query))
  const remove = (page) =>
    bar(page)
      .getByRole('button', { name: /^(删除|Delete)$/ })
      .click()
  const question = (page) => page.locator('.ant-modal-confirm')
  const asked = (page, words) => page.locator('.ant-modal-confirm-title').getByText(words, { exact: true }).waitFor()
  const confirm = (page) =>
    question(page)
      .getByRole('button', { name: /删\s*除/ })
      .click()
  const shoot = async (page, name) => {
    if (!shots) return
    await page.waitForTimeout(350)
    await page.screenshot({ path: join(shots, `${name}.png`) })
  }
  const idOf = (page, index) => page.locator(`.ag-row[row-index="${index}"]`).first().getAttribute('row-id')
  const fulfil = (route, envelope, status = 200) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(envelope) })

  test('the last row of the last page goes, and the page before it is shown', async () => {
    await journey(async (page) => {
      await open(page, '?f.lot=L0&size=10&page=2')
      assert.equal(await page.locator('.ag-row[row-index="1"]').count(), 0)
      await tick(page, 0)
      await remove(page)
      await asked(page, '删除 1 条零件？')
      await question(page).getByText('删除后可以在回收站中恢复。').waitFor()
      await confirm(page)
      await said(page, '已删除')
      await page.waitForURL((url) => url.searchParams.get('page') === null || url.searchParams.get('page') === '1')
      await page.locator('.ag-row[row-index="9"]').first().waitFor()
      assert.equal(
        (await rowsOf(page, 'part', { filters: [{ propertyCode: 'lot', propertyValue: 'L0' }] })).totalElements,
        10,
      )
    })
  })

  test('nothing goes while one of the records is referred to, and the reason stands beside its name', async () => {
    await journey(async (page) => {
      await open(page, '?f.lot=L1&size=10')
      const held = await idOf(page, 0)
      const data = { name: '螺栓', serial: 'X-1', whole: { id: held } }
      assert.equal((await call(page, '/api/runtime/form/save', { schemaCode: 'part', data })).errcode, 0)
      await tick(page, 0)
      await tick(page, 1)
      await remove(page)
      const dialog = question(page)
      await asked(page, '这些记录无法删除')
      await dialog.getByText('零件 12', { exact: true }).waitFor()
      await dialog.getByText('被 1 条“零件”引用，不能删除').waitFor()
      await shoot(page, 'bulk-delete-refused')
      await dialog.getByRole('button', { name: /关\s*闭/ }).click()
      await bar(page).waitFor()
      assert.equal(await idOf(page, 0), held)
    })
  })

  test('what others deleted meanwhile is counted; when nothing is left to delete it says so', async () => {
    await journey(async (page) => {
      await open(page, '?f.lot=L1&size=10&page=2')
      const behind = async (id) => {
        const answer = await call(page, '/api/runtime/query/delete', {
          schemaCode: 'part',
          queryCode: 'part',
          ids: [id],
        })
        assert.equal(answer.data.successCount, 1)
      }
      const first = await idOf(page, 0)
      await tick(page, 0)
      await tick(page, 1)
      await remove(page)
      await asked(page, '删除 2 条零件？')
      await behind(first)
      await confirm(page)
      await said(page, '已删除 1 条，1 条未能删除')
      await shoot(page, 'bulk-delete-partly')
      await page.locator(`.ag-row[row-id="${first}"]`).first().waitFor({ state: 'detached' })
      const next = await idOf(page, 0)
      await tick(page, 0)
      await remove(page)
      await asked(page, '删除 1 条零件？')
      await behind(next)
      await confirm(page)
      await said(page, '您没有删除这些记录的权限')
    })
  })

  test('each result code of the check has its words', pictures, async () => {
    await journey(async (page) => {
      await page.route('**/api/runtime/query/list', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        if (body.data?.content?.[4]) body.data.content[4].workflowInstanceId = 'instance'
        await route.fulfill({ response: answer, json: body })
      })
      let codes = [1000, 1001, 1002, 1003]
      await page.route(CHECK, (route) => {
        const { ids } = route.request().postDataJSON()
        const data = ids.map((objectId, i) => ({
          objectId,
          relativeModel: null,
          resultCode: codes[i],
          resultDesc: `原因 ${i}`,
        }))
        return fulfil(route, { errcode: 0, errmsg: '', data })
      })
      await open(page, '?f.lot=L1&size=10')
      for (const index of [1, 2, 3, 4]) await tick(page, index)
      await remove(page)
      for (const words of ['业务数据 1 条', '未关联的流程数据 1 条', '父流程数据 1 条', '子流程数据 1 条']) {
        await question(page).getByText(words, { exact: true }).waitFor()
      }
      await shoot(page, 'bulk-delete-counts')
      await question(page)
        .getByRole('button', { name: /取\s*消/ })
        .click()
      codes = [1000, 1000, 1000, 1004]
      await remove(page)
      await asked(page, '存在不可删除的流程数据')
      await question(page).getByText('原因 3').waitFor()
      await question(page)
        .getByRole('button', { name: /关\s*闭/ })
        .click()

      // Rows of workflows among others are left out of a batch update, with a warning.
      await bar(page).getByRole('button', { name: '批量修改' }).click()
      await page.getByText('流程表单不支持批量修改！').waitFor()
      await page.getByRole('dialog').getByText('将修改 3 条零件').waitFor()
    })
  })

  test('adding that is refused says why: no right, not offered any more', pictures, async () => {
    await journey(async (page) => {
      await open(page, '?size=10')
      for (const [errcode, errmsg] of [
        [700020, '没有新增权限'],
        [401033, '未发布，或此处现在不提供，请刷新页面'],
      ]) {
        await page.route('**/api/runtime/query/add_check', (route) =>
          fulfil(route, { errcode, errmsg, data: null }, 409),
        )
        await page
          .getByRole('button', { name: /新\s*增/ })
          .first()
          .click()
        await page.locator('.ant-message-warning').getByText(errmsg).waitFor()
        if (errcode === 700020) await shoot(page, 'list-add-refused')
        await page.unroute('**/api/runtime/query/add_check')
        assert.equal(new URL(page.url()).pathname, '/application/parts/application-list/part')
      }
      const answer = await call(page, '/api/runtime/query/add_check', { schemaCode: 'part', queryCode: 'withdrawn' })
      assert.equal(answer.errcode, 401033)

      // Rows that do not come: why, for a moment and in the table's place, and another try.
      const rows = '**/api/runtime/query/list'
      await page.route(rows, (route) => fulfil(route, { errcode: 999999, errmsg: '暂时读不到', data: null }, 409))
      await page.reload()
      await page.locator('.ant-message-error').getByText('暂时读不到').waitFor()
      await page.getByText('零件加载失败').waitFor()
      await shoot(page, 'list-failed')
      assert.equal(await page.locator('.ag-row').count(), 0)
      await page.unroute(rows)
      await page.getByRole('button', { name: '重试' }).click()
      await page.locator('.ag-row[row-id]').first().waitFor()
    })
  })

  test('everything that matches is deleted by a job that lists what stayed', async () => {
    await journey(async (page) => {
      await open(page, '?f.grade=A&f.lot=L1&size=10')
      const { totalElements } = await rowsOf(page, 'part', {
        filters: [
          { propertyCode: 'grade', propertyValue: 'A' },
          { propertyCode: 'lot', propertyValue: 'L1' },
        ],
      })
      await page.locator('.ag-header .ag-checkbox-input').first().click()
      const count = totalElements.toLocaleString('en')
      await bar(page)
        .getByRole('button', { name: `选择全部 ${count} 条` })
        .click()
      await remove(page)
      await asked(page, `删除符合条件的 ${count} 条零件？`)
      await confirm(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByText('处理完成').waitFor({ timeout: JOB })
      const { data } = await call(page, '/api/jobs?page=0&size=1')
      assert.equal(data.content[0].kind, 'bulk_delete')
      assert.equal(data.content[0].subject, 'part')
      const { failCount } = data.content[0].result
      assert.ok(failCount <= 1) // the one that another refers to, when it is of this grade
      await dialog
        .getByRole('button', { name: /关\s*闭/ })
        .last()
        .click()
      if (failCount === 0) await page.getByText('未找到符合条件的零件').waitFor()
    })
  })
})
