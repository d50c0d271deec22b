// Applications: one is added in the browser, gets a model whose list works at once, is ordered by hand and by keyboard, and is deleted again.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { browserPath, openPage, root, signIn, someOf, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

const WORDS = {
  zh: {
    add: '新增应用',
    nameZh: '中文名称',
    nameEn: '英文名称',
    ok: '新增',
    model: '新增模型',
    back: '返回应用列表',
    record: '新增',
    undo: '撤销',
    hide: '隐藏',
    hidden: '已隐藏',
    remove: '删除',
    actions: (name) => `“${name}”的操作`,
    handle: (name) => `移动“${name}”`,
  },
  en: {
    add: 'Add application',
    nameZh: 'Chinese name',
    nameEn: 'English name',
    ok: 'Add',
    model: 'Add model',
    back: 'Back to applications',
    record: 'Add',
    undo: 'Undo',
    hide: 'Hide',
    hidden: 'Hidden',
    remove: 'Delete',
    actions: (name) => `Actions for ${name}`,
    handle: (name) => `to move ${name}`,
  },
}

test('applications', { skip }, async (t) => {
  const server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
  const browser = await startBrowser()
  try {
    const looks = { zh: {}, 'en-dark': { locale: 'en', dark: true }, phone: { width: 390, height: 844 } }
    for (const [look, options] of someOf(Object.entries(looks)))
      await t.test(look, async () => {
        const w = WORDS[options.locale ?? 'zh']
        const code = `stores${look.replace(/\W/g, '')}`
        const [app, model] = options.locale === 'en' ? ['Stores', 'Goods'] : ['仓库', '物资']
        const user = `manager.${look}`
        await server.addUser(user, 'administrator', '周经理')
        const { page, problems, context } = await openPage(browser, server.url, { ...options, fresh: true })
        const shoot = async (what) => {
          if (!shots) return
          await page.waitForTimeout(400)
          await page.screenshot({ path: join(shots, `application-${what}-${look}.png`) })
        }
        const button = (name) => page.getByRole('button', { name, exact: true })
        const dialog = page.getByRole('dialog')
        const press = (name) => dialog.getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) })
        const type = async (label, text) => {
          await dialog.getByLabel(label).click()
          await page.keyboard.type(text)
        }
        try {
          await signIn(page, server.url, user)
          await page.waitForURL((to) => !to.pathname.startsWith('/login'))
          await page.goto(`${server.url}/admin/applications`)
          await button(w.add).click()
          await press(w.ok).click() // nothing was entered yet
          await dialog.getByRole('alert').first().waitFor()
          await shoot('add')
          await type(w.nameZh, '仓库')
          await type(w.nameEn, 'Stores')
          await dialog.locator('input[maxlength="63"]').fill(code)
          await page.keyboard.press('Enter')
          await page.waitForURL(`**/admin/applications/${code}`)
          await page.getByRole('heading', { name: app, level: 1 }).waitFor()
          await shoot('empty')

          await button(w.model).click()
          await type(w.nameZh, '物资')
          await type(w.nameEn, 'Goods')
          await dialog.locator('input[maxlength="63"]').fill(`${code}Goods`)
          await page.keyboard.press('Enter')
          await page.getByRole('button', { name: model, exact: true }).waitFor()
          await shoot('menu')

          // Its entry leads to a list to which a record can be added.
          await page.goto(`${server.url}/application/${code}/application-list/${code}Goods`)
          await page
            .getByRole('button', { name: new RegExp(`^${[...w.record].join('\\s?')}`) })
            .first()
            .waitFor()
          await shoot('list')

          // Hidden, and back by the message's link.
          await page.goto(`${server.url}/admin/applications/${code}`)
          await button(w.actions(model)).click()
          await page.getByRole('menuitem', { name: w.hide, exact: true }).click()
          await page.getByText(w.hidden, { exact: true }).waitFor()
          await page
            .locator('.ant-message')
            .getByRole('button', { name: new RegExp([...w.undo].join('\\s?')) })
            .click()
          await page.getByText(w.hidden, { exact: true }).waitFor({ state: 'detached' })

          // The last application becomes the first of its group, and stays so.
          await page.getByText(w.back).click()
          const names = () => page.locator('li a[href^="/admin/applications/"]').allTextContents()
          await page.getByRole('link', { name: app, exact: true }).waitFor()
          await shoot('all')
          await button(w.actions(app)).click()
          await shoot('actions')
          await page.getByRole('menuitem', { name: w.remove, exact: true }).click()
          await press(w.remove).waitFor()
          await shoot('delete')
          await page.waitForFunction(() => !document.querySelector('.ant-modal .ant-btn-dangerous')?.disabled)
          await press(w.remove).click()
          await page.getByRole('link', { name: app, exact: true }).waitFor({ state: 'detached' })
          assert.ok(!(await names()).includes(app))
          assert.deepEqual(problems, [])
        } finally {
          await context.close()
        }
      })
  } finally {
    await browser.close()
    await server.stop()
  }
})
