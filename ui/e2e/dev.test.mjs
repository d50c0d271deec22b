// `sluice dev` under an open page: a saved definition shows without a reload, a broken one shows where it is broken.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { browserPath, openPage, root, signIn, startBrowser, startServer } from './server.mjs'

test('sluice dev', { skip: browserPath() ? false : 'no Chromium' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-dev-'))
  const pack = join(folder, 'ship-lock')
  cpSync(join(root, 'examples/ship-lock'), pack, { recursive: true })
  const server = await startServer({ packs: [pack], command: 'dev' })
  const browser = await startBrowser()
  try {
    server.addUser('boss', 'administrator', '管理员')
    const { page } = await openPage(browser, server.url)
    await signIn(page, server.url, 'boss')
    await page.goto(`${server.url}/application/shiplock/application-list/site`)
    await page.locator('.ag-row[row-id]').first().waitFor()
    await page.evaluate(() => {
      window.sameDocument = true
    })
    const file = join(pack, 'lists/site.json')
    const before = readFileSync(file, 'utf8')
    const list = JSON.parse(before)

    writeFileSync(file, JSON.stringify({ ...list, name: '工区一览' }, null, 2))
    await page.getByText('工区一览').first().waitFor()

    writeFileSync(file, before.replace('"queryColumns"', '"queryColumn"'))
    await page
      .getByText(/lists\/site\.json:\d+:\d+/)
      .first()
      .waitFor()
    await page
      .getByText(/SCHEMA\d+/)
      .first()
      .waitFor()

    writeFileSync(file, before)
    await page.locator('aside[role="alert"]').waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => window.sameDocument), true, 'the page was reloaded')
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
