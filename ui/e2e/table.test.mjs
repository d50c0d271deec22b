// The table in a real browser against the real program: cells, columns, buttons of rows, sub-tables, history.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { browserPath, someOf } from './server.mjs'
import { atRest, columnNames, done, reach, shot, tables, width } from './tables.mjs'

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

/** A button of a row, the width of its whole name in its own font, whichever the machine has, and how large that font is. */
const widthsOf = (button) =>
  button.evaluate((box) => {
    const brush = document.createElement('canvas').getContext('2d')
    const style = getComputedStyle(box)
    brush.font = style.font
    const name = brush.measureText(box.textContent).width
    return {
      cut: box.scrollWidth > box.clientWidth,
      wide: box.clientWidth,
      name,
      em: Number.parseFloat(style.fontSize),
    }
  })

describe('the table', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let lot
  const { session, list } = tables(async (page) => {
    lot = await crowd(page)
  })
  const lots = async (page) => {
    await list(page, 'inspection', '?f.lotNo=&f.part=%E4%B8%8A%E6%B8%B8%E5%BC%95%E8%88%AA%E9%81%93%E5%9C%9F%E6%96%B9')
    await page.locator(`.ag-row[row-id="${lot}"]`).first().waitFor()
  }
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
        none: '所有列均已隐藏',
      },
      en: {
        people: 'People and files',
        more: 'View more',
        card: 'Inspector',
        main: 'Main department',
        team: 'Participants',
        track: 'History',
        columns: 'Column settings',
        all: 'All columns',
        confirm: 'Apply',
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
      await atRest(dialog)
      const all = dialog.getByRole('checkbox', { name: words.all })
      assert.equal(await all.isChecked(), true)
      await rows.nth(4).getByRole('checkbox').click()
      assert.equal(
        await all.evaluate((box) => box.closest('.ant-checkbox')?.classList.contains('ant-checkbox-indeterminate')),
        true,
      )
      // Held for 100 ms a name is dragged; that a shorter press moves nothing, use-drag-order.test.ts shows.
      const names = () => rows.allInnerTexts()
      const first = await names()
      const handle = await rows.nth(3).locator('span[title]').last().boundingBox()
      const at = { x: handle.x + handle.width / 2, y: handle.y + handle.height / 2 }
      await page.mouse.move(at.x, at.y)
      await page.mouse.down()
      await page.waitForTimeout(160) // what is tried; longer does no harm
      await page.mouse.move(at.x, at.y - 72, { steps: 8 })
      await shot(page, `columns-${locale}`)
      await page.mouse.up()
      const moved = await names()
      const named = (row) => row.replace(/^\d+\s*/, '') // without its place
      assert.equal(named(moved[1]), named(first[3]))
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
      await page.setViewportSize({ width: 1470, height: 900 })
      await list(page, 'contract', '?f.status=ACTIVE')
      // Pinned columns take at most half of the table: here two at the left leave no room, and all buttons are behind a mark, at the edge.
      await row().getByRole('button').waitFor()
      assert.equal(await row().locator('button').count(), 1)
      const edge = await row().evaluate((cell) => cell.getBoundingClientRect().right)
      assert.ok(edge > 1430 && edge <= 1470, `in sight: ${edge}`)
      await row().locator('button').click()
      assert.equal(await page.locator('.ant-dropdown:visible').getByRole('menuitem').count(), 4)
      await page.keyboard.press('Escape')
      await page.setViewportSize({ width: 2300, height: 900 })
      await buttonsInSight()
      const buttons = row().locator('button')
      assert.equal(await buttons.count(), 4, 'three and More')
      const third = buttons.nth(2)
      const { cut, wide, name, em } = await widthsOf(third)
      assert.equal(cut, name > wide + 1, `a name of ${name} px in ${wide} px is cut`)
      const room = (locale === 'zh' ? 8 : 9.5) * em
      assert.ok(wide <= room, `after the room of seven Chinese characters and what says that more follow: ${wide} px`)
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
        .getByText(
          locale === 'zh' ? '合同正在履行，确定要变更吗？' : 'This contract is in force. Do you want to amend it?',
        )
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
})
