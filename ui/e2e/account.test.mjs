// The journeys into and out of the product: set-up, sign-in, passwords and the end of a session.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  browserPath,
  openPage,
  password,
  root,
  signInByForm,
  sluice,
  someOf,
  startBrowser,
  startServer,
} from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const ship = join(root, 'examples/ship-lock')
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
if (skip) {
  console.error(`LEFT OUT: browser journeys (${skip})`)
  if (process.env.CI === 'true') process.exit(1)
}
const looks = {
  'zh-light': {},
  'phone-en': { width: 390, height: 844, locale: 'en' },
  ...(shots && { 'en-dark': { locale: 'en', dark: true }, phone: { width: 390, height: 844 } }),
}

/** Signs in with a password that somebody else gave: the page advises to change it. */
async function signIn(page, url, user) {
  await signInByForm(page, url, user)
  const later = page.getByRole('button', { name: /以后再说|Later/ })
  await later.waitFor()
  await page.locator('[class*="zoom-appear"]').waitFor({ state: 'detached' }) // a dialog that still grows can miss a click
  await later.click()
  await later.waitFor({ state: 'hidden' })
}

/** What a page says when its session is over. */
const expired = (page) => page.getByRole('dialog', { name: '登录已过期' })

describe('accounts', { skip }, () => {
  let server
  let browser
  const people = new Set()
  before(async () => {
    server = await startServer({ packs: [ship] })
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** Runs a journey in a browser without cookies; fails on foreign requests, errors of the page, and sideways scrolling. */
  async function journey(options, run) {
    const { page, context, problems } = await openPage(browser, server.url, { motion: true, fresh: true, ...options })
    try {
      await run(page, context)
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.equal(wide, 0, 'the page scrolls sideways')
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }
  const shoot = async (page, name) => {
    if (!shots) return
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(shots, `account-${name}.png`) })
  }
  const add = (name, ...flags) => {
    if (!people.has(name))
      sluice('user', 'add', '--data', server.data, '--role', 'administrator', '--full-name', '林工', ...flags, name)
    people.add(name)
  }
  const field = (page, name) => page.locator(`input#${name}`)
  const fill = async (page, values) => {
    for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  }
  const inside = (page) => page.waitForURL((at) => at.pathname === '/' || at.pathname.startsWith('/app-list'))

  test('set up: the first administrator comes in with the secret that the process printed', async () => {
    if (shots)
      for (const [name, look] of someOf(Object.entries(looks)))
        await journey(look, async (page) => {
          await page.goto(server.url)
          await field(page, 'secret').waitFor()
          await shoot(page, `setup-${name}`)
        })
    await journey({}, async (page) => {
      await page.goto(server.url)
      await page.waitForURL('**/setup')
      await page.getByRole('button', { name: '创建并登录' }).click()
      await page.getByText('请输入初始化密钥').waitFor()
      await fill(page, { secret: 'a guess', username: 'first', name: '第一人', password })
      await page.getByRole('button', { name: '创建并登录' }).click()
      await page.getByText('初始化密钥不正确').waitFor()
      const secret = /enter this secret once: (\S+)/.exec(server.said())?.[1]
      await fill(page, { secret })
      await page.getByRole('button', { name: '创建并登录' }).click()
      await inside(page)
      await page.goto(`${server.url}/setup`)
      await page.waitForURL((at) => at.pathname !== '/setup')
    })
  })

  test('wrong passwords: the page says so, then makes one wait, then lets the right one in', async () => {
    for (const [name, look] of someOf(Object.entries(looks)))
      await journey(look, async (page) => {
        const english = look.locale === 'en'
        const user = `clumsy.${name}`
        add(user)
        await page.goto(`${server.url}/login`)
        await fill(page, { username: user, password: 'Wrong-Password-1' })
        await shoot(page, `login-${name}`)
        const refused = page.getByText(english ? 'Incorrect username or password' : '账号或密码错误')
        const tried = async () => {
          const answer = page.waitForResponse('**/get_token')
          await field(page, 'password').press('Enter')
          return (await answer).status()
        }
        for (let wrong = 0; wrong < 5; wrong++) {
          assert.equal(await tried(), 401)
          await refused.waitFor()
          await page.locator('button[type="submit"]:not(.ant-btn-loading):not(:disabled)').waitFor()
        }
        assert.equal(await tried(), 429)
        const button = page.getByRole('button', { name: english ? /Try again in \d+ second/ : /\d+ 秒后可以再试/ })
        await button.waitFor()
        assert.ok(await button.isDisabled())
        await shoot(page, `wait-${name}`)
        await fill(page, { password })
        await page.getByRole('button', { name: english ? 'Sign in' : '登录', exact: true }).click()
        await inside(page)
      })
  })

  test('a password that an administrator set has to be changed before anything else', async () => {
    for (const [name, look] of someOf(Object.entries(looks)))
      await journey(look, async (page) => {
        const english = look.locale === 'en'
        const user = `newcomer.${name}`
        add(user, '--must-change')
        await signInByForm(page, server.url, user)
        const title = page.getByRole('heading', { name: english ? 'Choose a new password' : '请先修改密码' })
        await title.waitFor()
        await page.goto(`${server.url}/application/shiplock/application-list/drawing`)
        await title.waitFor()
        await page.locator('button[type="submit"]').click()
        await page.getByText(english ? 'Enter your password' : '请输入密码').waitFor()
        await shoot(page, `due-${name}`)
        await fill(page, { oldPassword: password, newPassword: password, confirmation: password })
        await page.locator('button[type="submit"]').click()
        await page
          .getByText(english ? 'The new password must be different from the current one' : '新密码不能与当前密码相同')
          .first()
          .waitFor()
        const next = 'Only-Mine-2026'
        await fill(page, { newPassword: next, confirmation: next })
        await page.locator('button[type="submit"]').click()
        await title.waitFor({ state: 'detached' })
        await page
          .getByText(english ? 'Drawings' : '图纸')
          .first()
          .waitFor()
      })
  })

  test('change the password: the old one is asked for, other browsers are out', async () => {
    add('changer')
    await journey({}, async (page) => {
      const other = await openPage(browser, server.url, { fresh: true })
      await signIn(other.page, server.url, 'changer')
      await inside(other.page)
      await signIn(page, server.url, 'changer')
      await page.getByRole('button', { name: '账号菜单' }).click()
      await page.getByText('修改密码').first().click()
      await field(page, 'oldPassword').waitFor()
      await fill(page, {
        oldPassword: 'Wrong-Password-1',
        newPassword: 'Only-Mine-2026',
        confirmation: 'Only-Mine-2025',
      })
      await field(page, 'newPassword').focus()
      await page.getByText('两次输入的密码不一致').waitFor()
      await shoot(page, 'change')
      await fill(page, { confirmation: 'Only-Mine-2026' })
      await page.locator('.ant-modal button[type="submit"]').click()
      await page.getByText('当前密码不正确').waitFor()
      await fill(page, { oldPassword: password })
      await page.locator('.ant-modal button[type="submit"]').click()
      await page.getByText('密码已修改').waitFor()
      await page.reload()
      await inside(page)
      await other.page.goto(`${server.url}/user/info`)
      await other.page.waitForURL('**/login?return=%2Fuser%2Finfo')
      await other.context.close()
    })
  })

  test('a session that ends in the middle of the work: what was typed stays, and is saved after the password', async () => {
    for (const [name, look] of someOf(Object.entries(looks)))
      await journey(look, async (page, context) => {
        const english = look.locale === 'en'
        const user = `typist.${name}`
        add(user)
        await signIn(page, server.url, user)
        await inside(page)
        await page.goto(`${server.url}/form/detail?schemaCode=site`)
        const typed = `SITE-${name}`
        await page.locator('[data-field="code"] input').fill(typed)
        await page.locator('[data-field="name"] input').fill('写到一半的工地')
        await context.clearCookies()
        const save = page.getByRole('button', { name: english ? 'Save' : '保存', exact: true })
        await save.click()
        const dialog = page.getByRole('dialog', { name: english ? 'Your session has expired' : '登录已过期' })
        await dialog.waitFor()
        await page.keyboard.press('Escape')
        await shoot(page, `again-${name}`)
        await dialog.locator('input#password').fill('Wrong-Password-1')
        await page.keyboard.press('Enter')
        await page.getByText(english ? 'Incorrect username or password' : '账号或密码错误').waitFor()
        await dialog.locator('input#password').fill(password)
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        assert.equal(await page.locator('[data-field="code"] input').inputValue(), typed)
        await save.click()
        await page.waitForURL(/key=/)
        await page.getByText('写到一半的工地').first().waitFor()
      })
  })

  test('where one is signed in, and tokens: listed, made, used, ended', async () => {
    for (const [name, look] of someOf(Object.entries(looks)))
      await journey(look, async (page) => {
        const english = look.locale === 'en'
        const phone = look.width === 390
        const user = `devices.${name}`
        add(user)
        const other = await openPage(browser, server.url, { fresh: true })
        await signInByForm(other.page, server.url, user)
        await signInByForm(page, server.url, user)
        await page
          .getByText(english ? /^Last sign-in: 20\d\d-.* \(127\.0\.0\.1\)$/ : /^上次登录：20\d\d-.*（127\.0\.0\.1）$/)
          .waitFor()
        await shoot(page, `tip-${name}`)
        await page.getByRole('button', { name: english ? 'Change it now' : '立即修改' }).click()
        await field(page, 'oldPassword').waitFor()
        await page.reload()
        await inside(page)
        if (phone) {
          await page.goto(`${server.url}/user/info`)
          await page.getByRole('button', { name: english ? 'Sign-ins and tokens' : '登录与令牌' }).click()
        } else {
          await page.getByRole('button', { name: english ? 'Account menu' : '账号菜单' }).click()
          await page
            .getByText(english ? 'Personal information' : '个人信息')
            .first()
            .click()
          await page.getByRole('tab', { name: english ? 'Sign-ins and tokens' : '登录与令牌' }).click()
        }
        const dialog = page.getByRole('dialog')
        const end = dialog.getByRole('button', { name: english ? /^Sign out Chrome/ : /^退出 Chrome/ })
        await end.waitFor()
        assert.equal(await end.count(), 1, 'the own session is not ended here')
        await shoot(page, `sign-ins-${name}`)
        await end.click()
        await end.waitFor({ state: 'detached' })
        await other.page.goto(`${server.url}/user/info`)
        await other.page.waitForURL('**/login**')
        await other.context.close()

        await dialog.getByRole('button', { name: english ? 'New token' : '新建令牌' }).click()
        await page.keyboard.press('Enter')
        await dialog.getByText(english ? 'Enter a purpose' : '请填写用途').waitFor()
        await page.keyboard.type('  nightly  ')
        await shoot(page, `token-form-${name}`)
        await page.keyboard.press('Enter')
        const box = dialog.getByRole('textbox', { name: english ? 'Token' : '令牌' })
        await box.waitFor()
        await shoot(page, `token-${name}`)
        const headers = { Authorization: `Bearer ${await box.inputValue()}`, 'Content-Type': 'application/json' }
        const mine = await (await fetch(`${server.url}/api/organization/user/info`, { headers })).json()
        assert.equal(mine.data.username, user)
        const body = JSON.stringify({ schemaCode: 'site', data: { code: 'T', name: 'T' } })
        const refused = await (
          await fetch(`${server.url}/api/runtime/form/save`, { method: 'POST', headers, body })
        ).json()
        assert.equal(refused.errcode, 100018)
        await dialog
          .getByRole('button', { name: english ? 'Close' : /^关\s*闭$/ })
          .last()
          .click()
        await dialog.getByText('nightly', { exact: true }).waitFor()
        await dialog.getByRole('button', { name: english ? 'Revoke nightly' : '撤销 nightly' }).click()
        await page
          .getByRole('button', { name: english ? 'Revoke' : /^撤\s*销$/, exact: true })
          .last()
          .click()
        await dialog.getByText('nightly', { exact: true }).waitFor({ state: 'detached' })
        assert.equal((await fetch(`${server.url}/api/organization/user/info`, { headers })).status, 401)
      })
  })

  test('signing out, and another account after the end of a session, lead to sign-in', async () => {
    add('leaver')
    await journey({}, async (page, context) => {
      await signIn(page, server.url, 'leaver')
      await page.goto(`${server.url}/user/info`)
      await page.getByRole('button', { name: '退出登录' }).waitFor()
      const tab = await context.newPage()
      await tab.goto(`${server.url}/user/info`)
      await tab.getByRole('button', { name: '退出登录' }).click()
      await tab.waitForURL('**/login**')
      await page.waitForURL('**/login**')
      await tab.close()
      await page.bringToFront() // what moves on a page behind another one never ends

      await signIn(page, server.url, 'leaver')
      await inside(page)
      await page.goto(`${server.url}/app-list/applications`)
      const app = page.getByText('船闸工程', { exact: true }).first()
      await app.waitFor()
      await context.clearCookies()
      await app.click() // what the next page asks for is refused
      await expired(page).waitFor()
      await page.getByRole('button', { name: '使用其他账号' }).click()
      await page.waitForURL('**/login**')
    })
  })

  test('a disabled person is out within seconds, with the page open', async () => {
    add('boss')
    add('disabled')
    await journey({}, async (page) => {
      await signIn(page, server.url, 'disabled')
      await page.goto(`${server.url}/app-list/applications`)
      await page.getByText('船闸工程', { exact: true }).first().waitFor()
      const admin = await openPage(browser, server.url, { fresh: true })
      await signIn(admin.page, server.url, 'boss')
      const id = await page.evaluate(async () => (await (await fetch('/api/organization/user/info')).json()).data.id)
      const done = await admin.page.evaluate(async (person) => {
        const loaded = (await (await fetch(`/api/runtime/form/load?schemaCode=user&objectId=${person}`)).json()).data
        const body = { schemaCode: 'user', id: person, version: loaded.version, data: { disabled: true } }
        const saved = await fetch('/api/runtime/form/save', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
        return (await saved.json()).data
      }, id)
      assert.ok(done?.id)
      await admin.context.close()
      // The server ends the page's stream, and the page says so with nothing pressed.
      await expired(page).waitFor()
      await page.locator('input#password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText('账号或密码错误').waitFor()
    })
  })
})
