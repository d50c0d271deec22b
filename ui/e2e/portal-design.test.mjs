// Portal pages in the designer, in a real browser against the real program: the default page is made from nothing with the mouse, and again with
// the keyboard, published, and seen as another role. What somebody else edits is read only.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { axeFaults, faultsOf } from './faults.mjs'
import { browserPath, openPage, root, said, signIn, startBrowser, startServer } from './server.mjs'

const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
const shots = process.env.SHOTS
if (shots) mkdirSync(shots, { recursive: true })
const take = (page, name) => (shots ? page.screenshot({ path: join(shots, `${name}.png`) }) : null)

/** The default page: navigation, carousel, applications, to-dos and recent places. */
const PARTS = ['横向导航', '轮播图', '我的应用', '我的待办', '最近使用']

const place = (page, at) => page.locator(`[data-sheet] [data-way="${at}"]`)
const palette = (page, name) => page.locator('aside').first().getByRole('button', { name, exact: true })
const panel = (page) => page.locator('[data-panel]')
const boxes = (page) =>
  page.locator('[data-sheet] [data-way]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
const ready = (page) => page.waitForFunction(() => document.querySelector('header')?.textContent.includes('草稿已保存'))

describe('designer of portal pages', { skip }, () => {
  let server
  let browser
  let boss
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')], kept: 'shiplock' })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('second', 'administrator', '王二')
    server.addUser('guest', 'viewer', '来宾')
    browser = await startBrowser()
    boss = await openPage(browser, server.url)
    await signIn(boss.page, server.url, 'boss')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('the default page from nothing with the mouse, published and seen by a viewer', async () => {
    const { page, problems } = boss
    await page.goto(`${server.url}/portal-design/byMouse`)
    await page.getByText('页面上暂无部件').waitFor()
    await panel(page).getByLabel('中文名称').fill('鼠标排的工作台')
    for (const [i, name] of PARTS.entries()) {
      // Each goes below those that are there, the last beside the one before.
      const sheet = await page.locator('[data-sheet]').boundingBox()
      const above = i > 0 ? await place(page, i - 1).boundingBox() : { y: sheet.y, height: 0 }
      const beside = i === PARTS.length - 1
      const from = await palette(page, name).boundingBox()
      await page.mouse.move(from.x + 20, from.y + 10)
      await page.mouse.down()
      await page.mouse.move(from.x + 60, from.y + 30)
      const y = above.y + (beside ? 20 : above.height + 20)
      await page.mouse.move(sheet.x + sheet.width * (beside ? 0.75 : 0.25), y, { steps: 4 })
      await page.mouse.up()
      await place(page, i).waitFor()
    }
    // A carousel needs a picture; the widgets without faults are drawn meanwhile.
    await page.getByRole('button', { name: /个问题/ }).waitFor()
    await place(page, 3).locator('h2').waitFor()
    await place(page, 1).click({ position: { x: 20, y: 20 } })
    await panel(page).getByRole('button', { name: '添加图片' }).click()
    await panel(page).getByRole('button', { name: '图片1', exact: true }).waitFor()
    await panel(page)
      .locator('fieldset input[type="file"]')
      .setInputFiles({ name: 'lock.png', mimeType: 'image/png', buffer: PNG })
    await said(page, '已上传“lock.png”')
    // The carousel is dragged to the right, and back by a key; the to-dos are made higher at the corner.
    const before = await boxes(page)
    const own = await place(page, 1).boundingBox()
    await page.mouse.move(own.x + 30, own.y + 40)
    await page.mouse.down()
    await page.mouse.move(own.x + own.width / 2, own.y + 45, { steps: 6 })
    await page.mouse.move(own.x + own.width + 60, own.y + 45, { steps: 6 })
    await page.mouse.up()
    await page.waitForFunction(
      (was) => [...document.querySelectorAll('[data-sheet] [data-way]')].some((one, i) => one.ariaLabel !== was[i]),
      before,
    )
    await page.keyboard.press('Control+z')
    await page.waitForFunction(
      (was) => [...document.querySelectorAll('[data-sheet] [data-way]')].every((one, i) => one.ariaLabel === was[i]),
      before,
    )
    const corner = await place(page, 3).boundingBox()
    await page.mouse.move(corner.x + corner.width - 5, corner.y + corner.height - 5)
    await page.mouse.down()
    await page.mouse.move(corner.x + corner.width - 5, corner.y + corner.height + 60, { steps: 6 })
    await page.mouse.up()
    await page.waitForFunction(
      (was) => document.querySelector('[data-sheet] [data-way="3"]').ariaLabel !== was,
      before[3],
    )
    await ready(page)
    await take(page, 'designed-by-mouse')
    await page.getByRole('button', { name: '发布' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^新增：/).waitFor()
    await dialog.getByRole('button', { name: '发布' }).click()
    await said(page, '已发布')
    assert.deepEqual(problems, [])
    await page.goto(`${server.url}/nowhere`) // the lock is given back

    const guest = await openPage(browser, server.url)
    await signIn(guest.page, server.url, 'guest')
    await guest.page.goto(`${server.url}/portal-page/byMouse`)
    await guest.page.getByRole('heading', { name: '我的待办' }).waitFor()
    await guest.page.getByRole('heading', { name: '最近使用' }).waitFor()
    assert.equal(await guest.page.getByText('编辑页面').count(), 0)
    await take(guest.page, 'seen-by-viewer')
    await guest.page.goto(`${server.url}/portal-design/byMouse`)
    await guest.page.getByText('您没有权限编辑此内容').waitFor()
    assert.deepEqual(guest.problems, [])
    await guest.context.close()
  })

  test('a script is written in the designer, tried in the preview and published', async () => {
    const { page, context, problems } = boss
    await page.goto(`${server.url}/portal-design/withScript?appCode=shiplock`)
    await page.getByText('页面上暂无部件').waitFor()
    await palette(page, '最近使用').click()
    await place(page, 0).waitFor()
    await page.getByRole('button', { name: '页面设置' }).click()
    await panel(page).getByText('页面脚本').click()
    await panel(page).getByRole('button', { name: '编写脚本' }).click()
    const box = page.getByRole('dialog').getByLabel('脚本内容')
    await box.press('Control+a')
    await page.keyboard.type(
      'export default {\noptions: { version: "1.1" },\nhooks: {\ngone(event, page) { page.message("再见") },\nonPageEnter(event, page) {\npage.message("欢迎，" + event.user.name)\n}\n',
    )
    await page.getByRole('button', { name: /^第 8 行/ }).waitFor()
    await box.press('Control+End')
    await page.keyboard.type('}\n}')
    await page.getByRole('dialog').getByText('没有问题').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: '完成' }).click()
    await panel(page).getByLabel('离开时调用').fill('gone')
    await ready(page)
    const preview = await context.newPage()
    await preview.goto(`${server.url}/portal-design-preview/withScript`)
    await said(preview, '欢迎，管理员')
    await preview.close()
    await page.getByRole('button', { name: '发布' }).click()
    await page.getByRole('dialog').getByText('修改：页面脚本（新增 9 行，删除 0 行）').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: '发布' }).click()
    await said(page, '已发布')
    await page.goto(`${server.url}/portal-page/withScript`)
    await said(page, '欢迎，管理员')
    await page.getByRole('link', { name: 'Sluice' }).first().click()
    await said(page, '再见')
    assert.deepEqual(problems, [])
  })

  test('the same with the keyboard, while somebody else can only read', async () => {
    const { page, problems } = boss
    await page.goto(`${server.url}/portal-design/byKeys`)
    await page.getByText('页面上暂无部件').waitFor()
    for (const [i, name] of PARTS.filter((one) => one !== '轮播图').entries()) {
      await palette(page, name).focus()
      await page.keyboard.press('Enter')
      await place(page, i).waitFor()
      await page.waitForFunction((at) => document.activeElement?.getAttribute('data-way') === String(at), i)
    }
    assert.match((await boxes(page))[3], /第 1 列/)
    // The recent places go up past the to-dos and to the right: then they are beside them.
    await page.keyboard.press('ArrowUp')
    for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight')
    await page.waitForFunction(() => document.querySelector('[data-way="3"]').ariaLabel.includes('第 7 列'))
    await page.keyboard.press('Shift+ArrowDown')
    await page.waitForFunction(() => /高 28 行/.test(document.querySelector('[data-way="3"]').ariaLabel))
    await page.keyboard.press('Control+d')
    await place(page, 4).waitFor()
    await page.keyboard.press('Delete')
    await page.waitForFunction(() => !document.querySelector('[data-way="4"]'))
    await place(page, 0).focus()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-way')), '1')
    await ready(page)
    const faults = [...(await faultsOf(page)), ...(await axeFaults(page))]
    assert.deepEqual(faults, [])

    const second = await openPage(browser, server.url)
    await signIn(second.page, server.url, 'second')
    await second.page.goto(`${server.url}/portal-design/byKeys`)
    await second.page.getByText('“管理员”正在编辑').waitFor()
    assert.equal(await place(second.page, 3).count(), 1)
    await second.page.getByRole('button', { name: '接手编辑' }).click()
    await second.page.getByRole('dialog').getByRole('button', { name: '接手编辑' }).click()
    await second.page.getByText('正在编辑', { exact: false }).waitFor({ state: 'detached' })
    // The first one is told with the next change, and keeps it.
    await place(page, 2).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('“王二”接手了编辑，您的修改未能保存到服务器').waitFor()
    await page.getByRole('button', { name: '接手编辑' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '接手编辑' }).click()
    await page.getByText('接手了编辑').waitFor({ state: 'detached' })
    await ready(page)
    await take(page, 'designed-by-keys')
    await page.getByRole('button', { name: '发布' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '发布' }).click()
    await said(page, '已发布')
    assert.deepEqual(problems, [])
    assert.deepEqual(second.problems, [])
    await second.context.close()
  })

  test('reads at three widths, in English and on a phone', { skip: !shots }, async () => {
    for (const look of [
      { width: 1440, height: 900, locale: 'en', dark: true },
      { width: 768, height: 1024, locale: 'zh' },
      { width: 768, height: 1024, locale: 'en', dark: true },
      { width: 390, height: 844, locale: 'zh' },
    ]) {
      const one = await openPage(browser, server.url, look)
      await signIn(one.page, server.url, 'second')
      await one.page.goto(`${server.url}/portal-design/byMouse`)
      await one.page.locator('h1').waitFor()
      await one.page.waitForTimeout(1500)
      if (look.width >= 1440) await one.page.locator('[data-sheet] [data-way="1"]').click()
      await take(one.page, `designer-${look.width}-${look.locale}${look.dark ? '-dark' : ''}`)
      assert.deepEqual(one.problems, [])
      await one.context.close()
    }
  })
})

/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
)
