// Scripts of forms in a real browser against the real program: every hook does what docs/scripts.md says, a script that fails
// leaves the form in use, and none of them gets past the server's rules.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { call, rowsOf } from './parts.mjs'
import { browserPath, openPage, root, said, settled, signIn, startBrowser, startServer } from './server.mjs'

const named = (name, en) => ({ name, name_i18n: { en } })
const property = (code, propertyType, name, en, more = {}) => ({ code, propertyType, ...named(name, en), ...more })
const button = (actionCode, name, en, more = {}) => ({ actionCode, ...named(name, en), ...more })

const hooks = `
const script = {
  options: { version: '1.1' },
  hooks: {
    async onLoad({ record, editing, values }, form) {
      if (!editing) return form.setVisible('note', false)
      const user = await form.getUser()
      if (!record.id && !values.keeper) await form.setValue('keeper', user.name)
      await form.setRequired('title', true)
      await form.setReadonly('code', record.id !== null)
      await form.setVisible('secret', false)
    },
    async onRendered({ editing }, form) {
      if (editing) await form.message(form.i18n({ zh: '开始填写', en: 'Fill in' }))
    },
    async onValidate({ values }, form) {
      if (Number(values.weight) > 100) return { weight: form.i18n({ zh: '不能超过 100', en: 'At most 100' }) }
      if (values.title === 'twice') await form.setValues({ title: 'once', note: 'by script' })
      return {}
    },
    async onPreAction({ action, values }, form) {
      if (action === 'save' && values.title === 'stop') {
        await form.message('stopped', 'warning')
        return false
      }
      if (action === 'delete') return form.confirm(form.i18n({ zh: '脚本：确定？', en: 'Script: sure?' }))
      return true
    },
    async onActionDone({ action, result, values }, form) {
      if (action === 'save') await form.http.post('/api/runtime/form/save', { schemaCode: 'thing', data: { code: 'LOG-' + values.code, title: 'logged', weight: '1' } })
      if (action === 'save') await form.message('saved ' + (typeof result.id === 'string'), 'success')
    },
    async onCustomAction({ action, editing }, form) {
      if (action === 'fill') {
        await form.setValues({ title: 'filled', weight: 7, day: '2026-11-21', grade: 'A' })
        const at = await form.addRow('parts', { name: 'bolt', count: 4 })
        await form.addRow('parts', { name: 'nut', count: 8 })
        await form.setRow('parts', at, { count: 5 })
        await form.message((await form.getRows('parts')).length + ' rows', 'info')
      }
      if (action === 'tidy') {
        await form.removeRow('parts', 0)
        if (!editing) throw new Error('not here')
        await form.callAction('save')
      }
      if (action === 'loop') for (;;);
      if (action === 'wrong') await form.setValue('weight', { html: '<img src=x onerror=alert(1)>' })
      if (action === 'locked') await form.setValue('total', '5')
      if (action === 'begin') await form.edit()
    },
  },
}
export default script
`

const files = {
  'pack.json': { code: 'things', ...named('东西', 'Things'), version: '1.0.0', requires: ['organisation'] },
  'app.json': { ...named('东西', 'Things'), menu: [{ code: 'thing', type: 'BizModel' }] },
  'models/thing.json': {
    ...named('东西', 'Thing'),
    digest: '{code}',
    properties: [
      property('code', 'ShortText', '编号', 'Code', { required: true, unique: true }),
      property('title', 'ShortText', '标题', 'Title'),
      property('keeper', 'ShortText', '保管人', 'Keeper'),
      property('weight', 'Number', '重量', 'Weight', { max: '1000' }),
      property('day', 'Date', '日期', 'Day'),
      property('grade', 'Radio', '等级', 'Grade', { options: [{ code: 'A', ...named('甲', 'First') }] }),
      property('note', 'LongText', '备注', 'Note'),
      property('secret', 'ShortText', '密', 'Secret'),
      property('total', 'Number', '合计', 'Total', { computeFormula: 'sum(parts, .count)' }),
      property('parts', 'Sheet', '零件', 'Parts', {
        properties: [property('name', 'ShortText', '名称', 'Name'), property('count', 'Number', '数量', 'Count')],
      }),
    ],
    dataRules: [
      {
        propertyCode: 'title',
        checkType: 'formula',
        formula: "title != 'forbidden'",
        message: '服务器不允许',
        message_i18n: { en: 'The server says no' },
      },
    ],
  },
  'lists/thing.json': {
    schemaCode: 'thing',
    ...named('东西', 'Things'),
    queryColumns: ['code', 'title', 'weight'],
    queryActions: ['add', 'edit', 'delete'],
  },
  'forms/thing.json': {
    schemaCode: 'thing',
    ...named('东西', 'Thing'),
    items: [
      'code',
      'title',
      'keeper',
      'weight',
      'day',
      'grade',
      'note',
      'secret',
      'total',
      { propertyCode: 'parts', span: 2 },
    ],
    actions: [
      'save',
      button('fill', '填好', 'Fill', { hint: '填入示例', hint_i18n: { en: 'Fills in an example' } }),
      button('tidy', '整理', 'Tidy'),
      button('loop', '死循环', 'Loop', { confirm: '真的？', confirm_i18n: { en: 'Really?' } }),
      button('wrong', '错值', 'Wrong value'),
      button('locked', '锁住', 'Locked'),
      button('begin', '动手', 'Begin'),
    ],
    script: 'thing.js',
  },
  'forms/thing.js': hooks,
  'forms/plain.json': { schemaCode: 'thing', ...named('无脚本', 'Plain'), items: ['code', 'title'], actions: ['save'] },
  'access/worker.json': {
    ...named('工人', 'Worker'),
    includes: ['staff'],
    apps: ['things'],
    models: [
      {
        schemaCode: 'thing',
        actions: ['view', 'add', 'edit', 'delete', 'fill', 'tidy', 'loop', 'wrong', 'locked', 'begin'],
        rows: 'all',
        fields: { secret: '-', '*': 'rw' },
      },
    ],
  },
}

