// An export in a real browser against the real program: fields are chosen and put in order, the file is saved, read back cell by cell, found
// again in the records, and removed. SHOTS=docs/screenshots keeps pictures of its dialogs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { bar, openList, rowsOf, tick } from './parts.mjs'
import { browserPath, JOB, openPage, root, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

/** The entries of a zip file, by its directory. */
function unzip(bytes) {
  const out = {}
  let at = bytes.readUInt32LE(bytes.length - 22 + 16)
  for (let n = bytes.readUInt16LE(bytes.length - 22 + 10); n > 0; n--) {
    const [size, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const [extra, comment, begins] = [
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
      bytes.readUInt32LE(at + 42),
    ]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const from = begins + 30 + bytes.readUInt16LE(begins + 26) + bytes.readUInt16LE(begins + 28)
    out[name] = inflateRawSync(bytes.subarray(from, from + size)).toString('utf8')
    at += 46 + nameLength + extra + comment
  }
  return out
}

/** The rows of the first worksheet, each as its cells by their columns' letters. */
function cellsOf(file) {
  const sheet = unzip(readFileSync(file))['xl/worksheets/sheet1.xml']
  return [...sheet.matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(([, row = '']) =>
    Object.fromEntries(
      [...row.matchAll(/<c r="([A-Z]+)\d+"[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, column, cell = '']) => [
        column,
        (/<t[^>]*>(.*?)<\/t>/s.exec(cell) ?? /<v>(.*?)<\/v>/s.exec(cell))?.[1] ?? '',
      ]),
    ),
  )
}

describe('export', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')], kept: 'shiplock' })
    server.addUser('boss', 'administrator', '管理员')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('ticked contracts with their payments, as a file that is read back', async () => {
    const { page, context, problems } = await openPage(browser, server.url)
    const shot = async (name) => {
      if (shots) await page.screenshot({ path: join(shots, `export-${name}.png`) })
    }
    try {
      await signIn(page, server.url, 'boss')
      await openList(page, `${server.url}/application/shiplock/application-list/contract`)
      await tick(page, 0)
      await tick(page, 1)
      await bar(page).getByRole('button', { name: '导出', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: '导出' })
      const chosen = dialog.getByRole('region', { name: '已选字段' })
      await chosen.getByText('已选 16 个字段').waitFor()
      assert.equal((await dialog.locator('.ant-modal-container').boundingBox()).width, 866)

      await chosen.getByRole('button', { name: '清除' }).click()
      await dialog.getByText('请至少选择一个字段').waitFor()
      const fields = dialog.getByRole('region', { name: '可选字段' })
      const search = fields.getByRole('textbox', { name: '搜索字段' })
      for (const [typed, name] of [
        ['合同金', '合同金额'],
        ['htbh', '合同编号'],
      ]) {
        await search.pressSequentially(typed, { delay: 30 })
        await fields.getByRole('checkbox', { name, exact: true }).check()
        await search.fill('')
      }
      // The number first: by the keyboard.
      await chosen.getByRole('button', { name: /^合同编号\./ }).focus()
      await page.keyboard.press('Alt+ArrowUp')
      await dialog.getByText('“合同编号”已移到第 1 位').waitFor({ state: 'attached' })
      await fields.getByRole('checkbox', { name: /^全选/ }).first().check()

      await shot('fields')

      const saving = page.waitForEvent('download', { timeout: JOB })
      await dialog.getByRole('button', { name: '导出', exact: true }).click()
      const progress = page.getByRole('dialog', { name: '导出进度' })
      const saved = await saving
      assert.match(saved.suggestedFilename(), /^合同导出\d{14}\.xlsx$/)
      const rows = cellsOf(await saved.path())
      const { content } = await rowsOf(page, 'contract')
      assert.equal(rows[0].A, 'id')
      assert.deepEqual([rows[1].B, rows[1].C], ['合同编号', '合同金额'])
      const first = rows.filter((row) => content.some((one) => one.id === row.A))
      assert.deepEqual(
        first.map((row) => [row.A, row.B, Number(row.C)]),
        content.slice(0, 2).map((row) => [row.id, row.data.contractNo, Number(row.data.amount)]),
      )
      const payments = rows.slice(3, -1).filter((row) => row.D)
      assert.equal(
        payments.length,
        content.slice(0, 2).reduce((sum, row) => sum + (row.data.payments?.total ?? 0), 0),
      )
      assert.equal(rows.at(-1).A, '#totals')
      assert.equal(Number(rows.at(-1).C), Number(content[0].data.amount) + Number(content[1].data.amount))

      await progress.getByText(saved.suggestedFilename()).first().waitFor()
      await progress.getByRole('button', { name: `下载“${saved.suggestedFilename()}”` }).waitFor() // it moves to the finished ones
      await shot('progress')
      await progress.getByRole('button', { name: '导出记录' }).click()
      const records = page.getByRole('dialog', { name: '导出记录' })
      await records.getByRole('cell', { name: '成功' }).waitFor()
      await shot('records')
      await records.getByRole('button', { name: `删除“${saved.suggestedFilename()}”` }).click()
      await page
        .locator('.ant-modal-confirm')
        .getByRole('button', { name: /删\s*除/ })
        .click()
      await page.getByText('删除成功').waitFor()
      await records.getByText('暂无导出记录').waitFor()
      await page.keyboard.press('Escape')

      // What was chosen last comes first.
      await bar(page).getByRole('button', { name: '导出', exact: true }).click()
      await dialog.getByTitle('上次导出数据项').waitFor()
      assert.match(await chosen.getByRole('listitem').first().textContent(), /合同编号/)
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  })
})
