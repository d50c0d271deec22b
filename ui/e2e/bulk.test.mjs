// Changes of many records in a real browser against the real program: batch update, its undo, owner, copy, delete, phone.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, signIn, sluice, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? join(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const list = (code, query = '') => `/application/shiplock/application-list/${code}${query}`
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

describe('many records at once', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    sluice('user', 'add', '--data', server.data, '--role', 'administrator', '--full-name', '管理员', 'boss')
    sluice('user', 'add', '--data', server.data, '--role', 'viewer', '--full-name', '查阅员', 'reader')
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
    } catch (error) {
      if (shots) await page.screenshot({ path: join(shots, 'failed.png') })
      throw error
    } finally {
      await context.close()
    }
  }
  const shoot = async (page, name) => {
    if (!shots) return
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(shots, `${name}.png`) })
  }
  const go = async (page, path) => {
    await page.goto(server.url + path)
    await page.locator('.ag-row[row-id]').first().waitFor()
  }
  const tick = (page, index) => page.locator(`.ag-row[row-index="${index}"] .ag-checkbox-input`).first().click()
  const bar = (page) => page.getByRole('toolbar', { name: '操作' })
  const rows = (page, filters = []) =>
    page.evaluate(async (wanted) => {
      const answer = await fetch('/api/runtime/query/list', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
        body: JSON.stringify({ schemaCode: 'inspection', queryCode: 'inspection', size: 100, filters: wanted }),
      })
      return (await answer.json()).data
    }, filters)
  const choose = async (page, dialog, words) => {
    await dialog.locator('input[role="combobox"]').first().click()
    await page.keyboard.type(words)
    await page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
      .getByText(words, { exact: true })
      .first()
      .click()
  }

  test('batch update of ticked rows: empty value refused, success, log, undo', async () => {
    await journey({}, async (page) => {
      await go(page, list('inspection'))
      await tick(page, 0)
      await tick(page, 1)
      await shoot(page, 'bulk-bar')
      await bar(page).getByRole('button', { name: '批量修改' }).click()
      const dialog = page.getByRole('dialog')
      await choose(page, dialog, '天气')
      await dialog.getByRole('button', { name: '修改', exact: true }).click()
      await dialog.getByText('批量修改不能为空值').waitFor()
      await shoot(page, 'bulk-empty')
      await dialog.locator('input[role="combobox"]').nth(1).click()
      await page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').getByText('雪').first().click()
      await dialog.getByRole('button', { name: '修改', exact: true }).click()
      await page.getByText('已修改 2 条').waitFor()
      assert.equal(await bar(page).count(), 0)
      const snow = (await rows(page)).content.filter((row) => row.data.weather === 'SNOW')
      assert.ok(snow.length >= 2)

      await tick(page, 0)
      await page.keyboard.press('b')
      await dialog.getByRole('button', { name: '修改记录' }).click()
      await dialog.getByText('共 2 条，成功 2，失败 0').first().waitFor()
      await shoot(page, 'bulk-log')
      await dialog.getByRole('button', { name: '撤销' }).first().click()
      await page.locator('.ant-modal-confirm').getByRole('button', { name: '撤销' }).click()
      await page.getByText('已恢复 2 条').waitFor()
      assert.equal((await rows(page)).content.filter((row) => row.data.weather === 'SNOW').length, snow.length - 2)
    })
  })

  test('all that match: one job with progress and results', async () => {
    await journey({}, async (page) => {
      await go(page, list('inspection', '?size=10'))
      await page.locator('.ag-header .ag-checkbox-input').first().click()
      await bar(page)
        .getByRole('button', { name: /选择全部/ })
        .click()
      await bar(page)
        .getByText(/已选全部/)
        .waitFor()
      await bar(page).getByRole('button', { name: '批量修改' }).click()
      const dialog = page.getByRole('dialog')
      await choose(page, dialog, '备注')
      await dialog.getByLabel('修改为').fill('统一备注')
      await dialog.getByRole('button', { name: '修改', exact: true }).click()
      await page.getByText(/成功 \d+ 条，失败 \d+ 条/).waitFor({ timeout: 30_000 })
      await dialog.locator('tbody tr').first().waitFor()
      await shoot(page, 'bulk-job')
      const { jobs } = await page.evaluate(async () => ({
        jobs: (await (await fetch('/api/jobs')).json()).data.content,
      }))
      assert.equal(jobs[0].kind, 'batch_update')
      assert.equal(jobs[0].result.total, matching)
    })
  })

  test('change the owner: must be chosen, remark stands in the history', async () => {
    await journey({}, async (page) => {
      await go(page, list('inspection'))
      const id = await page.locator('.ag-row[row-index="0"]').first().getAttribute('row-id')
      await tick(page, 0)
      await bar(page).getByRole('button', { name: '修改拥有者' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: '修改', exact: true }).click()
      await dialog.getByText('请选择拥有者', { exact: true }).waitFor()
      await dialog.locator('input[role="combobox"]').first().fill('林国栋')
      await page.locator('.ant-select-item-option').filter({ hasText: '林国栋' }).first().click()
      await dialog.getByText('工程管理部（主部门）').waitFor()
      await dialog.locator('textarea').first().fill('岗位调整')
      await shoot(page, 'bulk-owner')
      await dialog.getByRole('button', { name: '修改', exact: true }).click()
      await page.getByText('已修改 1 条记录的拥有者').waitFor()
      const remark = await page.evaluate(async (bizObjectId) => {
        const answer = await fetch('/api/runtime/track/detail', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
          body: JSON.stringify({ schemaCode: 'inspection', bizObjectId }),
        })
        return (await answer.json()).data.content[0].remark
      }, id)
      assert.equal(remark, '岗位调整')
    })
  })

  test('copy opens a filled form that the person saves', async () => {
    await journey({}, async (page) => {
      await go(page, list('inspection'))
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
      await shoot(page, 'bulk-copy')
    })
  })

  test('who may not change many records is offered nothing', async () => {
    await journey({ user: 'reader' }, async (page) => {
      await go(page, list('inspection'))
      await tick(page, 0)
      assert.equal(await page.getByRole('button', { name: /批量修改|修改拥有者|复制/ }).count(), 0)
    })
  })

  test('on a phone the actions stand in a sheet', async () => {
    await journey({ width: 390, height: 844 }, async (page) => {
      await page.goto(server.url + list('inspection'))
      await page.getByRole('button', { name: '选择', exact: true }).click()
      await page.getByRole('checkbox').first().click()
      await bar(page).getByRole('button', { name: '批量修改' }).click()
      await page.locator('.ant-drawer').getByText('修改字段').waitFor()
      await shoot(page, 'bulk-phone')
    })
  })
})
