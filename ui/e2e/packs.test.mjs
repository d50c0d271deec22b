// The interface of a pack outside the application: examples/survey, a module of its own, built and served as its authors do it. Its property type is
// drawn, typed and filtered, its page opens from the menu, its button asks in a dialog of its own, its part is shown below a record, all in both
// languages and under the content security policy: a refused script or style would be an error of the console, which fails the journey.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildPack } from '../scripts/build-pack.mjs'
import { browserPath, openPage, root, said, signIn, startBrowser, startServer } from './server.mjs'

const pack = join(root, 'examples/survey')
const shots = process.env.SHOTS

test('the interface of a domain pack builds outside', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-outside-'))
  try {
    cpSync(join(root, 'plugins/quality'), join(folder, 'quality'), { recursive: true })
    await buildPack(join(folder, 'quality'))
    assert.ok(existsSync(join(folder, 'quality/ui/dist/manifest.json')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the interface of a pack', { skip: browserPath() ? false : 'no Chromium' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-packs-'))
  const program = join(folder, 'survey')
  await buildPack(pack)
  execFileSync('go', ['build', '-o', program, './cmd/survey'], { cwd: pack })
  const server = await startServer({ packs: [pack], program })
  const browser = await startBrowser()
  const shot = (page, name) => shots && page.screenshot({ path: join(shots, `packs-${name}.png`) })
  try {
    server.addUser('boss', 'administrator', '管理员')
    const { page, problems } = await openPage(browser, server.url)
    const bundles = []
    page.on('request', (request) => /interface\/survey|\/sdk\//.test(request.url()) && bundles.push(request.url()))
    await signIn(page, server.url, 'boss')
    await page.goto(`${server.url}/application/survey/application-list/campaign`)
    await page.getByRole('heading', { name: '观测任务' }).waitFor()
    assert.deepEqual(bundles, [], 'nothing of the pack is read before it is needed')

    // Its property type, in a form and in the list.
    await page.getByRole('link', { name: '控制点' }).click()
    await page.getByRole('heading', { name: '控制点' }).waitFor()
    await page.getByRole('button', { name: '新增' }).first().click()
    const record = page.getByRole('dialog')
    await record.getByLabel('点号').fill('BM-1')
    const box = record.getByLabel('方位角')
    await box.pressSequentially('121 28 13.4')
    assert.equal(await box.inputValue(), '121 28 13.4', 'what is typed stays while somebody types')
    await page.keyboard.press('Control+s')
    await record.getByText('121°28′13.4″').waitFor()
    await record.getByRole('heading', { name: '最近的观测值' }).waitFor()
    await shot(page, 'record')
    await record.getByRole('button', { name: '关闭' }).last().click()
    const cell = page.locator('.ag-row .survey-angle')
    await cell.filter({ hasText: '121°28′13.4″' }).waitFor()

    // Its button, with a dialog of its own.
    await page.getByRole('button', { name: '复测' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('复测控制点 BM-1').waitFor()
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.getByText('请填写截止日期').waitFor()
    await dialog.getByLabel('截止日期').pressSequentially('2099-12-31')
    await page.keyboard.press('Tab')
    await shot(page, 'dialog')
    const again = page.waitForResponse((answer) => answer.url().endsWith('/api/runtime/query/list'))
    await dialog.getByRole('button', { name: '确定' }).click()
    await said(page, '复测')
    await again
    await dialog.waitFor({ state: 'detached' })

    // Its page, from the menu, in both languages.
    await page.getByRole('link', { name: '总览' }).click()
    await page.getByText('进行中').locator('strong', { hasText: '1 项' }).waitFor()
    await shot(page, 'page')
    const { page: phone, problems: others } = await openPage(browser, server.url, {
      width: 390,
      height: 844,
      locale: 'en',
    })
    await signIn(phone, server.url, 'boss')
    await phone.goto(`${server.url}/application/survey/application-page/survey/overview?code=overview`)
    await phone.getByText('Open').locator('strong', { hasText: '1 campaign' }).waitFor()
    await shot(phone, 'phone-page')
    await phone.goto(`${server.url}/application/survey/application-list/controlPoint`)
    await phone.getByText('121°28′13.4″').waitFor()
    await shot(phone, 'phone-list')
    assert.equal(new Set(bundles.filter((url) => url.endsWith('/index.js'))).size, 1)
    assert.deepEqual([...problems, ...others], [])
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
