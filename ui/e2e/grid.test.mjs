// A sub-table as a spreadsheet: by keyboard, pasted into, put in another order, taken back, summed, saved and refused; on a
// phone as cards. SHOTS=folder keeps pictures.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { faultsOf } from './faults.mjs'
import { call } from './parts.mjs'
import { browserPath, openPage, signIn, someOf, startBrowser, startServer } from './server.mjs'

const named = (code, propertyType, name, en, more = {}) => ({ code, propertyType, name, name_i18n: { en }, ...more })
const option = (code, name, en, color) => ({ code, name, name_i18n: { en }, color })
const columns = [
  named('item', 'ShortText', '名称', 'Item', { required: true, maxLength: 20 }),
  named('grade', 'Dropdown', '等级', 'Grade', {
    options: [option('A', '一等', 'First', 'green'), option('B', '二等', 'Second', 'orange')],
  }),
  named('qty', 'Number', '数量', 'Quantity', { scale: 2, min: '0' }),
  named('price', 'Number', '单价', 'Price', { scale: 2 }),
  named('amount', 'Number', '金额', 'Amount', { scale: 2, computeFormula: 'round(row.qty * row.price, 2)' }),
  named('day', 'Date', '日期', 'Date'),
  named('ok', 'Logic', '合格', 'Passed'),
  named('keeper', 'StaffSingle', '负责人', 'Keeper'),
  named('note', 'LongText', '说明', 'Note'),
]
const documents = {
  'pack.json': {
    code: 'bills',
    name: '账单',
    name_i18n: { en: 'Bills' },
    version: '1.0.0',
    requires: ['organisation'],
  },
  'app.json': { name: '账单', name_i18n: { en: 'Bills' }, menu: [{ code: 'bill', type: 'BizModel' }] },
  'models/bill.json': {
    name: '账单',
    name_i18n: { en: 'Bill' },
    properties: [
      named('title', 'ShortText', '标题', 'Title'),
      named('total', 'Number', '总额', 'Total', { scale: 2, computeFormula: 'sum(items, .amount)' }),
      named('items', 'Sheet', '明细', 'Items', { properties: columns, maxRows: 500 }),
    ],
    dataRules: [
      {
        propertyCode: 'items.qty',
        checkType: 'formula',
        formula: 'empty(row.qty) or row.qty <= 1000',
        message: '数量不能超过 1000',
        message_i18n: { en: 'The quantity must not exceed 1000' },
      },
    ],
  },
  'forms/bill.json': {
    schemaCode: 'bill',
    name: '账单',
    name_i18n: { en: 'Bill' },
    items: ['title', 'total', { propertyCode: 'items', span: 2, sumRow: ['qty', 'amount'] }],
    actions: ['save'],
  },
  'lists/bill.json': {
    schemaCode: 'bill',
    name: '账单',
    name_i18n: { en: 'Bills' },
    queryColumns: ['title'],
    queryActions: ['add', 'edit'],
  },
}

const words = {
  zh: {
    add: '添加一行',
    remove: '删除此行',
    edit: '编辑',
    unread: '2 格无法识别',
    lost: '有 3 行未粘贴',
    refused: '第 2 行“数量”：数量不能超过 1000',
    undo: '撤销',
    done: '完成',
  },
  en: {
    add: 'Add a row',
    remove: 'Delete row',
    edit: 'Edit',
    unread: "2 cells couldn't be read",
    lost: '3 rows not pasted',
    refused: 'Row 2, Quantity: The quantity must not exceed 1000',
    undo: 'Undo',
    done: 'Done',
  },
}

