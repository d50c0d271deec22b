// Changes of many records in a real browser against the real program: batch update, its rules, log and undo, owner, copy, jobs
// over everything that matches, phone. SHOTS=docs/screenshots keeps pictures of each dialog.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { faultsOf } from './faults.mjs'
import { bar, call, choose, openList, PARTS, partsList, partsPack, rowsOf, tick } from './parts.mjs'
import { browserPath, JOB, openPage, quiet, root, settled, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const lots = (query = '') => `/application/shiplock/application-list/inspection${query}`
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

describe('many records at once', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock'), partsPack()] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('reader', 'viewer', '查阅员')
    server.addUser('keeper', 'storeman', '仓管员')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

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
  const go = (page, path) => openList(page, server.url + path)
  const press = (page, name) => bar(page).getByRole('button', { name, exact: true }).click()
  const submit = (dialog) => dialog.getByRole('button', { name: /修\s*改$/ }).click()

  test('batch update of ticked rows: empty value refused, success, log, undo', async () => {
    await journey({}, async (page) => {
      await go(page, lots())
      await tick(page, 0)
      await tick(page, 1)
      await press(page, '批量修改')
      const dialog = page.getByRole('dialog')
      await choose(page, dialog, 0, '天气')
      await submit(dialog)
      await dialog.getByText('批量修改不能为空值').waitFor()
      assert.equal((await dialog.locator('.ant-modal-container').boundingBox()).width, 480)
      await choose(page, dialog, 1, '雪')
      const read = page.waitForResponse('**/api/runtime/query/list') // the rows come again
      await submit(dialog)
      await read
      await page.getByText('已修改 2 条').waitFor()
      await dialog.waitFor({ state: 'hidden' })
      assert.equal(await bar(page).count(), 0)
      const snow = (await rowsOf(page, 'inspection')).content.filter((row) => row.data.weather === 'SNOW')
      assert.ok(snow.length >= 2)

      await tick(page, 0)
      await page.keyboard.press('b')
      await dialog.getByRole('button', { name: '批量修改记录' }).click()
      await dialog.getByText('共 2 条，成功 2，失败 0').first().waitFor()
      assert.equal((await dialog.locator('.ant-modal-container').boundingBox()).width, 810)
      await dialog
        .getByRole('button', { name: /撤\s*销/ })
        .first()
        .click()
      await page
        .locator('.ant-modal-confirm')
        .getByRole('button', { name: /撤\s*销/ })
        .click()
      await page.getByText('已恢复 2 条').waitFor()
      const after = (await rowsOf(page, 'inspection')).content.filter((row) => row.data.weather === 'SNOW')
      assert.equal(after.length, snow.length - 2)
    })
  })

  test('limits, patterns and rules: what no record can take is said at once, what some cannot in a list', async () => {
    await journey({}, async (page) => {
      await go(page, partsList('?size=10'))
      await tick(page, 0)
      await tick(page, 1)
      await press(page, '批量修改')
      const dialog = page.getByRole('dialog')
      await dialog.locator('input[role="combobox"]').first().click()
      const options = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      await options.first().waitFor()
      assert.deepEqual(await options.allTextContents(), [
        '名称',
        '批次',
        '等级',
        '记号',
        '说明',
        '重量',
        '限重',
        '保管人',
      ])
      await page.keyboard.press('Escape')
      await choose(page, dialog, 0, '说明')
      const value = dialog.getByLabel('修改为')
      await value.fill('字'.repeat(60))
      assert.equal((await value.inputValue()).length, 60, 'nothing is cut in silence')
      await submit(dialog)
      await dialog.getByText('说明最大长度不能超过50', { exact: true }).waitFor()
      await choose(page, dialog, 0, '记号')
      assert.equal(await value.inputValue(), '', 'another field, another value')
      await value.fill('ab')
      await submit(dialog)
      await dialog.getByText('记号写作 AB-123').waitFor()
      await choose(page, dialog, 0, '重量')
      await value.fill('12345678901234567')
      await submit(dialog)
      await dialog.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
      await value.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('50')
      await submit(dialog)
      const results = page.getByRole('dialog').filter({ hasText: '处理结果' })
      await results.getByText('成功 1 条，失败 1 条').waitFor()
      await results.getByText('重量不能超过限重').waitFor()
      assert.equal(await results.locator('tbody tr').count(), 2)
      await results.getByRole('button', { name: '只看失败' }).click()
      assert.deepEqual(await results.locator('tbody tr a').allTextContents(), ['零件 2'])
    })
  })

  test('everything that matches: a job whose progress is there after a reload, its results, its undo', async () => {
    await journey({}, async (page) => {
      await go(page, partsList('?size=10'))
      await page.locator('.ag-header .ag-checkbox-input').first().click()
      await press(page, '选择全部 4,321 条')
      await bar(page).getByText('已选全部 4,321 条').waitFor()
      await press(page, '批量修改')
      let dialog = page.getByRole('dialog')
      await dialog.getByText('将修改 4,321 条零件').waitFor()
      await choose(page, dialog, 0, '说明')
      await dialog.getByLabel('修改为').fill('统一说明')
      await submit(dialog)
      await dialog.getByText(/正在处理，已完成 [1-9][\d,]* \/ 4,321|处理完成/).waitFor()
      await page.reload()
      // On a quick server it may have ended before the page is there again, which finds it all the same.
      const pill = page.getByRole('button', { name: /^批量修改零件：(\d+%|已完成)$/ })
      await pill.waitFor()
      if (shots) await page.screenshot({ path: join(shots, 'bulk-job-reloaded.png') })
      await pill.click()
      dialog = page.getByRole('dialog')
      await dialog.getByText('处理完成').waitFor({ timeout: JOB })
      await dialog.getByText('成功 4,321 条，失败 0 条').waitFor()
      await dialog.locator('tbody tr').nth(19).waitFor()
      assert.equal(
        (await rowsOf(page, 'part', { filters: [{ propertyCode: 'name', propertyValue: '零件' }] })).totalElements,
        PARTS,
      )
      const same = (await rowsOf(page, 'part', { page: 20 })).content
      assert.ok(same.every((row) => row.data.note === '统一说明'))
      await dialog
        .getByRole('button', { name: /关\s*闭/ })
        .last()
        .click()
      await dialog.waitFor({ state: 'hidden' })

      await tick(page, 0)
      await press(page, '批量修改')
      await dialog.getByRole('button', { name: '批量修改记录' }).click()
      await dialog.getByText('共 4,321 条，成功 4,321，失败 0').waitFor()
      await dialog
        .getByRole('button', { name: /撤\s*销/ })
        .first()
        .click()
      await page
        .locator('.ant-modal-confirm')
        .getByRole('button', { name: /撤\s*销/ })
        .click()
      await page.getByText('撤销零件的批量修改').first().waitFor()
      await page.getByRole('button', { name: '转到后台' }).click()
      await page.getByText('撤销零件的批量修改：成功 4,321 条，失败 0 条').waitFor({ timeout: JOB })
      await page.getByRole('button', { name: '撤销零件的批量修改：已完成' }).click()
      await page.getByRole('dialog').getByText('成功 4,321 条，失败 0 条').waitFor()
      assert.ok((await rowsOf(page, 'part', { page: 20 })).content.every((row) => row.data.note === null))
    })
  })

  test('change the owner: must be chosen, remark stands in the history', async () => {
    await journey({}, async (page) => {
      await go(page, lots())
      const id = await page.locator('.ag-row[row-index="0"]').first().getAttribute('row-id')
      await tick(page, 0)
      await press(page, '修改拥有者')
      const dialog = page.getByRole('dialog')
      await submit(dialog)
      await dialog.getByText('请选择拥有者', { exact: true }).waitFor()
      await dialog.locator('input[role="combobox"]').first().fill('林国栋')
      await page.locator('.ant-select-item-option').filter({ hasText: '林国栋' }).first().click()
      await dialog.getByText('工程管理部（主部门）').waitFor()
      const remark = dialog.locator('textarea').first()
      await remark.fill('字'.repeat(1001))
      assert.equal((await remark.inputValue()).length, 1000)
      await remark.fill('岗位调整')
      const path = '**/api/runtime/query/modify_owner'
      const failure = JSON.stringify({ errcode: 999999, errmsg: '暂时不能修改', data: null })
      await page.route(path, (route) => route.fulfill({ status: 409, contentType: 'application/json', body: failure }))
      await submit(dialog)
      await page.locator('.ant-message-error').getByText('暂时不能修改').waitFor()
      await dialog.locator('.ant-btn-loading').waitFor({ state: 'detached' })
      await page.unroute(path)
      await submit(dialog)
      await page.getByText('已修改 1 条记录的拥有者').waitFor()
      const history = await call(page, '/api/runtime/track/detail', { schemaCode: 'inspection', bizObjectId: id })
      assert.equal(history.data.content[0].remark, '岗位调整')
    })
  })

  test('rows without the right are counted before and named after', async () => {
    await journey({ user: 'keeper' }, async (page) => {
      await go(page, partsList('?size=10'))
      await tick(page, 0)
      await tick(page, 1)
      await press(page, '修改拥有者')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('其中 1 条您没有修改拥有者的权限，不会修改。').waitFor()
      await dialog.locator('input[role="combobox"]').first().fill('林国栋')
      await page.locator('.ant-select-item-option').filter({ hasText: '林国栋' }).first().click()
      await submit(dialog)
      const results = page.getByRole('dialog').filter({ hasText: '处理结果' })
      await results.getByText('成功 1 条，失败 1 条').waitFor()
      await results.getByText('没有权限执行此操作').waitFor()
    })
  })

  test('copy opens a filled form that the person saves', async () => {
    await journey({}, async (page) => {
      await go(page, lots())
      const row = page.locator('.ag-row[row-index="0"]')
      const part = await row.locator('[col-id="part"]').first().textContent()
      await row.locator('[col-id="lotNo"]').first().hover()
      await page.getByRole('button', { name: '更多操作' }).first().click()
      await page.getByRole('menuitem', { name: '复制' }).click()
      await page.waitForURL(/copyFrom=/)
      await page.getByRole('button', { name: '保存', exact: true }).waitFor()
      await page.waitForFunction(
        (words) => [...document.querySelectorAll('input')].some((input) => input.value === words),
        part,
      )
      if (shots) await page.screenshot({ path: join(shots, 'bulk-copy.png') })
      await page.goto(server.url + partsList('?size=10'))
      const third = page.locator('.ag-row[row-index="2"]').first()
      await third.locator('[col-id="name"]').hover()
      await third.getByRole('button', { name: '更多操作' }).click()
      await page.getByRole('menuitem', { name: '复制' }).click()
      await page.locator('[data-field="serial"] input').fill('COPY-1')
      await page.getByRole('button', { name: '保存', exact: true }).click()
      await page
        .getByText(/已保存/)
        .first()
        .waitFor()
      const { content } = await rowsOf(page, 'part', { orderByFields: ['serial'], orderType: 1, size: 1 })
      assert.deepEqual([content[0].data.serial, content[0].data.grade], ['COPY-1', 'A'])
    })
  })

  test('the lists of the example offer what their people may do', async () => {
    await journey({}, async (page) => {
      for (const code of ['site', 'drawing', 'qbs', 'contract']) {
        await go(page, `/application/shiplock/application-list/${code}`)
        await tick(page, 0)
        for (const name of ['批量修改', '修改拥有者', '删除'])
          await bar(page).getByRole('button', { name, exact: true }).waitFor()
      }
    })
    await journey({ user: 'reader' }, async (page) => {
      await go(page, lots())
      assert.equal(await page.locator('.ag-row .ag-checkbox-input').count(), 0, 'nothing is done with ticked rows')
      await page.locator('.ag-row[row-index="0"]').hover()
      assert.equal(await page.getByRole('button', { name: /批量修改|修改拥有者|复制/ }).count(), 0)
    })
  })

  const looks = {
    phone: { width: 390, height: 844 },
    ...((shots || process.env.EVERY) && { 'en-light': { locale: 'en' } }),
    ...(shots && { 'zh-light': {}, 'zh-dark': { dark: true } }),
  }
  const words = {
    zh: {
      batch: '批量修改',
      owner: '修改拥有者',
      log: '修改记录',
      all: /^选择全部/,
      remove: '删除',
      select: '选择',
      stop: /停\s*止/,
    },
    en: {
      batch: 'Bulk update',
      owner: 'Change owner',
      log: 'Bulk update log',
      all: /^Select all/,
      remove: 'Delete',
      select: 'Select',
      stop: 'Stop',
    },
  }
  for (const [look, options] of Object.entries(looks)) {
    test(`every dialog, ${look}: all within the screen, every control named`, async () => {
      const phone = look === 'phone'
      const t = words[options.locale ?? 'zh']
      const faults = []
      await journey(options, async (page) => {
        const take = async (name) => {
          await quiet(page)
          await settled(page)
          faults.push(...(await faultsOf(page)).map((fault) => `${name}: ${fault}`))
          if (shots) await page.screenshot({ path: join(shots, `bulk-${name}-${look}.png`) })
        }
        const open = async (path) => {
          await page.goto(server.url + path)
          await page
            .locator(phone ? 'ul li a[href*="/form/detail"]' : '.ag-row[row-id]')
            .first()
            .waitFor()
          if (phone) await page.getByRole('button', { name: t.select, exact: true }).click()
        }
        const mark = (index) =>
          phone ? page.locator('ul li').getByRole('checkbox').nth(index).click() : tick(page, index)
        const dialog = page.locator('.ant-modal, .ant-drawer').last()
        await open(partsList('?f.lot=L1&size=10'))
        await mark(0)
        await mark(1)
        await take('bar')
        await press(page, t.batch)
        await choose(page, dialog, 0, look.startsWith('en') ? 'Mark' : '记号')
        await dialog.locator('input[type="text"]:not([role="combobox"])').last().fill('ab')
        await dialog.locator('.ant-btn-primary').click()
        await dialog.getByText('AB-123').waitFor()
        await take('batch')
        await choose(page, dialog, 0, look.startsWith('en') ? 'Weight' : '重量')
        await dialog.locator('input:not([role="combobox"])').last().fill('50')
        await dialog.locator('.ant-btn-primary').click()
        await dialog.locator('tbody tr').nth(1).waitFor()
        await take('results')
        await open(partsList('?f.lot=L1&size=10'))
        await mark(0)
        await press(page, t.batch)
        await dialog.getByRole('button', { name: t.log }).click()
        await dialog.locator('tbody tr').first().waitFor()
        await take('log')
        await open(partsList('?f.lot=L1&size=10'))
        await mark(0)
        await press(page, t.owner)
        await dialog.locator('input[role="combobox"]').first().fill('林国栋')
        await page.locator('.ant-select-item-option').filter({ hasText: '林国栋' }).first().click()
        await dialog.locator('input[role="combobox"]').nth(1).waitFor()
        await take('owner')
        await open(partsList('?f.lot=L1&size=10'))
        await mark(2)
        await press(page, t.remove)
        await page.locator('.ant-modal-confirm').waitFor()
        await take('delete')
        if (phone) return
        await open(partsList('?f.lot=L1&size=10'))
        await page.locator('.ag-header .ag-checkbox-input').first().click()
        await press(page, t.all)
        await take('all')
        await press(page, t.batch)
        await choose(page, dialog, 0, look.startsWith('en') ? 'Weight' : '重量')
        await dialog.locator('input:not([role="combobox"])').last().fill('50')
        await dialog.locator('.ant-btn-primary').click()
        const running = dialog.getByText(/[1-9][\d,]* (\/|of) 1,989/)
        await running.or(dialog.locator('tbody tr').nth(19)).first().waitFor()
        if (shots && (await running.isVisible())) {
          await page.screenshot({ path: join(shots, `bulk-job-running-${look}.png`) })
        }
        await dialog.locator('tbody tr').nth(19).waitFor()
        await take('job')
      })
      assert.deepEqual(faults, [])
    })
  }
})