function writePack(at) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(at, name, '..'), { recursive: true })
    writeFileSync(join(at, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

const waitUntil = async (holds) => {
  for (let i = 0; i < 1200 && !(await holds().catch(() => false)); i++) await new Promise((go) => setTimeout(go, 100))
  assert.ok(await holds())
}
const field = (page, code) => page.locator(`[data-field="${code}"]`)
const input = (page, code) => field(page, code).locator('input, textarea').first()
const press = (page, name) => page.getByRole('button', { name, exact: true }).click()
/** Buttons beyond the first are in a menu. */
const pressMore = async (page, name) => {
  await page.getByRole('button', { name: /更多操作|More actions/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const address = (id, more = '') => `/form/detail?schemaCode=thing&sheetCode=thing${id ? `&key=${id}` : ''}${more}`

describe('scripts of forms', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  let folder
  let page
  let problems
  let context
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-form-scripts-'))
    writePack(join(folder, 'things'))
    cpSync(join(root, 'examples/ship-lock'), join(folder, 'ship-lock'), { recursive: true })
    server = await startServer({ packs: [join(folder, 'things'), join(folder, 'ship-lock')] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('worker', 'worker', '张工')
    browser = await startBrowser()
    ;({ page, problems, context } = await openPage(browser, server.url))
    await signIn(page, server.url, 'worker')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const make = async (code, more = {}) =>
    (
      await call(page, '/api/runtime/form/save', {
        schemaCode: 'thing',
        data: { code, title: 't', weight: '1', ...more },
      })
    ).data.id
  const read = async (id) =>
    (await call(page, `/api/runtime/form/load?schemaCode=thing&sheetCode=thing&objectId=${id}`)).data.data

  test('onLoad fills in, hides and requires; onValidate refuses at the field; onActionDone comes after', async () => {
    await page.goto(server.url + address(null))
    await said(page, '开始填写')
    assert.equal(await input(page, 'keeper').inputValue(), '张工')
    await field(page, 'title').getByText('*').waitFor()
    assert.equal(await field(page, 'secret').count(), 0)
    await input(page, 'code').fill('A-1')
    await press(page, '保存')
    await field(page, 'title').getByText('请填写标题').waitFor()
    await input(page, 'title').fill('twice')
    await input(page, 'weight').fill('101')
    await press(page, '保存')
    await field(page, 'weight').getByText('不能超过 100').waitFor()
    const faulty = await input(page, 'weight').elementHandle()
    await page.waitForFunction((at) => at === document.activeElement, faulty) // the fault is focused
    await input(page, 'weight').fill('99')
    await field(page, 'weight').getByText('不能超过 100').waitFor({ state: 'detached' })
    await press(page, '保存')
    await said(page, 'saved true')
    await page.waitForURL(/key=/)
    const id = new URL(page.url()).searchParams.get('key')
    const saved = await read(id)
    assert.deepEqual([saved.title, saved.note, saved.keeper, saved.weight], ['once', 'by script', '张工', '99'])
    const all = (await rowsOf(page, 'thing')).content.map(({ data }) => data.code)
    assert.ok(all.includes('LOG-A-1'), `a hook after a pressed button may write: ${all}`)
    await field(page, 'note').waitFor({ state: 'detached' }) // hidden while the record is read
  })

  test('onPreAction stops saving and asks before a deletion', async () => {
    const id = await make('B-1')
    await page.goto(server.url + address(id, '&edit=1'))
    await said(page, '开始填写')
    assert.equal(await field(page, 'code').locator('input').count(), 0, 'read only by the script')
    await input(page, 'title').fill('stop')
    await press(page, '保存')
    await said(page, 'stopped')
    assert.equal((await read(id)).title, 't')
    await input(page, 'title').fill('go')
    await press(page, '保存')
    await said(page, 'saved true')
    await page.getByRole('button', { name: '编辑' }).waitFor()
    assert.equal((await read(id)).title, 'go')
    await page.getByRole('button', { name: /删\s?除/ }).click()
    await page.getByText('脚本：确定？').waitFor()
    await page
      .locator('.ant-modal')
      .getByRole('button', { name: /取\s?消/ })
      .click()
    await page.locator('.ant-modal').first().waitFor({ state: 'detached' }) // the one that was cancelled has gone
    await settled(page)
    assert.equal(await page.locator('.ant-modal').getByText('删除“B-1”？').count(), 0)
    await page.getByRole('button', { name: /删\s?除/ }).click()
    await page
      .locator('.ant-modal')
      .getByRole('button', { name: /确\s?定|确\s?认/ })
      .last()
      .click()
    await page.locator('.ant-modal-confirm-title', { hasText: '删除“B-1”？' }).waitFor()
    await page
      .locator('.ant-modal')
      .filter({ hasText: '删除“B-1”？' })
      .getByRole('button', { name: /删\s?除/ })
      .click()
    await waitUntil(
      async () => (await call(page, `/api/runtime/form/load?schemaCode=thing&objectId=${id}`)).errcode !== 0,
    )
  })

  test('a script never gets past the server: its rules refuse what the script lets through', async () => {
    await page.goto(server.url + address(null))
    await said(page, '开始填写')
    await input(page, 'code').fill('C-1')
    await input(page, 'title').fill('forbidden')
    await press(page, '保存')
    await field(page, 'title').getByText('服务器不允许').waitFor()
  })

  test('buttons of the form fill in values and rows, and save', async () => {
    const id = await make('D-1')
    await page.goto(server.url + address(id, '&edit=1'))
    await said(page, '开始填写')
    await press(page, '填好')
    await said(page, '2 rows')
    assert.equal(await input(page, 'title').inputValue(), 'filled')
    assert.equal(await input(page, 'weight').inputValue(), '7')
    await field(page, 'total').getByText('13').waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'form-script-buttons.png') })
    await press(page, '整理')
    await page.getByRole('button', { name: '编辑' }).waitFor()
    const saved = await read(id)
    assert.deepEqual([saved.title, saved.weight, saved.day, saved.grade], ['filled', '7', '2026-11-21', 'A'])
    assert.deepEqual(
      saved.parts.map(({ name, count }) => `${name} ${count}`),
      ['nut 8'],
    )
    await pressMore(page, '动手')
    await input(page, 'title').waitFor()
  })

  test('faults are said, and the form goes on', async () => {
    const id = await make('F-1')
    await page.goto(server.url + address(id, '&edit=1'))
    await said(page, '开始填写')
    await pressMore(page, '错值')
    await said(page, 'execution error')
    await pressMore(page, '锁住')
    await said(page, 'total: read only')
    assert.equal(await page.locator('img[src="x"]').count(), 0)
    await input(page, 'title').fill('still here')
    await pressMore(page, '死循环')
    await page.locator('.ant-modal').getByText('真的？').waitFor()
    await page.locator('.ant-modal').getByRole('button', { name: '死循环' }).click()
    await said(page, '2 秒未响应')
    assert.equal(await input(page, 'title').inputValue(), 'still here', 'what was typed is there')
    await input(page, 'weight').fill('500') // onValidate would refuse it, and the script is gone
    await press(page, '保存')
    await page.getByRole('button', { name: '编辑' }).waitFor()
    assert.deepEqual([(await read(id)).title, (await read(id)).weight], ['still here', '500'])
  })

  test('the example of the ship-lock, in English', async () => {
    const other = await openPage(browser, server.url, { locale: 'en', dark: true })
    await signIn(other.page, server.url, 'boss')
    await other.page.goto(`${server.url}/form/detail?schemaCode=inspection&sheetCode=inspection`)
    await input(other.page, 'lotNo').waitFor()
    await other.page.getByRole('button', { name: 'Add standard items' }).click()
    await said(other.page, '3 items added')
    assert.equal(
      (await other.page.locator('[data-field="items"] [data-row], [data-field="items"] tbody tr').count()) >= 3,
      true,
    )
    await other.page.getByRole('button', { name: 'Add standard items' }).click()
    await said(other.page, 'All standard items are already in the table')
    if (process.env.SHOTS) await other.page.screenshot({ path: join(process.env.SHOTS, 'form-script-example.png') })
    assert.deepEqual(other.problems, [])
    await other.context.close()
  })

  test('nothing went wrong besides', async () => {
    assert.deepEqual(
      problems.filter((one) => !/Worker|worker/.test(one)),
      [],
    )
    await context.close()
  })
})
