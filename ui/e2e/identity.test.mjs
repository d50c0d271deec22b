// The journey of somebody who opens a form to people without an account, gives a script a token for one application, and takes the audit
// log away: in both languages, on a desktop and a phone.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bothLooks, browserPath, openPage, root, said, signIn, startBrowser, startServer } from './server.mjs'
import { done } from './tables.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
if (skip) {
  console.error(`LEFT OUT: browser journeys (${skip})`)
  if (process.env.CI === 'true') process.exit(1)
}
const looks = {
  'zh-light': {},
  'phone-en': { width: 390, height: 844, locale: 'en' },
  ...(shots && {
    'tablet-zh': { width: 768, height: 1024 },
    'phone-zh-dark': { width: 390, height: 844, dark: true },
  }),
}

/** The example with a form that is open to links. */
function packs() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-identity-'))
  cpSync(join(root, 'examples/ship-lock'), folder, { recursive: true })
  const put = (path, value) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(value))
  }
  const properties = [
    { code: 'text', propertyType: 'LongText', name: '情况', name_i18n: { en: 'What happened' }, required: true },
    { code: 'phone', propertyType: 'ShortText', name: '电话', name_i18n: { en: 'Phone' } },
  ]
  put('models/complaint.json', { name: '投诉', name_i18n: { en: 'Complaint' }, properties })
  const form = { schemaCode: 'complaint', name: '投诉登记', name_i18n: { en: 'Complaint form' }, externalLink: true }
  put('forms/complaint.json', { ...form, items: ['text', 'phone'], actions: ['save'] })
  return folder
}

