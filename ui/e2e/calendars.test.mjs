// Work calendars as administrators keep them, and delegations with what they move. SHOTS=folder keeps pictures.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { axeFaults, faultsOf } from './faults.mjs'
import { call, rowsOf } from './parts.mjs'
import { browserPath, openPage, root, said, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ?? null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

describe('calendars and delegations', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('root', 'administrator', '管理员')
    server.addUser('chief', 'contractManager', '周审')
    server.addUser('deputy', 'contractManager', '吴代')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })
  const shot = async (of, name) => {
    if (shots) await of.screenshot({ path: join(shots, `${name}.png`) })
    assert.deepEqual([...(await axeFaults(of)), ...(await faultsOf(of))], [], name)
  }
  const button = (of, name) => of.getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) })

  test('the first start writes a calendar, which administrators change', async () => {
    const { page } = await openPage(browser, server.url, { width: 1440, height: 900 })
    await signIn(page, server.url, 'root')
    const [calendar] = (await rowsOf(page, 'workCalendar')).content
    assert.ok(calendar)
    const save = (data) =>
      call(page, '/api/runtime/form/save', { schemaCode: 'workCalendarDay', sheetCode: 'workCalendarDay', data })
    const day = (date, more) => save({ calendar: { id: calendar.id }, date, kind: 'HOLIDAY', note: '国庆节', ...more })
    assert.equal((await day('2026-10-01')).errcode, 0)
    assert.equal((await day('2026-10-10', { kind: 'WORKDAY', note: '调休上班' })).errcode, 0)
    assert.notEqual((await day('2026-10-02', { hours: '08:00-12:00' })).errcode, 0)
    await page.goto(`${server.url}/application/organisation/application-list/workCalendar`)
    await page.getByText('标准工作日').first().waitFor()
    await page.getByText('08:30-12:00 13:30-17:30').first().waitFor()
    await shot(page, 'calendars')
    await page.goto(`${server.url}/application/organisation/application-list/workCalendarDay`)
    await page.getByText('调休上班').first().waitFor()
    await shot(page, 'calendar-days')
    await page.context().close()
  })

  test('a delegation moves tasks, and keeps them in sight', async () => {
    const { page } = await openPage(browser, server.url, { width: 1440, height: 900 })
    await signIn(page, server.url, 'chief')
    await page.goto(`${server.url}/workflow-center/delegation-workflow`)
    await button(page, '新建委托').first().click()
    const dialog = page.getByRole('dialog', { name: '新建委托' })
    const who = dialog.getByRole('combobox', { name: '受托人' })
    await who.click()
    await who.fill('吴代')
    await page.locator('.ant-select-item-option-content').getByText('吴代').click()
    for (const [label, text] of [
      ['开始时间', '2026-01-01 08:00'],
      ['结束时间', '2099-01-01 18:00'],
    ]) {
      await dialog.getByLabel(label).fill(text)
      await dialog.getByLabel(label).blur()
    }
    const move = dialog.getByRole('switch', { name: '移交已有任务' })
    await move.focus()
    await page.keyboard.press('Space')
    await dialog.getByRole('switch', { name: '到期收回任务' }).click()
    await shot(page, 'delegation-dialog')
    await button(dialog, '保存').click()
    await said(page, '委托已保存')
    const [made] = (await call(page, '/api/runtime/delegation')).data
    assert.deepEqual([made.moveOpen, made.returnOpen, made.keepCopy, made.initiatorDepts], [true, true, true, []])
    await shot(page, 'delegations')
    await page.context().close()
    const phone = await openPage(browser, server.url, { width: 390, height: 844, dark: true, locale: 'en' })
    await signIn(phone.page, server.url, 'chief')
    await phone.page.goto(`${server.url}/workflow-center/delegation-workflow`)
    await phone.page.getByRole('button', { name: /^Edit / }).click()
    await phone.page.getByRole('switch', { name: 'Move open tasks' }).waitFor()
    await shot(phone.page, 'delegation-phone')
  })
})
