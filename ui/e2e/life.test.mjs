// The life of records in a real browser against the real program: the recycle bin, histories of rows, earlier versions.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bar, call, rowsOf, tick } from './parts.mjs'
import { browserPath, openPage, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS || null
if (shots) mkdirSync(shots, { recursive: true })

const named = (name, en) => ({ name, name_i18n: { en } })
const property = (code, propertyType, name, en, more = {}) => ({ code, propertyType, ...named(name, en), ...more })

const files = {
  'pack.json': { code: 'orders', ...named('订单', 'Orders'), version: '1.0.0', requires: ['organisation'] },
  'app.json': { ...named('订单', 'Orders'), menu: [{ code: 'order', type: 'BizModel' }] },
  'models/order.json': {
    ...named('订单', 'Order'),
    name_plural_i18n: { en: 'Orders' },
    digest: '{title}',
    properties: [
      property('title', 'ShortText', '标题', 'Title', { required: true }),
      property('number', 'ShortText', '编号', 'Number', { unique: true }),
      property('note', 'LongText', '说明', 'Note'),
      property('lines', 'Sheet', '明细', 'Lines', {
        properties: [
          property('item', 'ShortText', '品名', 'Item', { required: true }),
          property('qty', 'Number', '数量', 'Quantity'),
        ],
      }),
      property('total', 'Number', '合计', 'Total', { computeFormula: 'sum(lines, .qty)' }),
    ],
  },
  'forms/order.json': { schemaCode: 'order', items: ['title', 'number', 'note', 'lines', 'total'] },
  'lists/order.json': {
    schemaCode: 'order',
    ...named('订单', 'Orders'),
    orderBy: ['title'],
    queryConditions: ['title'],
    queryColumns: [{ propertyCode: 'title', width: 200 }, 'number', 'total', 'lines'],
    queryActions: ['add', 'edit', 'delete', 'form_track'],
    queryPresentation: { presentationType: 'table' },
  },
}

function ordersPack() {
  const folder = join(mkdtempSync(join(tmpdir(), 'sluice-orders-')), 'orders')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return folder
}

const list = '/application/orders/application-list/order'

describe('the life of records', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [ordersPack()] })
    server.addUser('boss', 'administrator', '张主管')
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
  const save = async (page, data, more = {}) => {
    const answer = await call(page, '/api/runtime/form/save', { schemaCode: 'order', ...more, data })
    assert.equal(answer.errcode, 0, answer.errmsg)
    return answer.data
  }
  const load = async (page, id) => (await call(page, `/api/runtime/form/load?schemaCode=order&objectId=${id}`)).data
  const titles = async (page) => (await rowsOf(page, 'order')).content.map((row) => row.data.title)
  const shoot = async (page, name) => {
    if (!shots) return
    await page.waitForTimeout(450)
    await page.screenshot({ path: join(shots, `life-${name}.png`) })
  }
  const rowOf = (page, title) => page.locator('.ag-row[row-id]', { hasText: title }).first()

  test('a deletion is undone', async () => {
    await journey(async (page) => {
      await save(page, { title: '撤销用', number: 'U1', lines: [{ item: '甲', qty: '2' }] })
      await page.goto(server.url + list)
      await rowOf(page, '撤销用').waitFor()
      await tick(page, 0)
      await bar(page).getByRole('button', { name: '删除', exact: true }).click()
      const question = page.locator('.ant-modal-confirm')
      await question.getByText('删除后可以在回收站中恢复。').waitFor()
      await question.getByRole('button', { name: /删\s*除/ }).click()
      const undo = page.getByRole('button', { name: /撤\s*销/ })
      await undo.waitFor()
      await shoot(page, 'undo')
      assert.deepEqual(await titles(page), [])
      await undo.click()
      await page.getByText('已撤销删除').waitFor()
      await rowOf(page, '撤销用').waitFor()
      const [row] = (await rowsOf(page, 'order')).content
      const back = await load(page, row.id)
      assert.equal(back.version, 3)
      assert.deepEqual(
        back.data.lines.map((line) => line.item),
        ['甲'],
      )
      assert.equal(back.data.number, 'U1')
      await call(page, '/api/runtime/query/delete', { schemaCode: 'order', ids: [row.id] })
      await call(page, '/api/runtime/recycle/purge', { schemaCode: 'order', ids: [row.id] })
    })
  })

  test('the bin is searched, a record in it looked at and restored, another deleted for ever', async () => {
    await journey(
      async (page) => {
        const ids = []
        for (const title of ['Alpha', 'Beta', 'Gamma'])
          ids.push((await save(page, { title, number: `N-${title}`, lines: [{ item: 'bolt', qty: '3' }] })).id)
        await save(page, { title: 'Standing' })
        await call(page, '/api/runtime/query/delete', { schemaCode: 'order', ids })
        await page.goto(server.url + list)
        await rowOf(page, 'Standing').waitFor()
        await page.getByRole('button', { name: 'More', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Recycle bin' }).click()
        const bin = page.getByRole('dialog', { name: 'Recycle bin of orders' })
        await bin.getByText('Deleted records are kept for 30 days').waitFor()
        await bin.getByRole('button', { name: 'Gamma', exact: true }).waitFor()
        assert.equal(await bin.getByText(/^Deleted by 张主管 on .* · 30 days left$/).count(), 3)
        await shoot(page, 'bin-dark')
        await bin.getByLabel('Search by name').fill('bet')
        await bin.getByLabel('Search by name').press('Enter')
        await bin.getByRole('button', { name: 'Gamma', exact: true }).waitFor({ state: 'detached' })
        await bin.getByRole('button', { name: 'Beta', exact: true }).click()
        const record = page.locator('.ant-drawer').filter({ hasText: 'This record is in the recycle bin' })
        await record.getByText('N-Beta').waitFor()
        await record.getByText('bolt').waitFor()
        assert.equal(await record.getByRole('button', { name: 'Edit', exact: true }).count(), 0)
        await shoot(page, 'bin-record-dark')
        await record.getByRole('button', { name: 'Restore', exact: true }).click()
        await page.getByText('“Beta” restored').waitFor()
        await record.waitFor({ state: 'detached' })
        await bin.getByText('No deleted record has “bet” in its name').waitFor()
        await bin.getByLabel('Search by name').fill('')
        await bin.getByRole('button', { name: 'Delete “Gamma” permanently' }).click()
        const question = page.locator('.ant-modal-confirm')
        await question.locator('.ant-modal-confirm-title').getByText('Delete “Gamma” permanently?').waitFor()
        await question.getByRole('button', { name: 'Delete permanently' }).click()
        await page.getByText('1 record deleted permanently').waitFor()
        await bin.getByRole('button', { name: 'Gamma', exact: true }).waitFor({ state: 'detached' })

        await save(page, { title: 'Usurper', number: 'N-Alpha' })
        await bin.getByRole('button', { name: 'Restore “Alpha”' }).click()
        const refused = page.locator('.ant-modal-confirm')
        await refused.getByText('Number: This value is already in use').waitFor()
        await shoot(page, 'refused-dark')
        await refused.getByRole('button', { name: 'Close' }).click()
        await bin.getByRole('button', { name: 'Close' }).click()
        await rowOf(page, 'Beta').waitFor()
        assert.deepEqual(await titles(page), ['Beta', 'Standing', 'Usurper'])
      },
      { locale: 'en', dark: true },
    )
  })

  test('the history tells of rows, and an earlier version is looked at, filled in and saved', async () => {
    await journey(async (page) => {
      const { id } = await save(page, {
        title: '初稿',
        note: '第一版',
        lines: [
          { item: '甲', qty: '1' },
          { item: '乙', qty: '2' },
        ],
      })
      const first = (await load(page, id)).data.lines
      await save(
        page,
        {
          title: '二稿',
          lines: [
            { item: '丙', qty: '9' },
            { id: first[1].id, qty: '5' },
          ],
        },
        { id, version: 1 },
      )
      await page.goto(`${server.url}/form/detail?schemaCode=order&key=${id}`)
      await page.getByRole('heading', { name: '二稿' }).waitFor()
      await page.getByRole('button', { name: '变更记录' }).click()
      const history = page.getByRole('dialog', { name: '变更记录' })
      await history.getByText('第 1 行“丙”').waitFor()
      await history.getByText('第 1 行“甲”').waitFor()
      await history.getByText('第 2 行“乙”').waitFor()
      assert.equal((await history.getByText(/^(新增|修改|删除)$/).allTextContents()).sort().join(), '修改,删除,新增')
      await shoot(page, 'history')
      await history.getByRole('button', { name: '查看当时的内容' }).click()
      await page.getByText(/^\d{4}-.* 时的内容$/).waitFor()
      await page.getByRole('heading', { name: '初稿' }).waitFor()
      await page.getByText('第 1 版，张主管 保存').waitFor()
      await page.getByRole('cell', { name: '甲', exact: true }).waitFor()
      await shoot(page, 'version')
      await page.getByRole('button', { name: '恢复到此版本' }).click()
      await page.getByText('已填入第 1 版的内容，共 2 项与现有内容不同，核对后请保存').waitFor()
      assert.equal(await page.locator('[data-field="title"] input').inputValue(), '初稿')
      assert.ok(!page.url().includes('revert'))
      await shoot(page, 'revert')
      assert.equal((await load(page, id)).version, 2) // nothing is saved yet
      await page.getByRole('button', { name: /^保\s*存$/ }).click()
      await page.getByText('已保存').waitFor()
      const now = await load(page, id)
      assert.equal(now.version, 3)
      assert.equal(now.data.title, '初稿')
      assert.deepEqual(
        now.data.lines.map((line) => [line.item, Number(line.qty)]),
        [
          ['甲', 1],
          ['乙', 2],
        ],
      )
      assert.equal(now.data.lines[1].id, first[1].id) // the same row
      assert.notEqual(now.data.lines[0].id, first[0].id) // it came back as a new one
      assert.equal(Number(now.data.total), 3)
    })
  })

  test('a moment is picked, and the list tells of rows too', async () => {
    await journey(
      async (page) => {
        const { id } = await save(page, { title: 'Moments', lines: [{ item: 'nut', qty: '1' }] })
        const [line] = (await load(page, id)).data.lines
        await save(page, { lines: [{ id: line.id, qty: '4' }] }, { id, version: 1 })
        await page.goto(`${server.url}/form/detail?schemaCode=order&key=${id}`)
        await page.getByRole('button', { name: 'History' }).click()
        const history = page.getByRole('dialog', { name: 'History' })
        const pick = history.getByLabel('Show as of…')
        await pick.fill('2001-01-01 08:00')
        await pick.press('Enter')
        await history.getByRole('button', { name: 'Open', exact: true }).click()
        await page.getByText("This version doesn't exist: the record didn't exist then, or was deleted").waitFor()
        await page.goto(`${server.url}/form/detail?schemaCode=order&key=${id}`)
        await page.getByRole('button', { name: 'History' }).click()
        await pick.fill('2099-01-01 08:00')
        await pick.press('Enter')
        await history.getByRole('button', { name: 'Open', exact: true }).click()
        await page.getByText('As of 2099-01-01 08:00:00').waitFor()
        await page.getByRole('button', { name: 'Show current version' }).click()
        await page.getByRole('button', { name: 'Show current version' }).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Edit', exact: true }).last().waitFor()
        await page.goto(`${server.url}${list}?f.title=Moments`)
        await rowOf(page, 'Moments').waitFor()
        await tick(page, 0)
        await page.getByRole('button', { name: 'History', exact: true }).first().click()
        const track = page.getByRole('dialog', { name: 'History' })
        await track.getByText('Lines · Row 1 “nut”').first().waitFor()
        assert.equal(await track.getByRole('row', { name: /^Quantity 1\S* 4/ }).count(), 1)
        await shoot(page, 'track')
      },
      { locale: 'en' },
    )
  })

  test('on a phone the bin opens from the list’s actions', async () => {
    await journey(
      async (page) => {
        const { id } = await save(page, { title: '手机上删的', lines: [{ item: '螺母', qty: '1' }] })
        await call(page, '/api/runtime/query/delete', { schemaCode: 'order', ids: [id] })
        await save(page, { title: '还在的' })
        await page.goto(server.url + list)
        await page.getByRole('button', { name: '更多操作' }).first().click()
        await page.getByRole('button', { name: '回收站' }).click()
        const bin = page.getByRole('dialog', { name: '订单回收站' })
        await bin.getByRole('button', { name: '手机上删的', exact: true }).waitFor()
        await shoot(page, 'bin-phone')
        await bin.getByRole('button', { name: '手机上删的', exact: true }).click()
        await page.getByText('此记录在回收站中，只能查看').waitFor()
        await page.getByText('螺母').waitFor()
        await shoot(page, 'bin-record-phone')
        await page.getByRole('button', { name: /^恢\s*复$/ }).click()
        await page.getByText('已恢复“手机上删的”').waitFor()
        assert.ok((await titles(page)).includes('手机上删的'))
        await page.goto(`${server.url}/form/detail?schemaCode=order&key=${id}`)
        await page.getByRole('button', { name: '变更记录' }).click()
        await page.getByText('从回收站恢复了此记录').waitFor()
        await shoot(page, 'history-phone')
        await page.getByRole('button', { name: '查看当时的内容' }).first().click()
        await page.getByRole('button', { name: '恢复到此版本' }).waitFor()
        await shoot(page, 'version-phone')
      },
      { width: 390, height: 844 },
    )
  })
})
