// The table in a real browser against the real program: cells, columns, buttons of rows, sub-tables, history, page layouts.
// SHOTS=docs/screenshots keeps the pictures.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { hostilePack, seedHostile } from './hostile.mjs'
import { browserPath, openPage, root, signIn, someOf, startBrowser, startServer } from './server.mjs'

const folder = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (folder) mkdirSync(folder, { recursive: true })

describe('the table', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  let lot
  const opened = {}

  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock'), hostilePack()] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('visitor', 'viewer', '来访者')
    browser = await startBrowser()
    const { page } = await session('zh')
    await seedHostile(page)
    await done(page, '/api/runtime/form/save', { schemaCode: 'thing', data: { name: '标记', body: '<p>粗体</p>' } })
    lot = await crowd(page)
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** One signed-in page a language. */
  async function session(locale) {
    if (!opened[locale]) {
      opened[locale] = await openPage(browser, server.url, { locale })
      await signIn(opened[locale].page, server.url, 'boss')
    }
    opened[locale].problems.length = 0
    return opened[locale]
  }
  const call = (page, path, body) =>
    page.evaluate(
      async ([to, what]) => {
        const answer = await fetch(to, {
          method: what ? 'POST' : 'GET',
          headers: { 'Content-Type': 'application/json', 'Accept-Language': 'en' },
          ...(what ? { body: JSON.stringify(what) } : {}),
        })
        return answer.json()
      },
      [path, body],
    )
  const done = async (page, path, body) => {
    const answer = await call(page, path, body)
    assert.equal(answer.errcode, 0, JSON.stringify(answer))
    return answer.data
  }
  /** A lot with 24 people, 22 items and a history. */
  async function crowd(page) {
    const ids = []
    for (let i = 0; i < 24; i++)
      ids.push(
        (
          await done(page, '/api/runtime/form/save', {
            schemaCode: 'user',
            data: { username: `crowd${i}`, name: `参加者${i}`, mobile: `1380000${1000 + i}` },
          })
        ).id,
      )
    const { content } = await done(page, '/api/runtime/query/list', {
      schemaCode: 'inspection',
      size: 1,
      filters: [{ propertyCode: 'lotNo', propertyValue: 'JYP-2024-001' }],
    })
    const { id } = content[0]
    const items = Array.from({ length: 22 }, (_, i) => ({
      item: i % 2 ? `平整度 ${i}` : `标高 ${i}`,
      points: 10,
      passed: 10 - (i % 3),
      value: String(i),
      ok: i % 3 === 0,
    }))
    let { version } = content[0]
    for (const data of [{ team: ids, items }, { quantity: '20000', remark: '<b>粗体</b>' }, { quantity: '15000.5' }])
      version = (
        await done(page, '/api/runtime/form/save', {
          schemaCode: 'inspection',
          sheetCode: 'inspection',
          id,
          version,
          data,
        })
      ).version
    return id
  }
  const shot = async (page, name) => {
    if (!folder) return
    await page.waitForTimeout(350)
    await page.screenshot({ path: join(folder, `table-${name}.png`) })
  }
  const list = (page, code, query = '', app = 'shiplock') =>
    page.goto(`${server.url}/application/${app}/application-list/${code}${query}`)
  const lots = async (page) => {
    await list(page, 'inspection', '?f.lotNo=&f.part=%E4%B8%8A%E6%B8%B8%E5%BC%95%E8%88%AA%E9%81%93%E5%9C%9F%E6%96%B9')
    await page.locator(`.ag-row[row-id="${lot}"]`).first().waitFor()
  }
  const cell = (page, id, code) => page.locator(`.ag-row[row-id="${id}"] .ag-cell[col-id="${code}"]`)
  /** Scrolls the grid until a cell is drawn. */
  async function reach(page, id, code) {
    for (let i = 0; i < 20 && (await cell(page, id, code).count()) === 0; i++) {
      await page.locator('.ag-grid-viewport').evaluate((box) => box.scrollBy({ left: 300 }))
      await page.waitForTimeout(100)
    }
    const found = cell(page, id, code)
    await found.scrollIntoViewIfNeeded()
    await page.waitForTimeout(300) // a grid that scrolls closes what is open over it
    return found
  }
  /** Without the dialog's coming in. */
  const width = (dialog) => dialog.evaluate((box) => box.closest('.ant-modal')?.offsetWidth ?? box.offsetWidth)
  const columnNames = (page) =>
    page.locator('.ag-header-cell[col-id]').evaluateAll((all) => all.map((one) => one.getAttribute('col-id')))

  for (const [locale, words] of someOf(
    Object.entries({
      zh: {
        people: '人员与附件',
        more: '查看更多',
        card: '检查人',
        main: '主部门',
        team: '参加人',
        track: '变更记录',
        columns: '列设置',
        all: '全选',
        confirm: '确定',
        reset: '恢复默认',
        comfortable: '宽松',
        none: '一列也没有显示',
      },
      en: {
        people: 'People and files',
        more: 'View more',
        card: 'Inspector',
        main: 'Main department',
        team: 'Attended by',
        track: 'Changes',
        columns: 'Columns',
        all: 'All columns',
        confirm: 'OK',
        reset: 'Reset',
        comfortable: 'Comfortable',
        none: 'All columns are hidden',
      },
    }),
  )) {
    test(`${locale}: 2 people in a cell, 20 in its popover, all in the record; a card on click`, async () => {
      const { page, problems } = await session(locale)
      await lots(page)
      const team = await reach(page, lot, 'team')
      assert.equal(await team.locator('button[aria-haspopup="dialog"]').count(), 2)
      assert.match(await team.textContent(), /\+22/)
      await team.locator('[role="note"]').hover()
      const popover = page.locator('.ant-popover:visible').last()
      await popover.getByRole('button', { name: words.more }).waitFor()
      await popover.locator('button[aria-haspopup="dialog"]').nth(19).waitFor()
      assert.equal(await popover.locator('button[aria-haspopup="dialog"]').count(), 20)
      assert.match(await popover.textContent(), /…/)
      await shot(page, `people-${locale}`)
      await popover.getByRole('button', { name: words.more }).click()
      await page.waitForURL(/\/form\/detail/)
      await page.getByText(words.people, { exact: true }).click()
      await page.locator('[data-field="team"]').getByText('参加者23', { exact: true }).waitFor()
      await page.goBack()

      await lots(page)
      const inspector = await reach(page, lot, 'inspector')
      await inspector.locator('button').click()
      const card = page.getByRole('dialog').filter({ hasText: words.main })
      await card.waitFor()
      assert.match(await card.textContent(), /@example\.com/)
      await shot(page, `card-${locale}`)
      await page.keyboard.press('Escape')
      assert.deepEqual(problems, [])
    })

    test(`${locale}: columns are chosen, dragged and remembered; rows change their height`, async () => {
      const { page, problems } = await session(locale)
      await list(page, 'contract')
      await page.locator('.ag-row[row-id]').first().waitFor()
      const before = await columnNames(page)
      // Row numbers are 48 px wide and stay at the left; a tick of some rows is a middle state of all.
      const numbers = page.locator('.ag-header-cell[col-id="#"]')
      const { x, width: wide } = await numbers.boundingBox()
      assert.equal(wide, 48)
      await page.locator('.ag-grid-viewport').evaluate((box) => box.scrollBy({ left: 600 }))
      assert.equal((await numbers.boundingBox()).x, x)
      await page.locator('.ag-grid-viewport').evaluate((box) => box.scrollTo({ left: 0 }))
      const every = page.locator('.ag-header .ag-checkbox-input').first()
      await page.locator('.ag-row[row-index="0"] input[type="checkbox"]').first().click()
      assert.equal(await every.evaluate((box) => box.indeterminate), true)
      await every.click()
      await page.waitForFunction(() => document.querySelector('.ag-header .ag-checkbox-input')?.checked)
      assert.equal(await every.evaluate((box) => box.indeterminate), false)
      await page.keyboard.press('Escape')
      const height = () =>
        page
          .locator('.ag-row[row-id]')
          .first()
          .evaluate((row) => row.getBoundingClientRect().height)
      assert.equal(await height(), 36)
      await page.getByRole('button', { name: words.columns }).click()
      const dialog = page.getByRole('dialog')
      const rows = dialog.locator('li:not([aria-hidden])')
      await rows.first().waitFor()
      await page.waitForTimeout(400) // the dialog comes in
      const all = dialog.getByRole('checkbox', { name: words.all })
      assert.equal(await all.isChecked(), true)
      await rows.nth(4).getByRole('checkbox').click()
      assert.equal(
        await all.evaluate((box) => box.closest('.ant-checkbox')?.classList.contains('ant-checkbox-indeterminate')),
        true,
      )
      // A short press moves nothing; held for 100 ms it does.
      const handle = await rows.nth(3).locator('span[title]').last().boundingBox()
      const at = { x: handle.x + handle.width / 2, y: handle.y + handle.height / 2 }
      const drag = async (hold) => {
        await page.mouse.move(at.x, at.y)
        const began = Date.now()
        await page.mouse.down()
        await page.waitForTimeout(hold)
        await page.mouse.move(at.x, at.y - 40, { steps: 4 })
        const took = Date.now() - began
        await page.mouse.move(at.x, at.y - 72, { steps: 4 })
        if (hold > 100) {
          await page.waitForTimeout(200)
          await shot(page, `columns-${locale}`)
        }
        await page.mouse.up()
        return took
      }
      const names = () => rows.allInnerTexts()
      const asWas = await names()
      const took = await drag(0)
      if (took < 100) assert.deepEqual(await names(), asWas) // a busy machine holds longer than it means to
      const first = await names()
      await drag(160)
      const moved = await names()
      assert.equal(moved[1], first[3])
      await dialog.getByText(words.comfortable).click()
      await dialog.getByRole('button', { name: words.confirm }).click()
      await dialog.waitFor({ state: 'hidden' })
      assert.equal(await height(), 44)
      const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('contract_columns_options')))
      assert.equal(stored.contract.order[1], before[before.indexOf('name') + 2] ?? stored.contract.order[1])
      assert.equal(stored.contract.hidden.length, 1)

      // What was remembered of columns that are gone, or is nonsense, harms nothing else.
      await page.evaluate(() => {
        const kept = JSON.parse(localStorage.getItem('contract_columns_options'))
        kept.contract.order.unshift('gone')
        kept.contract.hidden.push('gone', 7)
        kept.contract.shown = 'nonsense'
        localStorage.setItem('contract_columns_options', JSON.stringify(kept))
        localStorage.setItem('contract_width_records', '{"gone": 10, "kind": 12, "status": "x"}')
      })
      await page.reload()
      await page.locator('.ag-row[row-id]').first().waitFor()
      assert.equal((await columnNames(page)).includes(stored.contract.hidden[0]), false)

      // Narrower than 70 px a column never gets.
      const status = page.locator('.ag-header-cell[col-id="status"]')
      const grip = await status.locator('.ag-header-cell-resize').boundingBox()
      await page.mouse.move(grip.x + grip.width / 2, grip.y + 10)
      await page.mouse.down()
      await page.mouse.move(grip.x - 300, grip.y + 10, { steps: 6 })
      await page.mouse.up()
      const width = (await status.boundingBox()).width
      assert.ok(width >= 70, `${width} px`)
      const widths = await page.evaluate(() => JSON.parse(localStorage.getItem('contract_width_records')))
      assert.ok(widths.status >= 70)

      await page.getByRole('button', { name: words.columns }).click()
      await rows.first().waitFor()
      if (!(await all.isChecked())) await all.click()
      await all.click()
      await dialog.getByRole('status').getByText(words.none).waitFor()
      await dialog.getByRole('button', { name: words.confirm }).click()
      await page.getByText(words.none).first().waitFor()
      await shot(page, `no-columns-${locale}`)
      await page.getByRole('button', { name: words.columns, exact: true }).click()
      await dialog.getByRole('button', { name: words.reset }).click()
      await page.locator('.ag-row[row-id]').first().waitFor()
      await page.evaluate(() => localStorage.removeItem('list_row_height'))
      assert.deepEqual(problems, [])
    })

    test(`${locale}: what was changed, in one record and in several`, async () => {
      const { page, problems } = await session(locale)
      await lots(page)
      const icon = page.getByRole('button', { name: words.track }).first()
      assert.equal(await icon.isDisabled(), true)
      const tick = (id) => page.locator(`.ag-row[row-id="${id}"] input[type="checkbox"]`).first().click()
      await tick(lot)
      await icon.click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('[data-trend="down"]').first().waitFor()
      assert.equal(await width(dialog), 640)
      assert.ok((await dialog.locator('[data-trend="up"]').count()) > 0)
      assert.ok((await dialog.locator('[data-trend="down"]').count()) > 0)
      assert.match(await dialog.textContent(), /20,?000/)
      await shot(page, `track-${locale}`)
      await dialog.locator('.ant-modal-close').click()
      await dialog.waitFor({ state: 'hidden' })

      const ids = await page
        .locator('.ag-row[row-id]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('row-id')))
      for (const id of ids.filter((one) => one !== lot && one !== 'footer').slice(0, 2)) await tick(id)
      await icon.click()
      await dialog.locator('article').first().waitFor()
      assert.equal(await width(dialog), 800)
      const title = dialog.locator('article button').first()
      assert.match(await title.textContent(), /JYP-2024-001/)
      await shot(page, `track-list-${locale}`)
      await title.click()
      await page.waitForURL(new RegExp(`key=${lot}`))
      assert.deepEqual(problems, [])
    })

    test(`${locale}: a sub-table shows 2 rows, 7 when pointed at, and all in a popup that filters on the server`, async () => {
      const { page, problems } = await session(locale)
      await lots(page)
      const items = await reach(page, lot, 'items')
      assert.match(await items.textContent(), /\+20/)
      await items.hover()
      const popover = page.locator('.ant-popover:visible').last()
      await popover.getByText('标高 6').waitFor()
      assert.equal(await popover.getByText('平整度 7').count(), 0)
      await shot(page, `sheet-cell-${locale}`)
      await popover.getByRole('button').click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('tbody tr').nth(19).waitFor()
      assert.equal(await dialog.locator('tbody tr').count(), 20)
      assert.equal(await width(dialog), 1200)
      await dialog.locator('.ant-pagination-item-2').click()
      await dialog.locator('tbody tr').nth(2).waitFor({ state: 'detached' })
      assert.match(await dialog.locator('tbody tr').last().textContent(), /^22/)
      const asked = page.waitForRequest(
        (request) =>
          request.url().endsWith('/api/runtime/query/sheet_rows') && (request.postData() ?? '').includes('平整度'),
      )
      await dialog.locator('search input').first().fill('平整度')
      await page.keyboard.press('Enter')
      await asked
      await dialog.locator('tbody tr').nth(10).waitFor()
      assert.equal(await dialog.locator('tbody tr').count(), 11)
      await shot(page, `sheet-${locale}`)
      await page.keyboard.press('Escape')
      assert.deepEqual(problems, [])
    })

    test(`${locale}: buttons of rows: three and More, a tooltip for a long name, and where each leads`, async () => {
      const { page, context, problems } = await session(locale)
      const row = () => page.locator('.ag-row[row-id] .ag-cell[col-id="#actions"]').first()
      const buttonsInSight = async (last = 3) => {
        await page.locator('.ag-row[row-id]').first().waitFor()
        await row().locator('button').nth(last).waitFor()
      }
      await list(page, 'contract', '?f.status=ACTIVE')
      // Pinned columns take at most half of the table: here all buttons are behind a mark, at the edge.
      await row().getByRole('button').waitFor()
      assert.equal(await row().locator('button').count(), 1)
      const edge = await row().evaluate((cell) => cell.getBoundingClientRect().right)
      assert.ok(edge > 1400 && edge <= 1440, `in sight: ${edge}`)
      await row().locator('button').click()
      assert.equal(await page.locator('.ant-dropdown:visible').getByRole('menuitem').count(), 4)
      await page.keyboard.press('Escape')
      await page.setViewportSize({ width: 1920, height: 900 })
      await buttonsInSight()
      const buttons = row().locator('button')
      assert.equal(await buttons.count(), 4, 'three and More')
      const third = buttons.nth(2)
      const shown = await third.evaluate((button) => [button.scrollWidth > button.clientWidth, button.clientWidth])
      assert.equal(shown[0], true, 'a long name is cut')
      const room = locale === 'zh' ? 7 * 14 + 14 : 8 * 9
      assert.ok(shown[1] <= room, `after seven characters: ${shown[1]} px`)
      await third.hover()
      await page
        .getByRole('tooltip')
        .filter({ hasText: locale === 'zh' ? '在新标签页中打开合同' : 'Open in a new tab' })
        .waitFor()
      await shot(page, `buttons-${locale}`)
      const tab = context.waitForEvent('page')
      await third.click()
      const other = await tab
      await other.waitForURL(/\/form\/detail\?schemaCode=contract&key=/)
      await other.close()

      await buttons.nth(3).click()
      await page.locator('.ant-dropdown:visible').getByRole('menuitem').first().click()
      await page
        .getByText(locale === 'zh' ? '合同正在履行，确定要变更吗？' : 'This contract is in force. Amend it?')
        .waitFor()
      await shot(page, `confirm-${locale}`)
      await page.locator('.ant-modal-confirm-btns button').last().click()
      await page.waitForURL(/edit=1/)
      await page.goBack()

      await list(page, 'contract', '?f.status=ACTIVE')
      await buttonsInSight()
      await buttons.nth(1).click()
      await page.waitForURL(/relPropertyCode=contract/)
      await page
        .locator('[data-field="contract"]')
        .getByText(/合同|工程/)
        .first()
        .waitFor()
      await shot(page, `related-form-${locale}`)
      await page.goBack()

      await list(page, 'contract', '?f.status=ACTIVE')
      await buttonsInSight()
      await buttons.nth(0).click()
      await page.waitForURL(/application-list\/inspection\?queryCode=inspection&f\.contract=/)
      await list(page, 'contract', '?f.status=CLOSED')
      await buttonsInSight(1)
      assert.equal(await row().locator('button').count(), 2, 'what a row does not allow is not drawn')
      assert.deepEqual(problems, [])
    })
  }

  test('a page is laid out by its definition: a note, filters beside the table, columns that stay', async () => {
    for (const locale of ['zh', 'en']) {
      const { page, problems } = await session(locale)
      await list(page, 'site', '?queryCode=site_board')
      await page.locator('.ag-row[row-id]').first().waitFor()
      await page.getByText(locale === 'zh' ? '每周一由各工点负责人' : 'Each Monday the keepers').waitFor()
      const aside = await page.locator('aside').last().boundingBox()
      const grid = await page.locator('.ag-root-wrapper').boundingBox()
      assert.equal(Math.round(aside.width), 260)
      assert.ok(aside.x + aside.width <= grid.x + 1, 'beside the table')
      const columns = await columnNames(page)
      assert.equal(columns.includes('#'), false, 'rowOrdinal: false')
      assert.equal(await page.locator('.ag-header-cell[col-id="kind"] .ag-header-cell-resize:visible').count(), 0)
      const keeper = await page.locator('.ag-header-cell[col-id="keeper"]').boundingBox()
      assert.ok(Math.abs(keeper.x + keeper.width - grid.x - grid.width) < 20, 'fixed at the right')
      assert.equal(await page.locator('.ag-row input[type="checkbox"]').count(), 0, 'nothing takes ticked rows')
      await shot(page, `layout-${locale}`)
      assert.deepEqual(problems, [])
    }
  })

  test('a layout that cannot be used says why, and the usual page is there; a header that is not fixed goes with its rows', async () => {
    for (const locale of someOf(['zh', 'en'])) {
      const { page, problems } = await session(locale)
      await page.route('**/api/runtime/query/list', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        const states = ['DRAFT', 'PROCESSING', 'COMPLETED', 'CANCELED'] // the states come with workflows
        for (const [i, state] of states.entries()) {
          body.data.content[i].sequenceStatus = state
          body.data.content[i].data.sequenceStatus = state
        }
        await route.fulfill({ response: answer, json: body })
      })
      await list(page, 'thing', '?queryCode=thing_plain&size=100', 'hostile')
      await page.locator('.ag-row[row-id]').first().waitFor()
      const fault = page.getByRole('alert').first()
      assert.match(await fault.textContent(), locale === 'zh' ? /页面没有“fliter”/ : /the page has no part "fliter"/)
      await page.locator('#filter-name').waitFor()
      assert.equal(await page.locator('.ag-row input[type="checkbox"]').count(), 0, 'rowSelectable: false')
      const grounds = await page.evaluate(() =>
        [0, 1, 2, 3].map((i) => getComputedStyle(document.querySelector(`.ag-row[row-index="${i}"]`)).backgroundColor),
      )
      assert.notEqual(grounds[0], grounds[2], 'a draft is marked')
      assert.equal(grounds[0], grounds[1], 'so is what is in progress')
      assert.equal(grounds[2], grounds[3])
      await shot(page, `layout-fault-${locale}`)

      const header = page.locator('.ag-header').first()
      const before = (await header.boundingBox()).y
      await page.locator('[data-scrolls="all"]').evaluate((box) => box.scrollBy({ top: 200 }))
      await page.waitForFunction(
        (top) => document.querySelector('.ag-header').getBoundingClientRect().top < top - 100,
        before,
      )
      await page.unroute('**/api/runtime/query/list')

      // The labels of states are codes on the wire.
      await page.locator('[data-scrolls="all"]').evaluate((box) => box.scrollTo({ top: 0 }))
      const asked = page.waitForRequest(
        (request) => request.url().endsWith('/query/list') && (request.postData() ?? '').includes('"PROCESSING"'),
      )
      await page.locator('#filter-sequenceStatus').click()
      await page
        .locator('.ant-select-item-option')
        .getByText(locale === 'zh' ? '进行中' : 'In progress')
        .click()
      await page.keyboard.press('Escape')
      await asked
      await page.waitForURL(/f\.sequenceStatus=PROCESSING/)
      assert.deepEqual(problems, [])
    }
  })

  test('scroll bars that hide come when the pointer is over the table; a fixed header stays', async () => {
    const { page, problems } = await session('zh')
    const opacity = () =>
      page
        .locator('.ag-body-horizontal-scroll, .ag-body-vertical-scroll')
        .first()
        .evaluate((bar) => getComputedStyle(bar).opacity)
    await list(page, 'site', '?queryCode=site_board')
    await page.locator('.ag-row[row-id]').first().waitFor()
    await page.mouse.move(5, 5)
    assert.equal(await opacity(), '0')
    await page.locator('.ag-row[row-id]').first().hover()
    assert.equal(await opacity(), '1')
    await list(page, 'thing', '?size=100', 'hostile')
    await page.locator('.ag-row[row-id]').first().waitFor()
    assert.equal(await page.locator('[data-bars], [data-scrolls]').count(), 0)
    const header = page.locator('.ag-header').first()
    const before = (await header.boundingBox()).y
    const row = await page.locator('.ag-row[row-id]').first().getAttribute('row-id')
    await page.locator('.ag-grid-viewport').evaluate((box) => box.scrollBy({ top: 3000 }))
    await page.locator(`.ag-row[row-id="${row}"]`).waitFor({ state: 'detached' })
    assert.equal((await header.boundingBox()).y, before)
    assert.deepEqual(problems, [])
  })

  test('the rows of a sub-table are filtered by words, figures, yes and no, people, departments and days', async () => {
    const { page, problems } = await session('zh')
    const [people, departments] = await Promise.all(
      ['user', 'department'].map((schemaCode) => done(page, '/api/runtime/query/list', { schemaCode, size: 2 })),
    )
    const [ones, units] = [people.content, departments.content]
    const rows = Array.from({ length: 9 }, (_, i) => ({
      item: `明细 ${i}`,
      figure: String(i),
      ok: i % 2 === 0,
      by: { id: ones[i % 2].id },
      unit: { id: units[i < 4 ? 0 : 1].id },
      when: `2026-03-0${i + 1}`,
    }))
    const { id } = await done(page, '/api/runtime/form/save', { schemaCode: 'thing', data: { name: '各种明细', rows } })
    await list(page, 'thing', '?f.name=%E5%90%84%E7%A7%8D%E6%98%8E%E7%BB%86', 'hostile')
    await page.locator(`.ag-row[row-id="${id}"]`).first().waitFor()
    const items = await reach(page, id, 'rows')
    await items.hover()
    await page.locator('.ant-popover:visible').last().getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('tbody tr').nth(8).waitFor()
    const field = (code) => dialog.locator(`#sheet-filter-${code}`)
    /** Waits until these rows, by their numbers, are shown. */
    const shows = (...numbers) =>
      page.waitForFunction(
        (want) =>
          [...document.querySelectorAll('.ant-modal tbody tr td:nth-child(2)')]
            .map((cell) => cell.textContent.replace('明细 ', ''))
            .join() === want,
        numbers.join(),
      )
    const reset = async () => {
      await dialog.getByRole('button', { name: '重置' }).click()
      await shows(0, 1, 2, 3, 4, 5, 6, 7, 8)
    }
    await field('item').fill('细 3')
    await page.keyboard.press('Enter')
    await shows(3)
    await reset()
    await field('figure').fill('6')
    await page.keyboard.press('Enter')
    await shows(6, 7, 8)
    await reset()
    await field('ok').click()
    await page.locator('.ant-select-item-option').getByText('是', { exact: true }).click()
    await shows(0, 2, 4, 6, 8)
    await field('when').click()
    for (const [code, day] of [
      ['when', '2026-03-02'],
      ['when-end', '2026-03-05'],
    ]) {
      await field(code).fill(day)
      await field(code).press('Enter')
    }
    await shows(2, 4)
    await shot(page, 'sheet-kinds')
    await reset()
    for (const [code, word, numbers] of [
      ['by', ones[1].data.name, [1, 3, 5, 7]],
      ['unit', units[1].data.name, [4, 5, 6, 7, 8]],
    ]) {
      await field(code).click()
      await field(code).fill(word)
      const choices = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
      await choices.getByText(word, { exact: true }).first().click()
      await shows(...numbers)
      await page.keyboard.press('Escape')
      await choices.waitFor({ state: 'detached' })
      await reset()
    }
    assert.deepEqual(problems, [])
  })

  test('300 tags and 10,000 characters stay small; markup says that it is not shown', async () => {
    const { page, problems } = await session('zh')
    await list(page, 'thing', '', 'hostile')
    await page.locator('.ag-row[row-id]').first().waitFor()
    const lengths = await page
      .locator('.ag-cell')
      .evaluateAll((cells) => cells.map((one) => one.textContent?.length ?? 0))
    assert.ok(Math.max(...lengths) < 400, `${Math.max(...lengths)} characters in a cell`)
    const tags = page.locator('.ag-cell[col-id="tags"] [role="note"]').first()
    await tags.scrollIntoViewIfNeeded()
    await tags.hover()
    const popover = page.locator('.ant-popover:visible').last()
    await popover.getByText('…').waitFor()
    await popover.getByRole('button', { name: '查看更多' }).waitFor()
    await shot(page, 'tags')
    await page.mouse.move(5, 5)
    await page.locator('.ag-grid-viewport').evaluate((box) => box.scrollBy({ left: 2000 }))
    await page.locator('.ag-cell[col-id="body"]').getByText('此内容不支持显示').waitFor()
    assert.deepEqual(problems, [])
  })

  test('figures that are scrolled out at either side stand at that edge', async () => {
    const { page, problems } = await session('zh')
    await page.setViewportSize({ width: 780, height: 900 })
    await list(page, 'inspection')
    await page.locator('.ag-row[row-id]').first().waitFor()
    const right = page.locator('[data-side="right"] button', { hasText: '金额合计' })
    await right.waitFor()
    await page.locator('.ag-grid-viewport').evaluate((box) => box.scrollTo({ left: box.scrollWidth }))
    const left = page.locator('[data-side="left"] button', { hasText: '金额合计' })
    await left.waitFor()
    assert.equal(await right.count(), 0)
    await shot(page, 'totals')
    await left.click()
    await left.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1440, height: 900 })
    assert.deepEqual(problems, [])
  })

  test('a list that is coming, that failed, that is empty and that found nothing', async () => {
    const { page, problems } = await session('zh')
    const LIST = '**/api/runtime/query/list'
    let answer
    await page.route(LIST, async (route) => {
      await answer
      await route.fulfill({ status: 500, json: { errcode: 100001, errmsg: '数据库没有回应', data: null } })
    })
    answer = page.waitForEvent('console', { predicate: (one) => one.text() === 'go on' })
    await list(page, 'site')
    await page.locator('[data-rows-come]').waitFor()
    await shot(page, 'state-loading')
    await page.evaluate(() => console.log('go on'))
    const failed = page.getByRole('alert').filter({ hasText: '没能读取工点' })
    await failed.getByText('数据库没有回应').waitFor()
    assert.equal(await page.locator('.ag-row').count(), 0)
    await shot(page, 'state-failed')
    await page.unroute(LIST)
    await failed.getByRole('button', { name: /重\s*试/ }).click()
    await page.locator('.ag-row[row-id]').first().waitFor()
    assert.equal(await failed.count(), 0)
    await list(page, 'site', '?f.name=%E6%B2%A1%E6%9C%89')
    await page.getByText('没有符合条件的工点').waitFor()
    await shot(page, 'state-no-match')
    await page.getByRole('button', { name: '清除条件' }).click()
    await page.locator('.ag-row[row-id]').first().waitFor()
    await list(page, 'nothing', '', 'hostile')
    await page.getByText('还没有空模型').waitFor()
    await page.getByRole('button', { name: '新增' }).nth(1).waitFor()
    await shot(page, 'state-empty')
    assert.deepEqual(
      problems.filter((one) => !/status of 500/.test(one)),
      [],
    )
  })

  test('both test addresses of lists answer', async () => {
    const { page, problems } = await session('zh')
    await page.goto(`${server.url}/test-specific-model-list1/site`)
    await page.getByText('占位列表').waitFor()
    await shot(page, 'placeholder')
    await page.goto(`${server.url}/test-specific-model-list2/site`)
    await page.locator('.ag-row[row-id]').first().waitFor()
    // Changes are told of where the list has the action only.
    await page.getByRole('button', { name: '列设置' }).waitFor()
    assert.equal(await page.getByRole('button', { name: '变更记录' }).count(), 0)
    // A list that only `code` names.
    await page.goto(`${server.url}/application/shiplock/application-list?code=site&f.name=`)
    await page.waitForURL((url) => url.pathname === '/application/shiplock/application-list/site')
    await page.locator('.ag-row[row-id]').first().waitFor()
    assert.deepEqual(problems, [])
  })

  test('who may not use an action has neither its button nor its call', async () => {
    const { page, context } = await openPage(browser, server.url)
    await signIn(page, server.url, 'visitor')
    await list(page, 'contract')
    await page.locator('.ag-row[row-id]').first().waitFor()
    assert.equal(await page.locator('[col-id="#actions"]').count(), 0)
    assert.equal(await page.getByRole('button', { name: '变更记录' }).count(), 0)
    const id = await page.locator('.ag-row[row-id]').first().getAttribute('row-id')
    const pressed = await call(page, '/api/runtime/query/run_action', {
      schemaCode: 'contract',
      actionCode: 'page',
      objectIds: [id],
    })
    assert.equal(pressed.errcode, 302061)
    const tracked = await call(page, '/api/runtime/track/list', { schemaCode: 'contract', bizObjectIds: [id] })
    assert.equal(tracked.errcode, 700001)
    await context.close()
  })
})