describe('identity', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [packs()] })
    server.addUser('keeper', 'administrator', '张主管')
    server.addUser('heir', 'staff', '李接手')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** Ends a link: its day is over, or where no shell writes that into the database, it is withdrawn. */
  async function end(page, { form, label }) {
    if (existsSync('/usr/bin/sqlite3')) {
      const sql = `UPDATE sl_link SET expires_at = '2026-01-01 00:00:00+00:00' WHERE label = '${label}'`
      execFileSync('/usr/bin/sqlite3', ['-cmd', '.timeout 5000', join(server.data, 'sluice.db'), sql])
      return
    }
    const { content } = await done(page, `/api/external/links?form=${form}`)
    const { id } = content.find((one) => one.label === label)
    await done(page, '/api/external/links/withdraw', { form, id })
  }

  for (const [look, options] of Object.entries(looks)) {
    const en = options.locale === 'en'
    const say = (zh, english) => (en ? english : zh)
    const phone = options.width === 390
    test(`a link is made, filled in and withdrawn (${look})`, async () => {
      const { page, context, problems } = await openPage(browser, server.url, { fresh: true, ...options })
      try {
        const shot = (name) => shots && bothLooks(page, join(shots, `identity-${name}-${look}.png`))
        await signIn(page, server.url, 'keeper')
        await page.goto(`${server.url}/user/info`)
        await page.getByRole('button', { name: say('外部链接', 'External links') }).click()
        await page.getByRole('heading', { name: say('外部链接', 'External links'), level: 1 }).waitFor()
        await shot('links-empty')
        await page.getByRole('button', { name: say('新建链接', 'New link') }).click()
        const label = `gate ${look}`
        await page.getByLabel(say('用途', 'Purpose')).pressSequentially(label)
        await page.getByLabel(say('最多新增的记录数', 'Most records it can add')).pressSequentially('2')
        await shot('links-new')
        await page.getByRole('button', { name: /^(创 ?建|Create)$/ }).click()
        const address = await page.getByLabel(say('链接地址', 'Address of the link')).inputValue()
        await shot('links-made')
        const guest = await openPage(browser, server.url, { fresh: true, ...options })
        await guest.page.goto(address)
        const fill = async () => {
          await guest.page
            .getByLabel(say('情况', 'What happened'))
            .pressSequentially(say('闸门异响', 'The gate squeaks'))
          if (shots) await bothLooks(guest.page, join(shots, `identity-guest-${look}.png`))
          await guest.page.getByRole('button', { name: say('提交', 'Submit'), exact: true }).click()
        }
        const again = guest.page.getByRole('button', { name: say('再填一份', 'Fill in another one') })
        await fill()
        await again.waitFor()
        // A link that may add no more does not offer to.
        const once = { form: 'complaint', label: `once ${look}`, days: 1, most: 1 }
        await guest.page.goto((await done(page, '/api/external/links', once)).address)
        await guest.page.getByLabel(say('情况', 'What happened')).waitFor()
        const next = guest.page.waitForResponse((answer) => answer.url().endsWith('/api/external/form'))
        await fill()
        assert.equal((await (await next).json()).errcode, 100041)
        await guest.page.getByText(say('已提交', 'Submitted')).waitFor()
        assert.equal(await again.count(), 0)
        // One that ends while somebody fills it in says so, keeps what was typed, and opens no more.
        const short = { form: 'complaint', label: `short ${look}`, days: 1 }
        await guest.page.goto((await done(page, '/api/external/links', short)).address)
        await guest.page.getByLabel(say('情况', 'What happened')).waitFor()
        await end(page, short)
        await fill()
        const ended = say('此链接已失效', 'This link is no longer valid')
        await guest.page.getByRole('alert').getByText(ended).waitFor()
        assert.equal(
          await guest.page.getByLabel(say('情况', 'What happened')).inputValue(),
          say('闸门异响', 'The gate squeaks'),
        )
        await guest.page.reload()
        await guest.page.getByText(say('无法打开此链接', 'This link can’t be opened')).waitFor()
        await guest.page.getByText(ended).waitFor()
        assert.deepEqual(guest.problems, [])
        await page.getByRole('button', { name: /^(关 ?闭|Close)$/ }).click()
        await page.reload()
        const row = page.getByRole('listitem').filter({ hasText: label })
        await row.getByText(say('已新增 1 条，最多 2 条', '1 of 2 records added')).waitFor()
        await shot('links')
        await row.getByRole('button').click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^(收 ?回|Withdraw)$/ })
          .click()
        await row.waitFor({ state: 'detached' })
        await guest.page.goto('about:blank')
        await guest.page.goto(address)
        await guest.page.getByRole('alert').waitFor()
        // A record is shown by a link that its page makes, and nothing can be done with it.
        const { content } = await done(page, '/api/runtime/query/list', { schemaCode: 'drawing', size: 1 })
        await page.goto(`${server.url}/form/detail?schemaCode=drawing&key=${content[0].id}`)
        await page.getByRole('button', { name: say('外部链接', 'External link'), exact: true }).click()
        await page.getByLabel(say('用途', 'Purpose')).pressSequentially(`office ${look}`)
        await page.keyboard.press('Enter')
        await shot('record-link')
        await guest.page.goto(await page.getByLabel(say('链接地址', 'Address of the link')).inputValue())
        await guest.page.getByRole('heading', { name: content[0].data.name }).waitFor()
        await guest.page.getByText(content[0].data.number).waitFor()
        if (shots) await guest.page.screenshot({ path: join(shots, `identity-record-${look}.png`) })
        assert.equal(await guest.page.getByRole('button').count(), 1, 'the other language')
        await guest.context.close()
        assert.deepEqual(problems, [])
      } finally {
        await context.close()
      }
    })

    test(`a token reaches one application (${look})`, async () => {
      const { page, context, problems } = await openPage(browser, server.url, { fresh: true, ...options })
      try {
        const shot = (name) => shots && bothLooks(page, join(shots, `identity-${name}-${look}.png`))
        await signIn(page, server.url, 'keeper')
        await page.goto(`${server.url}/user/info`)
        await page.getByRole('button', { name: say('登录与令牌', 'Sign-ins and tokens') }).click()
        await page.getByRole('button', { name: say('新建令牌', 'New token') }).click()
        await page.getByLabel(say('用途', 'Purpose')).pressSequentially(`report ${look}`)
        await page.getByRole('radio', { name: say('指定应用', 'Chosen applications') }).check()
        await page.getByRole('combobox', { name: say('“船闸工程”的访问权限', 'Access to Ship lock') }).click()
        await page.getByRole('option', { name: say('只读', 'Read'), exact: true }).click()
        await shot('token-new')
        await page.getByRole('button', { name: /^(创 ?建|Create)$/ }).click()
        const token = await page.getByLabel(say('令牌', 'Token'), { exact: true }).inputValue()
        await page
          .getByRole('button', { name: /^(关 ?闭|Close)$/ })
          .last()
          .click()
        await page.getByText(say('船闸工程（只读）', 'Ship lock (read only)')).last().waitFor()
        await shot('tokens')
        const ask = async (path, body) => {
          const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
          return (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
        }
        assert.equal((await ask('/api/runtime/query/list', { schemaCode: 'contract' })).errcode, 0)
        assert.notEqual((await ask('/api/runtime/query/list', { schemaCode: 'user' })).errcode, 0)
        assert.equal((await ask('/api/runtime/export/start', {})).errcode, 100047)
        assert.deepEqual(problems, [])
      } finally {
        await context.close()
      }
    })

    test(`a person joins, their work is handed over, and the one who gets it is told (${look})`, async () => {
      const { page, problems } = await openPage(browser, server.url, options)
      const shot = (name) => shots && bothLooks(page, join(shots, `identity-${name}-${look}.png`))
      const at = (model) => page.goto(`${server.url}/application/organisation/application-list/${model}`)
      const add = async () => {
        await page
          .getByRole('button', { name: say('新增', 'Add'), exact: true })
          .first()
          .click()
        await page.getByText(say('存为草稿', 'Save as draft')).first().waitFor({ state: 'attached' })
      }
      const field = (zh, english) =>
        page
          .locator(':is(main, [role=dialog])')
          .last()
          .getByLabel(new RegExp(`^${say(zh, english)}`))
          .first()
      const pick = async (box, text, name) => {
        await box.click()
        await page.keyboard.type(text)
        await page.getByRole('option', { name }).first().click()
      }
      const save = async () => {
        await page.keyboard.press('Control+s')
        await said(page, say('已保存', 'Saved'))
      }
      await signIn(page, server.url, 'keeper')
      await at('department')
      await add()
      const office = say('接待处', 'Front office')
      await field('名称', 'Name').pressSequentially(office)
      await pick(field('上级部门', 'Parent department'), 'jhgcjlb', '江淮工程监理部')
      await save()
      await at('user')
      await add()
      const username = `leaver-${look}`
      await field('账号', 'Username').pressSequentially(username)
      await field('姓名', 'Name').pressSequentially(say('离职的人', 'Lee Ver'))
      await pick(field('主部门', 'Main department'), say('jdc', 'Front'), office)
      await pick(field('角色', 'Roles'), say('yg', 'staf'), say('员工', 'Staff'))
      await page.keyboard.press('Escape')
      await save()
      await shot('person')
      await at('handover')
      await add()
      await pick(field('移交人', 'From'), username, say('离职的人', 'Lee Ver'))
      await pick(field('接收人', 'To'), 'heir', '李接手')
      const roles = page.getByRole('radiogroup', { name: say('移交角色', 'Roles') })
      await roles.getByText(say('是', 'Yes'), { exact: true }).click()
      await save()
      await page.goto(`${server.url}/system/operation`)
      await page.getByText(say('正常', 'Live'), { exact: true }).first().waitFor()
      await shot('operation')
      await page.goto(`${server.url}/system/errors`)
      await page.getByLabel(say('错误码或文字', 'Code or text')).first().pressSequentially('200001')
      await page.getByText(say('账号已存在', 'This username is already in use')).waitFor()
      await shot('errors')
      await signIn(page, server.url, 'heir')
      await page.goto(`${server.url}/message-notification`)
      const told = page.getByRole('listitem').filter({ hasText: say('离职的人', 'Lee Ver') })
      await told.first().waitFor()
      await shot('messages')
      await page.getByRole('button', { name: say('全部已读', 'Mark all as read') }).click()
      await told.first().waitFor({ state: 'detached' })
      assert.deepEqual(problems, [])
    })

    test(`the audit log is taken away (${look})`, async () => {
      const { page, context, problems } = await openPage(browser, server.url, { fresh: true, ...options })
      try {
        await signIn(page, server.url, 'keeper')
        await page.goto(`${server.url}/audit`)
        const saved = page.waitForEvent('download')
        await page.getByRole('button', { name: say('导出 CSV', 'Export as CSV') }).click()
        const text = readFileSync(await (await saved).path(), 'utf8')
        assert.match(text, en ? /^\uFEFFTime,Kind,By/ : /^\uFEFF时间,类型,操作人/)
        assert.match(text, /token\.create/)
        if (shots) await page.screenshot({ path: join(shots, `identity-audit-${look}.png`) })
        assert.deepEqual(problems, [])
      } finally {
        await context.close()
      }
    })

    if (!phone && options.width !== 768)
      test(`a folder of the menu leads to its first entry (${look})`, async () => {
        const { page, context, problems } = await openPage(browser, server.url, { fresh: true, ...options })
        try {
          await signIn(page, server.url, 'keeper')
          await page.goto(`${server.url}/application/shiplock/application-list/contract`)
          const folder = page.getByRole('button', { name: say('质量', 'Quality'), exact: true })
          await folder.locator('[data-caret]').click()
          assert.equal(await folder.getAttribute('aria-expanded'), 'false')
          await folder.click()
          await page.waitForURL(/application-list\/inspection/)
          assert.deepEqual(problems, [])
        } finally {
          await context.close()
        }
      })
  }
})
