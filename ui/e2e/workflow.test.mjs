// An approval from its start to its end, by three people in the browser: started, sent back, submitted again, agreed to, on a phone
// too; reminders, taking back, and what an administrator does with it. SHOTS=folder keeps pictures.
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
const center = '/workflow-center/'

describe('workflows', { skip }, () => {
  let server
  let browser
  let page
  let problems
  let template
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('maker', 'contractManager', '李拟')
    server.addUser('chief', 'contractManager', '周审')
    server.addUser('head', 'projectManager', '陈总')
    server.addUser('root', 'administrator', '管理员')
    browser = await startBrowser()
    ;({ page, problems } = await openPage(browser, server.url))
    await signIn(page, server.url, 'maker')
    const [row] = (await rowsOf(page, 'contract')).content
    const load = (await call(page, `/api/runtime/form/load?schemaCode=contract&objectId=${row.id}`)).data
    const codes = ['kind', 'partyA', 'partyB', 'manager', 'signedOn']
    template = Object.fromEntries(codes.map((code) => [code, load.data[code]]))
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })
  /** What is on the screen is without faults; with SHOTS it is kept. */
  const shot = async (of, name) => {
    if (shots) await of.screenshot({ path: join(shots, `${name}.png`) })
    assert.deepEqual([...(await axeFaults(of)), ...(await faultsOf(of))], [], name)
  }
  const as = (username) => signIn(page, server.url, username)
  const to = (path) => page.goto(`${server.url}${path}`)
  const button = (of, name) => of.getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) })
  const contract = async (contractNo, amount) => {
    const data = { ...template, contractNo, name: `试验合同 ${contractNo}`, amount }
    const saved = await call(page, '/api/runtime/form/save', { schemaCode: 'contract', sheetCode: 'contract', data })
    assert.equal(saved.errcode, 0, saved.errmsg)
    return saved.data.id
  }
  const start = async (contractNo, amount) => {
    const id = await contract(contractNo, amount)
    await to(`/form/detail?startWorkflowCode=contractApproval&key=${id}`)
    await button(page, '提交').click()
    await page.getByRole('heading', { name: '流程已发起' }).waitFor()
  }
  const task = (of, contractNo) => of.getByRole('link', { name: new RegExp(contractNo) })
  const open = async (contractNo) => {
    await to(`${center}my-unfinished-workitem`)
    await task(page, contractNo).click()
  }

  test('goes from its start, back, and on to its end', async () => {
    await as('maker')
    await start('WF-1', '20000000')
    await page.getByRole('link', { name: '流程跟踪' }).click()
    await page.getByText('预计处理人', { exact: false }).first().waitFor()
    await shot(page, 'workflow-track')

    await as('chief')
    await to(`${center}my-unfinished-workitem`)
    await page.getByRole('link', { name: '待办，1 项' }).waitFor()
    await task(page, 'WF-1').click()
    await page.getByText('下一步：项目经理审批，', { exact: false }).waitFor()
    await shot(page, 'workflow-task')
    await button(page, '退回').click()
    const dialog = page.getByRole('dialog', { name: '退回' })
    await button(dialog, '退回').click()
    await dialog.getByText('请填写处理意见').waitFor()
    await dialog.getByLabel(/处理意见/).fill('金额有误')
    await button(dialog, '退回').click()
    await said(page, '已退回')
    await page.getByText('暂无待办').waitFor()

    await as('maker')
    await open('WF-1')
    await page.getByRole('region', { name: '审批意见' }).getByText('金额有误').waitFor()
    const amount = page.locator('[data-field="amount"] input')
    await amount.fill('30000000')
    await button(page, '提交').click()
    await said(page, '已提交')

    await as('chief')
    await open('WF-1')
    await page.locator('[data-field="amount"]').getByText('30,000,000', { exact: false }).waitFor()
    await page.getByLabel('处理意见').fill('同意')
    await button(page, '同意').click()
    await said(page, '已同意')

    const phone = await openPage(browser, server.url, { width: 390, height: 844, dark: true })
    await signIn(phone.page, server.url, 'head')
    await phone.page.goto(`${server.url}${center}my-unfinished-workitem`)
    await task(phone.page, 'WF-1').waitFor()
    await shot(phone.page, 'workflow-phone-list')
    await task(phone.page, 'WF-1').click()
    await phone.page.getByText('下一步：流程结束').waitFor()
    await shot(phone.page, 'workflow-phone-task')
    await button(phone.page, '同意').click()
    await phone.page.getByText('请填写处理意见').waitFor()
    await button(phone.page, '常用意见').click()
    await phone.page.getByRole('menuitem', { name: '同意，请按要求执行' }).click()
    await button(phone.page, '同意').click()
    await said(phone.page, '已同意')
    await phone.page.getByText('暂无待办').waitFor()
    assert.deepEqual(phone.problems, [])
    await phone.context.close()

    await as('maker')
    await to(`${center}my-workflow`)
    const row = page.getByRole('row', { name: /WF-1/ })
    await row.getByText('已通过').waitFor()
    await row.getByRole('button', { name: /流程跟踪/ }).click()
    const track = page.getByRole('dialog')
    await track.getByText('第 2 轮', { exact: false }).first().waitFor()
    await track.getByRole('tab', { name: '日志' }).click()
    await track.getByRole('row', { name: /退回.*金额有误/ }).waitFor()
    await shot(page, 'workflow-log')
    assert.deepEqual(problems, [])
  })

  test('is reminded of, taken back, and voided by an administrator', async () => {
    await as('maker')
    await start('WF-2', '1000')
    const third = await contract('WF-3', '1000')
    const english = await openPage(browser, server.url, { width: 390, height: 844, locale: 'en' })
    await signIn(english.page, server.url, 'maker')
    await english.page.goto(`${server.url}/form/detail?startWorkflowCode=contractApproval&key=${third}`)
    await english.page.getByRole('button', { name: 'Submit', exact: true }).click()
    await english.page.getByRole('heading', { name: 'Workflow started' }).waitFor()
    await shot(english.page, 'workflow-started')
    assert.deepEqual(english.problems, [])
    await english.context.close()
    await to(`${center}my-workflow`)
    await page.getByRole('button', { name: /^催办 .*WF-2/ }).click()
    await button(page.getByRole('dialog'), '催办').click()
    await said(page, '已催办')
    await page.getByRole('button', { name: /^更多操作 .*WF-3/ }).click()
    await page.getByRole('menuitem', { name: '撤销' }).click()
    await button(page.getByRole('dialog'), '撤销').click()
    await said(page, '已撤销')
    await page.getByRole('row', { name: /WF-3/ }).getByText('草稿').waitFor()
    await shot(page, 'workflow-mine')
    await page.getByRole('link', { name: '重新发起“WF-3 试验合同 WF-3”' }).click()
    await button(page, '提交').click()
    await said(page, '流程已发起')
    await page.getByRole('row', { name: /WF-3/ }).getByText('进行中').waitFor()

    await as('chief')
    await to(`${center}my-unfinished-workitem`)
    await page.getByRole('row', { name: /WF-2/ }).getByText('已催办 1 次').waitFor()
    await task(page, 'WF-3').waitFor()
    await to(`${center}query-instance`)
    await page.waitForURL((url) => url.pathname === `${center}my-unfinished-workitem`)

    await as('root')
    await to(`${center}query-instance`)
    await page.getByRole('button', { name: /^更多操作 .*WF-2/ }).click()
    await page.getByRole('menuitem', { name: '作废' }).click()
    await button(page.getByRole('dialog'), '作废').click()
    await said(page, '已作废')
    await page.getByRole('row', { name: /WF-2/ }).getByText('已作废').waitFor()
    await shot(page, 'workflow-query')
    assert.deepEqual(problems, [])
  })
})
