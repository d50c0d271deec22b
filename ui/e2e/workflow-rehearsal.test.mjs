// An author rehearses a workflow: made-up values by the form of the model, another decision at a step, coverage of several runs, on a phone
// and in English too. Nobody has a task afterwards. SHOTS=folder keeps pictures.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { axeFaults, faultsOf } from './faults.mjs'
import { call } from './parts.mjs'
import { browserPath, openPage, root, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ?? null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
const address = '/workflow-rehearsal/contractApproval'

describe('rehearsal of a workflow', { skip }, () => {
  let server
  let browser
  let page
  let problems
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('maker', 'contractManager', '李拟')
    server.addUser('chief', 'contractManager', '周审')
    server.addUser('root', 'administrator', '管理员')
    browser = await startBrowser()
    ;({ page, problems } = await openPage(browser, server.url))
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })
  const shot = async (of, name) => {
    await of.locator('.ant-btn-loading').waitFor({ state: 'detached' })
    await of.mouse.move(0, 0) // nothing is hovered over
    await of.waitForTimeout(400) // colors fade back
    if (shots) await of.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
    assert.deepEqual([...(await axeFaults(of)), ...(await faultsOf(of))], [], name)
  }
  const button = (of, name) => of.getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) })

  test('tells who gets it, why, and which way it goes', async () => {
    await signIn(page, server.url, 'root')
    await page.goto(`${server.url}/workflow-center/query-instance?workflowCode=contractApproval`)
    await page.goto(`${server.url}${address}`)
    await page.getByRole('heading', { name: '流程演练：合同审批' }).waitFor()
    await button(page, '填写数据').click()
    await page.locator('[data-field="amount"] input').fill('12000000')
    await button(page, '使用这些数据').click()
    await page.getByText(/已填写 \d+ 项/).waitFor()
    await button(page, '开始演练').click()
    await page.getByText('流程结束', { exact: true }).first().waitFor()
    await page.getByText('amount >= 10000000：amount 为 12000000').waitFor()
    await page.getByText('角色“项目经理”', { exact: false }).first().waitFor()
    await shot(page, 'rehearsal')

    await page.getByRole('combobox', { name: /在“合同审核”的决定$/ }).press('ArrowDown')
    await page.getByTitle('退回到“拟定”').click()
    await page.getByText('被退回到这里').first().waitFor()
    await button(page, '保留这次演练').click()
    await button(page, '填写数据').click()
    await page.locator('[data-field="amount"] input').fill('5')
    await button(page, '使用这些数据').click()
    await button(page, '清除全部决定').click()
    await page.getByText('其他条件都不成立').waitFor()
    await page.getByRole('tab', { name: '覆盖情况' }).click()
    await page.getByText('2 次演练').waitFor()
    await shot(page, 'rehearsal-coverage')
    await page.getByRole('tab', { name: '流程图' }).click()
    await shot(page, 'rehearsal-course')
    const tasks = await call(page, '/api/runtime/workflow/query', { workflowCode: 'contractApproval' })
    assert.equal(tasks.data.totalElements, 0, 'nothing was written')
    assert.deepEqual(problems, [])
  })

  test('works on a phone in the dark, in English', async () => {
    const look = { width: 390, height: 844, dark: true, locale: 'en' }
    const { page: phone, problems: faults, context } = await openPage(browser, server.url, look)
    await signIn(phone, server.url, 'root')
    await phone.goto(`${server.url}${address}`)
    await phone.getByRole('heading', { name: 'Rehearsal: Contract approval' }).waitFor()
    await phone.getByRole('button', { name: 'Enter values' }).click()
    await phone.locator('[data-field="amount"] input').pressSequentially('12000000')
    await phone.getByRole('button', { name: 'Use these values' }).click()
    await phone.getByText(/\d+ values? entered/).waitFor()
    await phone.getByRole('button', { name: 'Run', exact: true }).click()
    await phone.getByText('Comes to its end', { exact: true }).first().waitFor()
    await phone.getByRole('combobox', { name: /at Commercial review$/ }).press('ArrowDown')
    await phone.getByTitle('Send back to Draft').click()
    await phone.getByRole('button', { name: 'Clear all decisions' }).click()
    await shot(phone, 'rehearsal-phone')
    assert.deepEqual(faults, [])
    await context.close()
  })
})
