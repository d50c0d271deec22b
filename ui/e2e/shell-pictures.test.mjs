// Pictures of the pages around the work: sign-in, the second step, signed-in devices and tokens, applications and the audit log, in
// light, dark and on a phone. Only with SHOTS: SHOTS=docs/screenshots node --test ui/e2e/shell-pictures.test.mjs
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { browserPath, openPage, password, quiet, root, settled, signIn, startBrowser, startServer } from './server.mjs'

const folder = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
const skip = !folder ? 'with SHOTS' : browserPath() ? false : 'no Chromium: apt-get install chromium'
const looks = {
  'zh-light': {},
  'en-dark': { locale: 'en', dark: true },
  'phone-en': { width: 390, height: 844, locale: 'en' },
}

/** The code that an authenticator app shows now for a secret in base32. */
function codeOf(secret) {
  const bits = [...secret]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
  const count = Buffer.alloc(8)
  count.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', key).update(count).digest()
  const number = hash.readUInt32BE(hash.at(-1) & 15) & 0x7fffffff
  return String(number % 1e6).padStart(6, '0')
}

test('pictures of the shell', { skip }, async (t) => {
  mkdirSync(folder, { recursive: true })
  const server = await startServer({ packs: [join(root, 'examples/ship-lock'), join(root, 'examples/lock-quality')] })
  const browser = await startBrowser()
  try {
    // Before anybody has an account, the first set-up.
    await t.test('set-up', () => everyLook(browser, server.url, '/setup', 'set-up', '#secret'))
    for (const [look, options] of Object.entries(looks)) await t.test(look, () => take(server, browser, look, options))
  } finally {
    await browser.close()
    await server.stop()
  }
})

/** A page that needs no sign-in, in each look. */
async function everyLook(browser, url, path, name, there) {
  for (const [look, options] of Object.entries(looks)) {
    const { page, context } = await openPage(browser, url, { ...options, fresh: true })
    await page.goto(url + path)
    await page.locator(there).first().waitFor()
    await settled(page)
    await page.screenshot({ path: join(folder, `shell-${name}-${look}.png`) })
    await context.close()
  }
}

/** Adds somebody whose password has to be changed at the first sign-in. */
function addDue(server, user) {
  process.env.SLUICE_MUST_CHANGE = 'true'
  server.addUser(user, 'administrator', '张主管')
  delete process.env.SLUICE_MUST_CHANGE
}

async function take(server, browser, look, options) {
  const say = (zh, en) => (options.locale === 'en' ? en : zh)
  const user = `keeper.${look}`
  server.addUser(user, 'administrator', '张主管')
  const { page, context, problems } = await openPage(browser, server.url, { ...options, fresh: true })
  const shot = async (name) => {
    await quiet(page)
    await page.mouse.move(0, 0) // nothing is pointed at
    await settled(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${name} scrolls sideways`)
    await page.screenshot({ path: join(folder, `shell-${name}-${look}.png`) })
  }
  const press = (name) => page.getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) }).click()
  try {
    await page.goto(`${server.url}/login`)
    await page.locator('#username').waitFor()
    await shot('sign-in')
    await page.route('**/api/system/config', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      body.data.signInProviders = [{ code: 'company', name: '公司账号', name_i18n: { en: 'Company account' } }]
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(`${server.url}/login`)
    await page.getByText(say(/公司账号/, /Company account/)).waitFor()
    await shot('sign-in-provider')
    await page.unroute('**/api/system/config')
    await page.goto(`${server.url}/login-error?code=100036`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await shot('sign-in-refused')
    addDue(server, `due.${look}`)
    await page.goto(`${server.url}/login`)
    await page.locator('#username').fill(`due.${look}`)
    await page.locator('#password').fill(password)
    await page.keyboard.press('Enter')
    await page.locator('#newPassword').waitFor()
    await shot('password-due')
    await context.clearCookies()

    await signIn(page, server.url, user)
    await page.goto(`${server.url}/admin/applications`)
    await page.locator('a[href="/admin/applications/shiplock"]').first().waitFor()
    await shot('applications')
    await press(
      say(
        '“船闸工程”的操作',
        `Actions for ${await page.locator('a[href="/admin/applications/shiplock"]').first().textContent()}`,
      ),
    )
    await page
      .getByRole('menuitem', { name: say('编辑', 'Edit') })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    await shot('application-edit')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.goto(`${server.url}/admin/applications/shiplock`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await shot('application')
    await page.goto(`${server.url}/user/info`)
    await press(say('登录与令牌', 'Sign-ins and tokens'))
    await press(say('新建令牌', 'New token'))
    await page.keyboard.type(say('每日报表', 'Daily report'))
    await page.keyboard.press('Enter')
    const token = page.getByRole('textbox', { name: say('令牌', 'Token') })
    await token.waitFor()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say(/^关\s*闭$/, 'Close') })
      .last()
      .click()
    await token.waitFor({ state: 'detached' })
    await shot('sign-ins')

    await page.getByRole('tab').nth(2).click()
    await press(say('开启两步验证', 'Set up two-step verification'))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    const secret = (await page.getByRole('dialog').locator('code').textContent()).replace(/\s/g, '')
    await shot('second-set-up')
    await page.keyboard.type(codeOf(secret))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: say('我已保存', 'I’ve saved them') }).waitFor()
    await shot('recovery-codes')
    await press(say('我已保存', 'I’ve saved them'))
    await page.getByText(say('已开启', 'On'), { exact: true }).waitFor()
    await page.goto(`${server.url}/audit`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.ant-skeleton').waitFor({ state: 'detached' })
    await shot('audit')

    await context.clearCookies()
    await page.goto(`${server.url}/login`)
    await page.locator('#username').fill(user)
    await page.locator('#password').fill(password)
    await page.keyboard.press('Enter')
    await page.locator('#code').waitFor()
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').first().waitFor()
    await page.waitForFunction(() => document.activeElement?.id === 'code')
    await shot('second-step')
    assert.deepEqual(problems, [])
  } finally {
    await context.close()
  }
}
