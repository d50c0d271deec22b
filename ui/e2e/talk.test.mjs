// People who talk about a record, in two browsers against the real program: a mention counts at the other's bell without a
// reload, the message opens the record at the comment, the reply comes back; files, deleted comments, phone, both languages.
// SHOTS=folder keeps pictures.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { faultsOf } from './faults.mjs'
import { call, rowsOf } from './parts.mjs'
import { browserPath, openPage, root, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ?? null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

const words = {
  zh: {
    comments: /^评论/,
    write: '写评论，输入 @ 提及同事',
    send: '发送',
    reply: /^回复 /,
    station: '系统通知',
    mentions: /提及和回复/,
    unread: /^未读/,
    read: '已读',
    readAll: '全部已读',
    all: '查看全部消息',
    bell: /^消息/,
    mentioned: (name) => `管理员 在“${name}”中提到了您`,
    replied: (name) => `副经理 回复了您在“${name}”中的评论`,
    attach: '添加附件',
    edit: '编辑',
    save: '保存',
    remove: '删除',
    deleted: '该评论已删除',
    edited: '已编辑',
    noUnread: '没有未读消息',
    loaded: '没有更多消息',
    gone: '该评论已被删除',
  },
  en: {
    comments: /^Comments/,
    write: 'Write a comment. Type @ to mention a colleague.',
    send: 'Send',
    reply: /^Reply to /,
    station: 'System',
    mentions: /Mentions and replies/,
    unread: /^Unread/,
    read: 'Read',
    readAll: 'Mark all as read',
    all: 'See all notifications',
    bell: /^Notifications|unread notification/,
    mentioned: (name) => `管理员 mentioned you in “${name}”`,
    replied: (name) => `副经理 replied to your comment on “${name}”`,
    attach: 'Attach files',
    edit: 'Edit',
    save: 'Save',
    remove: 'Delete',
    deleted: 'This comment was deleted',
    edited: 'edited',
    noUnread: 'No unread notifications',
    loaded: 'No more notifications',
    gone: 'That comment was deleted',
  },
}

describe('talk', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('deputy', 'administrator', '副经理')
    server.addUser('clerk', 'administrator', '文员')
    server.addUser('guest', 'viewer', '来访')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  async function person(name, options = {}) {
    const { page, context, problems } = await openPage(browser, server.url, options)
    await signIn(page, server.url, name)
    return { page, problems, leave: () => context.close() }
  }
  const take = async (page, name) => {
    if (shots) {
      await page.waitForTimeout(500)
      await page.screenshot({ path: join(shots, `talk-${name}.png`) })
    }
    assert.deepEqual(await faultsOf(page), [], name)
  }
  const record = (id) => `${server.url}/form/detail?schemaCode=drawing&objectId=${id}`
  /** The comments: beside the record, or on a phone over it. */
  const panel = (page) =>
    page
      .locator('aside, .ant-drawer-open')
      .filter({ has: page.getByRole('textbox') })
      .last()
  const openComments = async (page, text) => {
    await page.getByRole('button', { name: text.comments }).first().click()
    await panel(page).getByRole('textbox').waitFor()
  }
  const say = async (page, text, what) => {
    await panel(page).getByRole('textbox').fill(what)
    await panel(page).getByRole('button', { name: text.send }).click()
    await panel(page).getByRole('listitem').filter({ hasText: what }).first().waitFor()
  }
  const count = (page) => page.getByTestId('unread').first()

  for (const [at, locale] of ['zh', 'en'].entries()) {
    test(`a mention and its reply, ${locale}`, async () => {
      const text = words[locale]
      const options = { locale, dark: locale === 'en' }
      const [boss, deputy] = [await person('boss', options), await person('deputy', options)]
      const row = (await rowsOf(boss.page, 'drawing')).content[at]
      const name = row.data.name
      await deputy.page.goto(`${server.url}/app-list/applications`)
      await deputy.page.getByRole('button', { name: text.bell }).waitFor()
      assert.equal(await count(deputy.page).count(), 0)

      // Only people who may read the record are offered; what is typed stays text.
      await boss.page.goto(record(row.id))
      await openComments(boss.page, text)
      const box = panel(boss.page).getByRole('textbox')
      await box.fill('<img src=x onerror=alert(1)>\n')
      await box.press('End')
      await box.pressSequentially('@fjl', { delay: 40 })
      const offer = boss.page.getByRole('option').filter({ hasText: '副经理' })
      await offer.waitFor()
      await take(boss.page, `picker-${locale}`)
      await offer.click()
      await box.pressSequentially(
        locale === 'zh' ? '请看一下这张图纸的修改' : 'please look at the changes of this drawing',
      )
      await box.press('Control+Enter')
      const mine = panel(boss.page).getByRole('listitem').filter({ hasText: '@副经理' })
      await mine.waitFor()
      assert.equal(await mine.locator('img').count(), 0)
      assert.match(await mine.textContent(), /<img src=x onerror=alert\(1\)>/)

      // The other's bell counts without a reload, the message says who and where, and leads there.
      await count(deputy.page).filter({ hasText: '1' }).waitFor()
      await deputy.page.getByRole('button', { name: text.bell }).click()
      const entry = deputy.page.getByRole('button', { name: text.mentioned(name) })
      await entry.waitFor()
      await take(deputy.page, `bell-${locale}`)
      await entry.click()
      await deputy.page.waitForURL(/form\/detail.*comment=/)
      const theirs = panel(deputy.page).getByRole('listitem').filter({ hasText: '@副经理' })
      await theirs.waitFor()
      assert.equal(await theirs.getAttribute('data-marked'), 'true')
      await count(deputy.page).waitFor({ state: 'detached' })
      await take(deputy.page, `opened-${locale}`)

      // The reply is on the other's open page at once, and is a message of its own.
      await theirs.hover()
      await theirs.getByRole('button', { name: text.reply }).click()
      await say(deputy.page, text, locale === 'zh' ? '已核对，可以发布' : 'Checked, it can be issued')
      const reply = panel(boss.page)
        .getByRole('listitem')
        .filter({ hasText: /已核对|Checked/ })
      await reply.waitFor()
      await count(boss.page).filter({ hasText: '1' }).waitFor()
      await boss.page.goto(`${server.url}/message-notification?type=COMMENT`)
      const message = boss.page.getByRole('button', { name: text.replied(name) })
      await message.waitFor()
      await take(boss.page, `page-${locale}`)
      await boss.page.getByRole('button', { name: text.readAll }).click()
      await boss.page.getByText(text.noUnread).waitFor()
      await boss.page.getByText(text.read, { exact: true }).click()
      await message.waitFor()
      await boss.page.getByRole('tab', { name: text.station }).click()
      await boss.page.waitForURL(/type=STATION/)
      await boss.page.getByText(text.noUnread).waitFor()
      await take(boss.page, `empty-${locale}`)
      assert.deepEqual([...boss.problems, ...deputy.problems], [])
      await boss.leave()
      await deputy.leave()
    })
  }

  test('files, an edit and a deletion are seen at once by whoever has the record open', async () => {
    const text = words.zh
    const [boss, deputy] = [await person('boss'), await person('deputy')]
    const row = (await rowsOf(boss.page, 'drawing')).content[2]
    for (const { page } of [boss, deputy]) {
      await page.goto(record(row.id))
      await openComments(page, text)
    }
    await panel(boss.page).getByRole('textbox').fill('见附件')
    await panel(boss.page).getByRole('button', { name: text.attach }).click()
    await panel(boss.page)
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: '说明.txt', mimeType: 'text/plain', buffer: Buffer.from('验收合格\n') })
    await panel(boss.page).getByText('说明.txt').waitFor()
    await take(boss.page, 'composer')
    await panel(boss.page).getByRole('button', { name: text.send }).click()
    const theirs = panel(deputy.page).getByRole('listitem').filter({ hasText: '见附件' })
    const link = theirs.locator('a[href*="refId="]').first()
    await link.waitFor()
    const address = await link.getAttribute('href')
    const fetched = await deputy.page.evaluate(async (href) => (await fetch(href)).text(), address)
    assert.equal(fetched, '验收合格\n')
    await say(deputy.page, text, '收到')

    // What is being written survives a save of the record beside it.
    await panel(boss.page).getByRole('textbox').fill('还没写完')
    await boss.page.getByRole('button', { name: text.edit, exact: true }).first().click()
    await boss.page.locator('[data-field="name"] input').fill('上游引航道钢筋图（改）')
    await boss.page.keyboard.press('Control+s')
    await boss.page.getByRole('heading', { name: '（改）' }).waitFor()
    assert.equal(await panel(boss.page).getByRole('textbox').inputValue(), '还没写完')

    const mine = panel(boss.page)
      .getByRole('listitem')
      .filter({ hasText: /见附件|已删除/ })
      .first()
    await mine.hover()
    await mine.getByRole('button', { name: text.edit }).click()
    const field = mine.getByRole('textbox')
    await field.fill('见附件，第二版')
    await mine.getByRole('button', { name: text.save }).click()
    await panel(deputy.page).getByText('见附件，第二版').waitFor()
    await theirs.getByText(text.edited).waitFor()
    assert.equal(await theirs.getByRole('button', { name: text.edit }).count(), 0, 'not mine to edit')

    await theirs.hover()
    await theirs.getByRole('button', { name: text.reply }).click()
    await say(deputy.page, text, '第二版也收到')
    await mine.hover()
    await mine.getByRole('button', { name: text.remove }).click()
    await boss.page.locator('.ant-modal').getByRole('button', { name: text.remove }).click()
    await panel(deputy.page).getByText(text.deleted).first().waitFor()
    assert.equal(await panel(deputy.page).getByText('说明.txt').count(), 0)
    await take(deputy.page, 'thread')
    const gone = await deputy.page.evaluate(async (href) => (await fetch(href)).status, address)
    assert.equal(gone, 404)
    assert.deepEqual([...boss.problems, ...deputy.problems], [])
    await boss.leave()
    await deputy.leave()
  })

  test('on a phone messages are a tab, and comments fill the screen; many load as one scrolls', async () => {
    const text = words.zh
    const [boss, clerk] = [await person('boss'), await person('clerk')]
    const row = (await rowsOf(boss.page, 'drawing')).content[3]
    const phone = await person('deputy', { width: 390, height: 844 })
    const me = await call(phone.page, '/api/organization/user/info')
    const waiting = 25
    const other = (await rowsOf(boss.page, 'drawing')).content[4]
    for (let n = 0; n < waiting; n++) {
      const author = n % 2 ? boss : clerk // faster than one person writes
      const said = await call(author.page, '/api/runtime/comment/add', {
        schemaCode: 'drawing',
        objectId: n < 18 ? row.id : other.id,
        text: `@副经理 第 ${n} 点`,
        mentions: [me.data.id],
      })
      assert.equal(said.errcode, 0, said.errmsg)
    }
    await phone.page.goto(`${server.url}/app-list/applications`)
    await count(phone.page).waitFor()
    await phone.page.getByRole('link', { name: '消息', exact: true }).click()
    await phone.page.waitForURL(/message-notification/)
    await phone.page.getByRole('tab', { name: text.mentions }).click()
    const messages = phone.page.getByRole('button', { name: /提到了您/ })
    await messages.first().waitFor()
    await take(phone.page, 'phone-page')
    await center(phone.page, text, waiting)
    await messages.first().click()
    await phone.page.waitForURL(/form\/detail.*comment=/)
    await panel(phone.page).locator('[data-marked]').waitFor()
    await take(phone.page, 'phone-comments')
    const wide = await person('deputy', { locale: 'en', dark: true })
    await wide.page.goto(`${server.url}/app-list/applications`)
    await wide.page.getByRole('button', { name: words.en.bell }).click()
    await wide.page.getByRole('button', { name: 'Load more' }).click()
    await wide.page.locator('[class*="popover"] li').nth(10).waitFor() // ten at a time
    await take(wide.page, 'popover-en')
    await wide.page.getByRole('link', { name: words.en.all }).click()
    await wide.page.waitForURL(/message-notification\?type=COMMENT/)
    await center(wide.page, words.en, waiting - 1)
    await take(wide.page, 'page-end-en')
    await wide.page.getByRole('button', { name: words.en.readAll }).click()
    await wide.page.getByText(words.en.noUnread).waitFor()
    await count(wide.page).waitFor({ state: 'detached' })
    assert.deepEqual([...boss.problems, ...phone.problems, ...wide.problems], [])
    for (const one of [boss, clerk, phone, wide]) await one.leave()
  })

  /** Unread messages stand under the day of today, twenty at first; the others come as somebody scrolls, until the page says that there are no more. */
  async function center(page, text, waiting) {
    await page
      .getByText(text.unread)
      .filter({ hasText: String(waiting) })
      .waitFor()
    const list = page.locator('section[tabindex="0"]')
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format()
    const day = list.getByRole('region', { name: today })
    await day.getByRole('heading', { name: today }).waitFor()
    const items = day.getByRole('listitem')
    await items.nth(19).waitFor()
    assert.equal(await items.count(), 20)
    await list.hover()
    await page.mouse.wheel(0, 4000)
    await items.nth(waiting - 1).waitFor()
    await list.getByText(text.loaded).waitFor()
    assert.equal(await items.count(), waiting)
  }
})
