// Forms of every kind compile, are drawn, and save what was typed; and the address of a form does what the specification says:
// pages, drawers, frames, new windows, ways back.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { kindsPack, LARGE } from './kinds.mjs'
import { call } from './parts.mjs'
import { browserPath, openPage, signIn, sluice, startBrowser, startServer } from './server.mjs'

const field = (page, code) => page.locator(`[data-field="${code}"]`)
const input = (page, code) => field(page, code).locator('input, textarea').first()
const detail = (schemaCode, more = '') => `/form/detail?schemaCode=${schemaCode}&sheetCode=${schemaCode}${more}`
const press = (page, name) => page.getByRole('button', { name }).click()
const save = async (page) => {
  await page
    .locator('footer')
    .getByRole('button', { name: /^(保\s?存|Save)$/ })
    .click()
  await page.getByRole('button', { name: /^(编\s?辑|Edit)$/ }).waitFor()
}
const choose = async (page, code, ...words) => {
  await field(page, code).locator('input[role="combobox"]').first().click()
  const open = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
  for (const word of words) await open.getByText(word, { exact: true }).first().click()
  await page.keyboard.press('Escape')
}
const shoot = (page, name) =>
  process.env.SHOTS ? page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) }) : undefined

describe('forms of all kinds', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  let folder
  let page
  let problems
  before(async () => {
    folder = kindsPack()
    assert.doesNotMatch(sluice('check', folder), /error/)
    server = await startServer({ packs: [folder] })
    server.addUser('seller', 'seller', '王销售')
    server.addUser('buyer', 'buyer', '李采购')
    browser = await startBrowser()
    ;({ page, problems } = await openPage(browser, server.url))
    await signIn(page, server.url, 'seller')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const key = () => new URL(page.url()).searchParams.get('key')
  const read = async (schemaCode, id) =>
    (await call(page, `/api/runtime/form/load?schemaCode=${schemaCode}&sheetCode=${schemaCode}&objectId=${id}`)).data
      .data
  const make = async (schemaCode, data) => (await call(page, '/api/runtime/form/save', { schemaCode, data })).data.id

  test('simple: columns, spans, help, placeholders, folded sections, settings of controls', async () => {
    await page.goto(server.url + detail('simple'))
    await input(page, 'title').waitFor()
    assert.equal(await input(page, 'title').getAttribute('placeholder'), '姓名全称')
    assert.equal(await input(page, 'phone').getAttribute('placeholder'), '+86 …')
    await field(page, 'age').getByText('周岁').waitFor()
    await field(page, 'age').getByText('Alter').waitFor()
    assert.equal(await input(page, 'age').evaluate((at) => at === document.activeElement), true, 'ui:autofocus')
    const [first, bio, home] = await Promise.all(
      ['title', 'bio', 'home'].map((code) => field(page, code).boundingBox()),
    )
    assert.ok(Math.abs(bio.width - 3 * first.width - 48) < 2, 'three columns wide')
    assert.ok(Math.abs(home.width - 2 * first.width - 24) < 2, 'two columns wide')
    assert.ok((await input(page, 'bio').boundingBox()).height > 170, 'eight rows')
    assert.equal(await field(page, 'born').count(), 0, 'folded')
    await press(page, '时间')
    await page.getByText('可以不填').waitFor()
    assert.ok((await field(page, 'born').boundingBox()).width < first.width, 'four columns in the section')
    await input(page, 'title').fill('王小明')
    await input(page, 'age').fill('30')
    await input(page, 'born').fill('1996-02-29')
    await page.keyboard.press('Enter')
    await field(page, 'done').getByText('是', { exact: true }).click()
    await shoot(page, 'kinds-simple')
    await save(page)
    const saved = await read('simple', key())
    assert.deepEqual(
      [saved.title, saved.age, saved.born, saved.done, saved.phone],
      ['王小明', '30', '1996-02-29', true, null],
    )
  })

  test('another form of the same model, from the list, in a drawer', async () => {
    await page.goto(`${server.url}/application/kinds/application-list/simple`)
    await page.locator('.ag-row[row-id]').first().waitFor()
    await page.locator('.ag-row[row-id]').first().hover()
    await page.getByRole('button', { name: '简表' }).first().click()
    await page.locator('.ant-drawer').getByRole('heading', { name: '王小明' }).waitFor()
    assert.equal(await field(page, 'bio').count(), 0)
    assert.equal(await page.locator('.ant-drawer [data-field]').count(), 2)
    const opened = page.context().waitForEvent('page')
    await press(page, '在新窗口打开')
    const tab = await opened
    await tab.getByRole('heading', { name: '王小明' }).waitFor()
    assert.equal(new URL(tab.url()).searchParams.get('sheetCode'), 'simple_short')
    await tab.close()
    await page
      .locator('.ant-drawer')
      .getByRole('button', { name: /^复\s?制$/ })
      .click()
    await page.waitForURL(/copyFrom=/)
    assert.equal(await input(page, 'title').inputValue(), '王小明')
    await page.keyboard.press('Escape')
  })

  test('arrays: sets, rows with sets and requirements of their own, rows in tabs', async () => {
    await page.goto(server.url + detail('arrays'))
    await input(page, 'title').fill('清单一')
    await field(page, 'tags').getByText('甲').click()
    await field(page, 'tags').getByText('丙').click()
    await choose(page, 'people', '王销售', '李采购')
    await page
      .locator('footer')
      .getByRole('button', { name: /^保\s?存$/ })
      .click()
    await page.getByText(/项需要修改/).waitFor()
    const id = await make('arrays', {
      title: 'rows',
      rows: [{ what: '一', kinds: ['x', 'y'], count: '3' }],
      steps: [{ step: '先', ok: true }],
    })
    await page.goto(server.url + detail('arrays', `&key=${id}&edit=1`))
    await field(page, 'rows').getByText('红').first().waitFor()
    await page.getByRole('tab', { name: '步骤' }).click()
    await field(page, 'steps').waitFor()
    const version = (await call(page, `/api/runtime/form/load?schemaCode=arrays&sheetCode=arrays&objectId=${id}`)).data
      .version
    const row = (await read('arrays', id)).rows[0]
    const refused = await call(page, '/api/runtime/form/save', {
      schemaCode: 'arrays',
      sheetCode: 'arrays',
      id,
      version,
      data: { rows: [{ id: row.id, count: '11' }] },
    })
    assert.deepEqual(
      refused.data.errors.map((one) => one.propertyCode),
      ['rows.why'],
      'required where a row says so',
    )
    await input(page, 'title').fill('清单二')
    await save(page)
    const saved = await read('arrays', id)
    assert.deepEqual(
      [saved.title, saved.rows.length, saved.rows[0].kinds, saved.steps[0].ok],
      ['清单二', 1, ['x', 'y'], true],
    )
  })

  test('conditionals: fields, sections and tabs that come and go, choices that follow', async () => {
    await page.goto(server.url + detail('conditionals'))
    await input(page, 'title').fill('宠物')
    assert.equal(await page.getByRole('tab').count(), 0)
    assert.equal(await page.getByRole('button', { name: '水' }).count(), 0)
    await field(page, 'kind').getByText('猫').click()
    await page.getByRole('tab', { name: '用药' }).waitFor()
    await field(page, 'food').locator('input[role="combobox"]').click()
    const open = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
    await open.getByText('肉').waitFor()
    assert.equal(await open.getByText('虫').count(), 0)
    await page.keyboard.press('Escape')
    await field(page, 'kind').getByText('鱼').click()
    await page.getByRole('tab').waitFor({ state: 'detached' })
    await field(page, 'water').getByText('*').waitFor()
    await input(page, 'card').fill('6222')
    await field(page, 'billing').getByText('*').waitFor()
    await page
      .locator('footer')
      .getByRole('button', { name: /^保\s?存$/ })
      .click()
    await page.getByText('有 2 项需要修改').waitFor()
    await field(page, 'water').getByText('海').click()
    await input(page, 'billing').fill('武汉')
    await choose(page, 'food', '虫')
    await save(page)
    const saved = await read('conditionals', key())
    assert.deepEqual([saved.kind, saved.water, saved.food, saved.billing], ['fish', 'sea', 'worms', '武汉'])
    const hidden = await call(page, '/api/runtime/form/save', {
      schemaCode: 'conditionals',
      sheetCode: 'conditionals',
      data: { title: 'no', kind: 'none' },
    })
    assert.equal(hidden.errcode, 0, 'what is not shown is not asked for')
  })

  test('nullable: defaults of the form, emptied again; fields by role', async () => {
    await page.goto(server.url + detail('nullable'))
    await input(page, 'title').fill('甲')
    assert.deepEqual([await input(page, 'note').inputValue(), await input(page, 'amount').inputValue()], ['form', '42'])
    await field(page, 'keeper').getByText('王销售').waitFor()
    assert.equal(await field(page, 'grade').getByRole('radio', { name: '二等' }).isChecked(), true)
    await field(page, 'plan').getByText('*').waitFor()
    await input(page, 'plan').fill('计划')
    await input(page, 'secret').fill('8')
    await save(page)
    const id = key()
    await press(page, /^编\s?辑$/)
    await input(page, 'note').fill('')
    await input(page, 'amount').fill('')
    await field(page, 'grade').getByRole('button', { name: '清空' }).click()
    await save(page)
    const saved = await read('nullable', id)
    assert.deepEqual([saved.note, saved.amount, saved.grade, saved.secret], [null, null, null, '8'])

    const other = await openPage(browser, server.url, { locale: 'en', dark: true })
    await signIn(other.page, server.url, 'buyer')
    await other.page.goto(server.url + detail('nullable', `&key=${id}&edit=1`))
    await input(other.page, 'title').waitFor()
    assert.equal(await field(other.page, 'secret').count(), 0, 'another role')
    assert.equal(await field(other.page, 'plan').locator('input').count(), 0, 'read only for this role')
    assert.equal(await field(other.page, 'plan').getByText('*').count(), 0)
    await input(other.page, 'title').fill('by the buyer')
    await shoot(other.page, 'kinds-nullable')
    await save(other.page)
    const { version } = (await call(other.page, `/api/runtime/form/load?schemaCode=nullable&objectId=${id}`)).data
    for (const data of [{ secret: '1' }, { plan: 'x' }]) {
      const refused = await call(other.page, '/api/runtime/form/save', {
        schemaCode: 'nullable',
        sheetCode: 'nullable',
        id,
        version,
        data,
      })
      assert.notEqual(refused.errcode, 0, JSON.stringify(data))
    }
    assert.deepEqual(other.problems, [])
    await other.context.close()
  })

  test(`large: ${LARGE} fields in four columns`, async () => {
    await page.goto(server.url + detail('large'))
    await input(page, 'title').fill('大')
    await press(page, '第 2 组')
    await press(page, '第 3 组')
    await input(page, 'p149').fill('last')
    assert.equal(await page.locator('[data-field]').count(), LARGE + 1)
    await input(page, 'p5').fill('5')
    await input(page, 'p1').pressSequentially('typed with many others')
    await shoot(page, 'kinds-large')
    await save(page)
    const saved = await read('large', key())
    assert.deepEqual([saved.p149, saved.p5, saved.p1], ['last', '5', 'typed with many others'])
  })

  test('on a phone: one column, tabs and folded groups', async () => {
    const phone = await openPage(browser, server.url, { width: 390, height: 844 })
    await signIn(phone.page, server.url, 'seller')
    await phone.page.goto(server.url + detail('simple'))
    await input(phone.page, 'title').waitFor()
    const [one, two] = [await field(phone.page, 'title').boundingBox(), await field(phone.page, 'age').boundingBox()]
    assert.ok(two.y > one.y && Math.abs(two.width - one.width) < 1, 'one below the other')
    await phone.page.getByRole('button', { name: '时间' }).click()
    await field(phone.page, 'born').waitFor()
    await shoot(phone.page, 'kinds-phone')
    await phone.page.goto(server.url + detail('arrays'))
    await phone.page.getByRole('tab', { name: '步骤' }).click()
    await field(phone.page, 'steps').waitFor()
    await shoot(phone.page, 'kinds-phone-tabs')
    assert.equal(await phone.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true)
    assert.deepEqual(phone.problems, [])
    await phone.context.close()
  })

  test('relations, notifications, workflows and the server’s own address', async () => {
    const id = await make('simple', { title: 'target' })
    const told = (await call(page, `/api/runtime/form/get_form_url?schemaCode=simple&bizObjectId=${id}`)).data
    await page.goto(`${server.url}${told}&iframeAction=detail&debugId=7`)
    await page.getByRole('heading', { name: 'target' }).waitFor()
    await page.locator('header').first().waitFor()
    assert.ok((await page.locator('header').count()) > 1, 'not in a frame: with the frame of the application')
    await page.goto(server.url + detail('simple', `&key=${id}&isFromTips=true&edit=1&workitemType=FINISHED_WORKITEM`))
    await page.getByRole('button', { name: /^编\s?辑$/ }).waitFor()
    await page.goto(`${server.url}/form/detail?startWorkflowCode=leave&return=/user/info`)
    await page.getByRole('heading', { name: '无法发起此流程' }).waitFor()
    await press(page, /^关\s?闭$/)
    await page.waitForURL((url) => url.pathname === '/user/info')
  })

  test('in a frame of the same origin: without menus, and with events', async () => {
    const id = await make('simple', { title: 'framed' })
    await page.goto(`${server.url}/user/info`)
    await page.evaluate(
      (src) => {
        window.events = []
        window.addEventListener('message', ({ data, origin }) => {
          if (origin === location.origin && data?.source === 'sluice-form') window.events.push(data)
        })
        const frame = Object.assign(document.createElement('iframe'), { src, id: 'form', width: 1000, height: 700 })
        frame.style.cssText = 'position:fixed;inset:60px;z-index:5000;background:#fff'
        document.body.append(frame)
      },
      detail('simple', `&key=${id}&edit=1&iframeAction=detail`),
    )
    const frame = page.frameLocator('#form')
    await frame.locator('[data-field="title"] input').fill('from the frame')
    assert.equal(await frame.locator('header').count(), 1, "the form's own head only")
    await shoot(page, 'kinds-frame')
    await frame
      .locator('footer')
      .getByRole('button', { name: /^保\s?存$/ })
      .click()
    await frame.getByRole('button', { name: /^编\s?辑$/ }).waitFor()
    await frame.getByRole('button', { name: /^编\s?辑$/ }).click()
    const types = await page.evaluate(() => window.events.map(({ type }) => type))
    for (const type of ['ready', 'dirty', 'saved']) assert.ok(types.includes(type), `${type}: ${types}`)
    assert.deepEqual(await page.evaluate(() => window.events.find(({ type }) => type === 'saved')), {
      source: 'sluice-form',
      iframeAction: 'detail',
      schemaCode: 'simple',
      objectId: id,
      type: 'saved',
      added: false,
    })
    await page.evaluate(
      (src) => {
        document.querySelector('#form').src = src
      },
      detail('simple', '&iframeAction=add'),
    )
    await frame.getByRole('heading', { name: /新增/ }).waitFor()
    await frame.getByRole('button', { name: /^取\s?消$/ }).click()
    await page.waitForFunction(() => window.events.at(-1).type === 'closed')
    const policy = (await page.request.get(`${server.url}/form/detail`)).headers()['content-security-policy']
    assert.match(policy, /frame-ancestors 'self'/)
  })

  test('nothing went wrong besides', () => assert.deepEqual(problems, []))
})
