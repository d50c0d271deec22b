// What records and lists know about workflows: the bar of a record, buttons that start a workflow, who handles a record now. SHOTS=folder
// keeps pictures.
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

describe('workflows of records', { skip }, () => {
  let server
  let browser
  let page
  let problems
  let template
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('maker', 'contractManager', '李拟')
    server.addUser('chief', 'contractManager', '周审')
    server.addUser('cash', 'financeRole', '钱付')
    server.addUser('boss', 'projectManager', '项成')
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
  const shot = async (of, name) => {
    if (shots) await of.screenshot({ path: join(shots, `${name}.png`) })
    assert.deepEqual([...(await axeFaults(of)), ...(await faultsOf(of))], [], name)
  }
  const button = (of, name) => of.getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) })
  const contract = async (contractNo, amount = '1000') => {
    const data = { ...template, contractNo, name: `试验合同 ${contractNo}`, amount }
    const saved = await call(page, '/api/runtime/form/save', { schemaCode: 'contract', sheetCode: 'contract', data })
    assert.equal(saved.errcode, 0, saved.errmsg)
    return saved.data.id
  }
  const recordPath = (id) => `/form/detail?schemaCode=contract&sheetCode=contract&key=${id}`

  test('a record shows its workflow, and leads to the task of its reader', async () => {
    const id = await contract('WR-1')
    await page.goto(`${server.url}${recordPath(id)}`)
    await page.getByRole('heading', { name: /WR-1/ }).waitFor()
    assert.equal(await page.getByRole('region', { name: '流程状态' }).count(), 0, 'it is in no workflow')
    await page.goto(`${server.url}/form/detail?startWorkflowCode=contractApproval&key=${id}`)
    await button(page, '提交').click()
    await page.getByRole('heading', { name: '流程已发起' }).waitFor()

    await signIn(page, server.url, 'chief')
    await page.goto(`${server.url}${recordPath(id)}`)
    const bar = page.getByRole('region', { name: '流程状态' })
    await bar.getByText('合同审核').waitFor()
    await bar.getByText('处理人：', { exact: false }).waitFor()
    await shot(page, 'workflow-record')
    await bar.getByRole('link', { name: '处理任务' }).click()
    await page.getByLabel('处理意见').waitFor()
    const over = page.getByRole('dialog').filter({ has: page.getByLabel('处理意见') })
    assert.equal(await over.getByRole('region', { name: '流程状态' }).count(), 0, 'a task tells it itself')

    const phone = await openPage(browser, server.url, { width: 390, height: 844, dark: true, locale: 'en' })
    await signIn(phone.page, server.url, 'maker')
    await phone.page.goto(`${server.url}${recordPath(id)}`)
    const small = phone.page.getByRole('region', { name: /流程状态|Workflow status/ })
    await small.waitFor()
    assert.equal(await small.getByRole('link', { name: /处理任务|Open task/ }).count(), 0)
    await shot(phone.page, 'workflow-record-phone')
    await small.getByRole('link').click()
    await phone.page.waitForURL(/workflow-track/)
    assert.deepEqual(phone.problems, [])
    await phone.context.close()
    assert.deepEqual(problems, [])
  })

  test('a button of the list and one of the form start a workflow with the record', async () => {
    await signIn(page, server.url, 'maker')
    await contract('WR-2')
    await contract('WR-3')
    await page.goto(`${server.url}/application/shiplock/application-list/contract?q=WR-2`)
    const row = page.getByRole('row', { name: /WR-2/ })
    await row.waitFor()
    await row.getByRole('button', { name: '更多操作' }).last().click()
    await shot(page, 'workflow-start-button')
    await page.getByRole('menuitem', { name: '发起审批' }).click()
    await page.waitForURL(/startWorkflowCode=contractApproval/)
    await button(page, '提交').click()
    await said(page, '流程已发起')
    await page.waitForURL((url) => url.pathname.endsWith('/application-list/contract'))
    await row.getByRole('button', { name: '更多操作' }).last().click()
    await page.getByRole('menuitem').first().waitFor()
    assert.equal(await page.getByRole('menuitem', { name: '发起审批' }).count(), 0, 'a workflow moves it')
    await page.keyboard.press('Escape')

    await page.goto(`${server.url}/application/shiplock/application-list/contract?q=WR-3`)
    await page.getByRole('row', { name: /WR-3/ }).getByRole('link').first().click()
    await button(page.getByRole('dialog'), '发起审批').click()
    await button(page.getByRole('dialog'), '提交').click()
    await said(page, '流程已发起')
    assert.deepEqual(problems, [])
  })

  test('a form that submits saves a new record, or one that is there, and starts its workflow', async () => {
    await signIn(page, server.url, 'maker')
    const of = await contract('WR-4', '9000000')
    await page.goto(`${server.url}/form/detail?schemaCode=payment&sheetCode=payment`)
    const field = (name) => page.locator(`[data-field="${name}"] input`).first()
    await field('paymentNo').fill('WP-1')
    await button(page, '提交').click()
    await page
      .locator('[data-field="amount"] .ant-form-item-explain-error, [data-field="amount"] [role="alert"]')
      .first()
      .waitFor()
    await field('milestone').fill('首期')
    await field('amount').fill('1500000')
    await field('contract').fill('WR-4')
    await page
      .getByRole('option', { name: /WR-4/ })
      .or(page.locator('.ant-select-item-option', { hasText: 'WR-4' }))
      .first()
      .click()
    await shot(page, 'workflow-submit-new')
    await button(page, '提交').click()
    await said(page, '已提交')
    const bar = page.getByRole('region', { name: '流程状态' })
    await bar.getByText('支付审批').waitFor()
    assert.equal(await button(page, '提交').count(), 0, 'a workflow moves it')
    await page.goto(`${server.url}/application/shiplock/application-list/payment?q=WP-1`)
    await page.getByRole('row', { name: /WP-1/ }).getByText('周审').waitFor()
    await shot(page, 'workflow-handlers')
    const filled = { paymentNo: 'WP-2', contract: { id: of }, milestone: '首期', amount: '500' }
    const saved = await call(page, '/api/runtime/form/save', {
      schemaCode: 'payment',
      sheetCode: 'payment',
      data: filled,
    })
    assert.equal(saved.errcode, 0, saved.errmsg)
    const { id } = saved.data

    const phone = await openPage(browser, server.url, { width: 390, height: 844, locale: 'en' })
    await signIn(phone.page, server.url, 'maker')
    await phone.page.goto(`${server.url}/form/detail?schemaCode=payment&sheetCode=payment&key=${id}`)
    const send = phone.page.getByRole('button', { name: /^(提\s?交|Submit)$/ })
    await send.waitFor()
    await shot(phone.page, 'workflow-submit-phone')
    await phone.page.getByRole('button', { name: /^(编\s?辑|Edit)$/ }).click()
    await phone.page.locator('[data-field="milestone"] input').fill('二期')
    await shot(phone.page, 'workflow-submit-edit-phone')
    await send.click()
    await phone.page
      .getByRole('region', { name: /流程状态|Workflow status/ })
      .getByText(/支付审批|Payment approval/)
      .waitFor()
    const { data } = (await call(phone.page, `/api/runtime/form/load?schemaCode=payment&objectId=${id}`)).data
    assert.equal(data.milestone, '二期')
    assert.deepEqual(phone.problems, [])
    await phone.context.close()
    assert.deepEqual(problems, [])
  })

  test('what was approved stays, and who may amend it says why', async () => {
    await signIn(page, server.url, 'maker')
    const of = await contract('WR-5', '9000')
    const data = { paymentNo: 'WP-3', contract: { id: of }, milestone: '首期', amount: '5000' }
    const started = await call(page, '/api/runtime/form/submit', { workflowCode: 'paymentApproval', data })
    assert.equal(started.errcode, 0, started.errmsg)
    const { bizObjectId: id } = started.data
    await signIn(page, server.url, 'cash')
    const [item] = (await call(page, '/api/runtime/workitem/unfinished', {})).data.content
    const detail = (await call(page, `/api/runtime/workitem/detail?workItemId=${item.workItemId}`)).data
    const agreed = await call(page, '/api/runtime/workitem/agree', {
      workItemId: item.workItemId,
      version: detail.form.version,
      data: { approved: '5000', paidOn: '2026-11-20' },
    })
    assert.equal(agreed.errcode, 0, agreed.errmsg)

    await signIn(page, server.url, 'maker')
    const path = `/form/detail?schemaCode=payment&sheetCode=payment&key=${id}`
    await page.goto(server.url + path)
    await page.getByText('已审批', { exact: true }).waitFor()
    assert.equal(await button(page, '编辑').count(), 0)
    assert.equal(await button(page, '更正').count(), 0)
    await shot(page, 'workflow-sealed')
    const change = { schemaCode: 'payment', sheetCode: 'payment', id, data: { amount: '999999' } }
    const { version } = (await call(page, `/api/runtime/form/load?schemaCode=payment&objectId=${id}`)).data
    assert.equal((await call(page, '/api/runtime/form/save', { ...change, version })).errcode, 302094)
    const more = { ...change, version, amend: '因为' }
    assert.notEqual((await call(page, '/api/runtime/form/save', more)).errcode, 0)
    await page.goto(`${server.url}/application/shiplock/application-list/payment?q=WP-3`)
    const row = page.getByRole('row', { name: /WP-3/ })
    await row.waitFor()
    assert.equal(await row.getByRole('button', { name: /编辑|删除/ }).count(), 0)

    await signIn(page, server.url, 'boss')
    await page.goto(server.url + path)
    await button(page, '更正').click()
    const amount = page.locator('[data-field="amount"] input').first()
    await amount.click()
    await amount.press('Control+A')
    await page.keyboard.type('5500')
    await button(page, '保存').click()
    const dialog = page.getByRole('dialog', { name: '说明更正原因' })
    await dialog.waitFor()
    await button(dialog, '保存更正').click()
    await shot(page, 'workflow-amend')
    await page.keyboard.type('发票金额为 5,500')
    await button(dialog, '保存更正').click()
    await said(page, '已保存')
    await page.getByText('已审批', { exact: true }).waitFor()
    await page.locator('[data-field="amount"]').getByText('5,500').waitFor()
    assert.deepEqual(problems, [])

    const phone = await openPage(browser, server.url, { width: 390, height: 844, locale: 'en' })
    await signIn(phone.page, server.url, 'boss')
    await phone.page.goto(server.url + path)
    await phone.page.getByRole('button', { name: 'Amend' }).waitFor()
    await shot(phone.page, 'workflow-sealed-phone')
    await phone.page
      .getByRole('region', { name: /Workflow status/ })
      .getByRole('link')
      .click()
    await phone.page.waitForURL(/workflow-track/)
    await phone.page.getByRole('tab', { name: 'Log' }).click()
    await phone.page.getByText('发票金额为 5,500').first().waitFor()
    await phone.page.getByText('Amended').first().waitFor()
    await shot(phone.page, 'workflow-amended-phone')
    assert.deepEqual(phone.problems, [])
    await phone.context.close()
  })
})