describe('a sub-table as a spreadsheet', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  let pack
  before(async () => {
    pack = mkdtempSync(join(tmpdir(), 'sluice-grid-'))
    for (const [name, value] of Object.entries(documents)) {
      mkdirSync(dirname(join(pack, name)), { recursive: true })
      writeFileSync(join(pack, name), JSON.stringify(value))
    }
    server = await startServer({ packs: [pack] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('lin', 'staff', '林晓')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(pack, { recursive: true, force: true })
  })

  const open = async (options = {}, query = '') => {
    const opened = await openPage(browser, server.url, options)
    await signIn(opened.page, server.url, 'boss')
    await opened.page.goto(`${server.url}/form/detail?schemaCode=bill&sheetCode=bill${query}`)
    await opened.page.locator('[data-field="items"]').waitFor()
    return opened
  }
  const at = (page, row, column) =>
    page.locator(
      `[data-field="items"] [data-at="${row}:${typeof column === 'number' ? column : columns.findIndex(({ code }) => code === column)}"]`,
    )
  const text = async (page, row, column) => ((await at(page, row, column).textContent()) ?? '').trim()
  const says = (page, row, column, expected) =>
    page
      .waitForFunction(
        ([place, wanted]) =>
          document.querySelector(`[data-field="items"] [data-at="${place}"]`)?.textContent?.trim() === wanted,
        [`${row}:${columns.findIndex(({ code }) => code === column)}`, expected],
      )
      .catch(async (cause) => {
        throw new Error(`${row}:${column} says ${await text(page, row, column)} and not ${expected}`, { cause })
      })
  const paste = (page, text) =>
    page.evaluate((plain) => {
      const data = new DataTransfer()
      data.setData('text/plain', plain)
      document.activeElement.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, text)
  const take = async (page, name) => {
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `grid-${name}.png`) })
    assert.deepEqual(await faultsOf(page), [], name)
  }
  const saved = (page) => page.waitForURL((to) => to.searchParams.has('key'))
  const rowsOf = async (page, id) =>
    (await call(page, `/api/runtime/form/load?schemaCode=bill&sheetCode=bill&objectId=${id}`)).data.data.items

  for (const locale of someOf(['zh', 'en']))
    test(`filled by keyboard and from a spreadsheet, ${locale}`, async () => {
      const w = words[locale]
      const { page, context, problems } = await open({ locale, dark: locale === 'en' })
      await take(page, `empty-${locale}`)
      await page.locator('[data-field="items"] [data-add]').click()
      // Typing begins, Tab goes on, Enter returns to the column where the row began and adds a row.
      await page.keyboard.type('Pump')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.type('2')
      await page.keyboard.press('Tab')
      await page.keyboard.type('1.25')
      await page.keyboard.press('Enter')
      await says(page, 0, 'amount', '2.50')
      await page.keyboard.press('Enter')
      await page.keyboard.type('Valve')
      await page.keyboard.press('Enter')
      await says(page, 1, 'item', 'Valve')
      // F2 keeps what is there; Esc gives up.
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('F2')
      await page.keyboard.type('s')
      await page.keyboard.press('Escape')
      await says(page, 0, 'item', 'Pump')
      await page.keyboard.press('F2')
      await page.keyboard.type('s')
      await page.keyboard.press('Enter')
      await says(page, 0, 'item', 'Pumps')

      // A block with quoted cells, separators, a percentage-free figure, a label, a person and two mistakes.
      await at(page, 1, 'item').click()
      await paste(
        page,
        [
          '"Gate\nleft"\t二等\t1,200.5\t3\t\t2026/3/5\t是\t林晓\t"a ""b"""',
          'Rail\t五等\tabc\t¥4\t\t20260306\tno\t\t',
        ].join('\r\n'),
      )
      await says(page, 1, 'item', 'Gate left')
      await says(page, 1, 'qty', '1,200.50')
      await says(page, 1, 'day', '2026-03-05')
      await says(page, 1, 'keeper', '林晓')
      await says(page, 1, 'note', 'a "b"')
      await says(page, 2, 'qty', 'abc')
      await says(page, 2, 'price', '4.00')
      await page.locator('[role="status"]', { hasText: w.unread }).waitFor()
      assert.equal(await at(page, 2, 'grade').getAttribute('aria-invalid'), 'true')
      assert.equal(await page.locator('[data-sum="qty"]').textContent(), '1,202.50')
      assert.equal(await page.locator('[data-sum="amount"]').textContent(), '3,604.00')
      await take(page, `pasted-${locale}`)

      // Mistakes are not saved, here; then the server refuses one, and its cell says so.
      await page.keyboard.press('Control+s')
      await page.locator('[data-field="items"] [role="alert"]').waitFor()
      assert.equal(new URL(page.url()).searchParams.get('key'), null)
      await at(page, 2, 'grade').click()
      await page.keyboard.press('Delete')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.type('7')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+s')
      await page.getByText(w.refused).waitFor()
      await page.waitForFunction(() => document.activeElement?.dataset.keys === '1:2')
      await page.getByText(w.refused, { exact: true }).waitFor() // and nothing more: the third row is right now
      assert.equal(await at(page, 1, 'qty').getAttribute('aria-invalid'), 'true')
      await take(page, `refused-${locale}`)
      await page.keyboard.type('12.5')
      await page.keyboard.press('Enter')

      // Order, copies, removal and the way back.
      const order = async () =>
        [await text(page, 0, 'item'), await text(page, 1, 'item'), await text(page, 2, 'item')].join()
      await at(page, 2, 'item').click()
      await page.keyboard.press('Alt+ArrowUp')
      assert.equal(await order(), 'Pumps,Rail,Gate left')
      await page.keyboard.press('Control+z')
      assert.equal(await order(), 'Pumps,Gate left,Rail')
      await page.keyboard.press('Control+y')
      const [from, to] = await Promise.all([
        page.locator('[data-row="2"]').boundingBox(),
        page.locator('[data-row="0"]').boundingBox(),
      ])
      await page.mouse.move(from.x + 10, from.y + 10)
      await page.mouse.down()
      await page.mouse.move(from.x + 10, from.y - 10, { steps: 4 })
      await page.mouse.move(to.x + 10, to.y + 2, { steps: 8 })
      await page.mouse.up()
      assert.equal(await order(), 'Gate left,Pumps,Rail')
      await at(page, 0, 'price').click()
      await at(page, 2, 'price').click({ modifiers: ['Shift'] })
      await page.keyboard.press('Control+d')
      assert.equal(await text(page, 2, 'price'), '3.00')
      await page.getByRole('button', { name: w.remove }).click()
      await page.locator('[data-field="items"] [data-row="1"]').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+z')
      await says(page, 2, 'price', '3.00')
      // What is copied is what a spreadsheet reads.
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await at(page, 0, 'item').click()
      await at(page, 0, 'day').click({ modifiers: ['Shift'] })
      await page.keyboard.press('Control+c')
      assert.equal(
        await page.evaluate(() => navigator.clipboard.readText()),
        '"Gate\nleft"\t二等\t12.5\t3\t37.5\t2026-03-05'
          .replace('二等', locale === 'zh' ? '二等' : 'Second')
          .replace('"Gate\nleft"', 'Gate left'),
      )

      await page.keyboard.press('Control+s')
      await saved(page)
      const id = new URL(page.url()).searchParams.get('key')
      const rows = await rowsOf(page, id)
      assert.deepEqual(
        rows.map(({ item, qty, price, amount, ok }) => [item, qty, price, amount, ok]),
        [
          ['Gate left', '12.5', '3', '37.5', true],
          ['Pumps', '2', '3', '6', null],
          ['Rail', '7', '3', '21', false],
        ],
      )
      await page.reload()
      await page.locator('[data-field="items"] [role="row"]', { hasText: 'Rail' }).waitFor()
      await take(page, `read-${locale}`)
      assert.deepEqual(problems, [])
      await context.close()
    })

  test('500 rows: only those in sight are drawn, and no more fit', async () => {
    const { page, context, problems } = await open()
    const items = Array.from({ length: 498 }, (_, i) => ({ item: `n${i}`, qty: '1', price: '1' }))
    const { data } = await call(page, '/api/runtime/form/save', {
      schemaCode: 'bill',
      sheetCode: 'bill',
      data: { items },
    }).catch(() => ({}))
    assert.ok(data?.id)
    await page.goto(`${server.url}/form/detail?schemaCode=bill&sheetCode=bill&key=${data.id}&edit=1`)
    await at(page, 0, 'item').click()
    assert.ok((await page.locator('[data-field="items"] [role="row"]').count()) < 60)
    await page.keyboard.press('Control+ArrowDown')
    await page.waitForFunction(() => document.activeElement?.dataset.keys === '497:0')
    await paste(page, ['a', 'b', 'c', 'd', 'e', 'f'].join('\n'))
    await page.locator('[role="status"]', { hasText: words.zh.lost }).waitFor()
    await says(page, 499, 'item', 'c')
    assert.equal(await page.locator('[data-sum="qty"]').textContent(), '498.00')
    await take(page, 'full')
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: words.zh.edit, exact: true }).waitFor()
    assert.equal((await rowsOf(page, data.id)).length, 500)
    assert.deepEqual(problems, [])
    await context.close()
  })

  test('on a phone a row is a card', async () => {
    const { page, context, problems } = await open({ width: 390, height: 844 })
    const items = page.locator('[data-field="items"]')
    await items.locator('[data-add]').click()
    const panel = page.getByRole('dialog')
    await panel.locator('[data-column="item"] input').fill('泵')
    await panel.locator('[data-column="qty"] input').fill('3')
    await panel.locator('[data-column="price"] input').fill('1.5')
    await panel.locator('[data-column="amount"]').getByText('4.50').waitFor()
    await take(page, 'phone-row')
    await panel.getByRole('button', { name: words.zh.done }).click()
    await items.getByRole('button', { name: /泵/ }).waitFor()
    await panel.waitFor({ state: 'hidden' })
    await take(page, 'phone')
    await page.getByRole('button', { name: '保存', exact: true }).click()
    await saved(page)
    const [row] = await rowsOf(page, new URL(page.url()).searchParams.get('key'))
    assert.deepEqual([row.item, row.qty, row.amount], ['泵', '3', '4.5'])
    assert.deepEqual(problems, [])
    await context.close()
  })
})
