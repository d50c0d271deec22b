// What administrators do with running workflows: an instance that a disabled person holds up gets another person, moves, and is voided and
// deleted; the tasks of a person are handed over; the log shows what a step changed; and all of it once in Chinese on a desktop and in
// English on a phone. SHOTS=folder keeps pictures.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { axeFaults, faultsOf } from './faults.mjs'
import { call, rowsOf } from './parts.mjs'
import { browserPath, openPage, root, said, settled, signIn, startBrowser, startServer, texts } from './server.mjs'

const shots = process.env.SHOTS ?? null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
const center = '/workflow-center/'
const LOOKS = [
  {
    locale: 'zh',
    width: 1440,
    height: 900,
    legal: '法务审查',
    money: '资金审查',
    last: '签发',
    clerk: '赵办',
    aide: '钱助',
  },
  {
    locale: 'en',
    width: 390,
    height: 844,
    legal: 'Legal check',
    money: 'Funds check',
    last: 'Release',
    clerk: 'Clerk Zhao',
    aide: 'Aide Qian',
  },
]

/** The example with a workflow of each language whose steps run beside each other. */
function pack() {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-flows-'))
  const to = join(dir, 'ship-lock')
  cpSync(join(root, 'examples/ship-lock'), to, { recursive: true })
  const [zh, en] = LOOKS
  const step = (id, who, next) => ({
    id,
    type: 'APPROVE',
    name: zh[id],
    name_i18n: { en: en[id] },
    participants: [{ type: 'person', value: [who] }],
    next: [next],
  })
  for (const { locale } of LOOKS) {
    const document = {
      schemaCode: 'contract',
      name: '双线审查',
      name_i18n: { en: 'Two checks' },
      settings: { instanceName: '{contractNo} {name}' },
      nodes: [
        { id: 'start', type: 'START', name: '提出', name_i18n: { en: 'Request' }, next: ['both'] },
        { id: 'both', type: 'SPLIT', kind: 'AND', routes: ['legal', 'money'] },
        step('legal', `clerk${locale}`, 'meet'),
        step('money', `aide${locale}`, 'meet'),
        { id: 'meet', type: 'JOIN', of: 'both', next: ['last'] },
        step('last', `aide${locale}`, 'end'),
        { id: 'end', type: 'END' },
      ],
    }
    writeFileSync(join(to, `workflows/twoChecks${locale}.json`), JSON.stringify(document))
  }
  return { dir, to }
}

describe('administration of workflows', { skip }, () => {
  let server
  let browser
  let page
  let problems
  let packed
  const ids = {}
  const instances = []
  const checks = {} // instances of the second workflow, by the number of their contract
  before(async () => {
    packed = pack()
    server = await startServer({ packs: [packed.to] })
    for (const { locale, clerk, aide } of LOOKS) {
      server.addUser(`clerk${locale}`, 'viewer', clerk)
      server.addUser(`aide${locale}`, 'viewer', aide)
    }
    server.addUser('maker', 'contractManager', '李拟')
    server.addUser('chief', 'contractManager', '周审')
    server.addUser('deputy', 'viewer', '吴代')
    server.addUser('head', 'projectManager', '陈总')
    server.addUser('root', 'administrator', '管理员')
    browser = await startBrowser()
    ;({ page, problems } = await openPage(browser, server.url))
    await as('maker')
    const [row] = (await rowsOf(page, 'contract')).content
    const load = (await call(page, `/api/runtime/form/load?schemaCode=contract&objectId=${row.id}`)).data
    const codes = ['kind', 'partyA', 'partyB', 'manager', 'signedOn']
    const template = Object.fromEntries(codes.map((code) => [code, load.data[code]]))
    for (const no of ['WA-1', 'WA-2', 'WA-3', 'WA-4']) {
      const data = { ...template, contractNo: no, name: `试验合同 ${no}`, amount: '20000000' }
      const done = await call(page, '/api/runtime/form/submit', { workflowCode: 'contractApproval', data })
      assert.equal(done.errcode, 0, done.errmsg)
      instances.push(done.data.workflowInstanceId)
    }
    for (const { locale } of LOOKS)
      for (const no of [`${locale}-1`, `${locale}-2`]) {
        const data = { ...template, contractNo: no, name: '审查', amount: '1000' }
        const done = await call(page, '/api/runtime/form/submit', { workflowCode: `twoChecks${locale}`, data })
        assert.equal(done.errcode, 0, done.errmsg)
        checks[no] = done.data.workflowInstanceId
      }
    await as('root')
    for (const one of (await rowsOf(page, 'user')).content) ids[one.data.username] = one.id
    const loaded = (await call(page, `/api/runtime/form/load?schemaCode=user&objectId=${ids.chief}`)).data
    const body = { schemaCode: 'user', id: ids.chief, version: loaded.version, data: { disabled: true } }
    assert.equal((await call(page, '/api/runtime/form/save', body)).errcode, 0)
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    if (packed) rmSync(packed.dir, { recursive: true, force: true })
  })
  /** What is on the screen is without faults; with SHOTS it is kept. */
  const shot = async (of, name) => {
    if (shots) await of.screenshot({ path: join(shots, `${name}.png`) })
    assert.deepEqual([...(await axeFaults(of)), ...(await faultsOf(of))], [], name)
  }
  const as = (username) => signIn(page, server.url, username)
  const to = (path) => page.goto(`${server.url}${path}`)
  const track = (at) => to(`/from/workflow-track/${instances[at]}/-`)
  const button = (of, name) => of.getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) })
  const act = async (of, node, item) => {
    await of.getByRole('button', { name: `管理“${node}”` }).click()
    await of.getByRole('menuitem', { name: item }).click()
  }
  const pick = async (of, label, word, name) => {
    await of.getByLabel(label).click()
    await of.getByLabel(label).pressSequentially(word, { delay: 30 })
    await of.page().locator('.ant-select-item-option:visible', { hasText: name }).first().click()
  }

  test('what the audit finds is mended where it is told', async () => {
    await as('root')
    await to(`${center}workflow-versions`)
    await page.getByRole('button', { name: '立即检查' }).click()
    await page.getByRole('status').filter({ hasText: '检查已开始' }).waitFor()
    const row = page.getByRole('row', { name: /WA-4/ })
    for (let tries = 0; tries < 50 && (await row.count()) === 0; tries++) {
      await page.waitForTimeout(200)
      await to(`${center}workflow-versions`)
      await page.getByRole('row', { name: /WA-/ }).first().waitFor()
    }
    await row.getByText('任务的处理人 周审 已离开').waitFor()
    await settled(page)
    await shot(page, 'workflow-findings-1440')
    for (const [width, locale] of [
      [390, 'zh'],
      [390, 'en'],
      [768, 'zh'],
      [768, 'en'],
      [1440, 'en'],
    ]) {
      const other = await openPage(browser, server.url, { width, height: 900, locale })
      await signIn(other.page, server.url, 'root')
      await other.page.goto(`${server.url}${center}workflow-versions`)
      await other.page.getByRole('link', { name: /WA-4/ }).first().waitFor()
      await settled(other.page)
      await shot(other.page, `workflow-findings-${locale}-${width}`)
      await other.context.close()
    }
    await row.getByRole('button', { name: /^作废：/ }).click()
    const dialog = page.getByRole('dialog', { name: /作废.*WA-4/ })
    await shot(page, 'workflow-findings-void')
    await button(dialog, '作废').click()
    await dialog.waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
  })

  test('an instance that a disabled person holds up gets another person', async () => {
    await as('root')
    await track(0)
    await page.getByRole('button', { name: '管理“合同审核”' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: '调整处理人' }).waitFor()
    await shot(page, 'workflow-admin-menu')
    await page.getByRole('menuitem', { name: '调整处理人' }).click()
    const dialog = page.getByRole('dialog', { name: '调整“合同审核”的处理人' })
    await dialog.getByRole('checkbox', { name: '周审' }).check()
    await pick(dialog, '新增处理人', '吴', '吴代')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('原因').fill('周审已离职')
    await shot(page, 'workflow-admin-adjust')
    await button(dialog, '调整').click()
    await said(page, '已调整处理人')
    await page.getByText('吴代').first().waitFor()
    await page.getByRole('tab', { name: '日志' }).click()
    await page.getByRole('row', { name: /调整处理人.*周审已离职/ }).waitFor()
  })

  test('the tasks of a person are handed over', async () => {
    await as('maker')
    await to(`${center}query-participant-workItem`)
    await page.waitForURL((url) => url.pathname === `${center}my-unfinished-workitem`)
    await as('root')
    await to(`${center}query-participant-workItem`)
    await page.getByLabel('仅已停用人员').click()
    await page.getByRole('row', { name: /WA-2/ }).getByText('周审').waitFor()
    const count = (wanted) => page.waitForFunction((n) => document.querySelectorAll('tbody tr').length === n, wanted)
    await count(2)
    await page.getByRole('combobox', { name: '处理人' }).click()
    await page.locator('.ant-select-item-option', { hasText: '周审（已停用）' }).click()
    await button(page, '全部移交').waitFor()
    await shot(page, 'workflow-admin-tasks')
    await button(page, '全部移交').click()
    const dialog = page.getByRole('dialog', { name: '移交周审的流程任务' })
    await pick(dialog, '接收人', '吴', '吴代')
    await shot(page, 'workflow-admin-handover')
    await button(dialog, '全部移交').click()
    await said(page, '已移交 2 项任务')
    await page.getByText('没有符合条件的流程').waitFor()
    await to(`${center}query-participant-workItem?participant=${ids.deputy}`)
    await page.getByRole('row', { name: /WA-3/ }).waitFor()
    await count(3)
  })

  test('the log shows what a step changed, to those who may read it', async () => {
    await as('deputy')
    const open = await call(page, '/api/runtime/workitem/unfinished', {})
    const item = open.data.content.find((one) => one.workflowInstanceId === instances[0])
    const detail = await call(page, `/api/runtime/workitem/detail?workItemId=${item.workItemId}`)
    const agreed = await call(page, '/api/runtime/workitem/agree', {
      workItemId: item.workItemId,
      version: detail.data.form.version,
      opinion: '经办人改为吴代',
      data: { manager: { id: ids.deputy } },
    })
    assert.equal(agreed.errcode, 0, agreed.errmsg)
    const old = detail.data.form.data.manager?.name
    await track(0)
    await page.getByRole('tab', { name: '日志' }).click()
    await page.getByRole('link', { name: '查看修改：吴代' }).click()
    const row = page.getByRole('row', { name: /^经办人/ })
    await row.getByText('吴代').waitFor()
    if (old) await row.getByText(old).waitFor()
    await page.getByText('经办人改为吴代').waitFor()
    await shot(page, 'workflow-admin-compare')
    const phone = await openPage(browser, server.url, { width: 390, height: 844, dark: true, locale: 'en' })
    await signIn(phone.page, server.url, 'root')
    await phone.page.goto(page.url())
    await phone.page.getByRole('table').waitFor()
    await shot(phone.page, 'workflow-admin-compare-phone')
    await phone.page.goto(`${server.url}${center}query-participant-workItem?participant=${ids.deputy}`)
    await phone.page.getByText('WA-3', { exact: false }).first().waitFor()
    await shot(phone.page, 'workflow-admin-tasks-phone')
    assert.deepEqual(phone.problems, [])
    await phone.context.close()
  })

  test('lists of the center are read whole on a tablet and in a narrow window', async () => {
    for (const [width, locale] of [
      [768, 'en'],
      [1024, 'en'],
      [1200, 'zh'],
    ]) {
      const other = await openPage(browser, server.url, { width, height: 1024, locale })
      await signIn(other.page, server.url, 'root')
      for (const list of ['query-instance', 'query-participant-workItem']) {
        await other.page.goto(`${server.url}${center}${list}`)
        await other.page.getByRole('link', { name: /WA-3/ }).first().waitFor()
        await settled(other.page)
        const open = other.page.locator('nav [aria-current="page"]').last()
        const { x, width: wide } = await open.boundingBox()
        assert.ok(x >= 0 && x + wide <= width, `${list} at ${width}: the menu shows the open page`)
        assert.deepEqual(await faultsOf(other.page), [], `${list} at ${width}`)
      }
      await other.context.close()
    }
  })

  test('an administrator moves an instance, and voids and deletes another', async () => {
    await as('root')
    await track(0)
    await act(page, '合同审核', '跳转到此节点')
    const jump = page.getByRole('dialog', { name: '跳转到“合同审核”？' })
    await jump.getByText(/^取消“项目经理审批”的任务：.*陈总/).waitFor()
    await jump.getByText(/进入“合同审核”/).waitFor()
    await jump.getByLabel('原因').fill('重新审核')
    await shot(page, 'workflow-admin-jump')
    await button(jump, '跳转').click()
    await said(page, '已跳转')
    await page.getByText('管理员跳转', { exact: false }).first().waitFor()

    await track(1)
    await button(page, '作废').click()
    const sure = page.getByRole('dialog')
    await sure.getByText(/^取消“合同审核”的任务：.*吴代/).waitFor()
    await button(sure, '作废').click()
    await said(page, '已作废')
    await button(page, '删除流程').click()
    const gone = page.getByRole('dialog', { name: /^删除“WA-2/ })
    await shot(page, 'workflow-admin-delete')
    await button(gone, '删除').click()
    await said(page, '流程已删除')
    await page.waitForURL((url) => url.pathname === `${center}query-instance`)
    await page.getByRole('row', { name: /WA-3/ }).waitFor()
    assert.equal(await page.getByRole('row', { name: /WA-2/ }).count(), 0)
    assert.deepEqual(problems, [])
  })

  for (const look of LOOKS) {
    const { locale, width, height } = look
    test(`does everything in ${locale} at ${width}`, async () => {
      const words = await texts(locale, 'flow-admin', 'flowAdmin')
      const flow = await texts(locale, 'flow')
      const own = await openPage(browser, server.url, { width, height, locale })
      const at = own.page
      await signIn(at, server.url, 'root')
      const go = (path) => at.goto(`${server.url}${path}`)
      const letters = (name) => [...name].join('\\s?')
      const press = (of, name) => of.getByRole('button', { name: new RegExp(`^${letters(name)}$`) }).click()
      const dialog = at.getByRole('dialog').last()
      const person = async (label, name) => {
        await dialog.getByLabel(label).click()
        await dialog.getByLabel(label).pressSequentially(name.slice(0, 1), { delay: 30 })
        await at.locator('.ant-select-item-option:visible', { hasText: name }).first().click()
      }
      /** Does something at a step: what would happen is told before, and that it has happened after. */
      const order = async (node, act, tells, more = async () => {}) => {
        await at.getByRole('button', { name: words.menu.replace('{name}', look[node]) }).click()
        await at.getByRole('menuitem', { name: words.acts[act], exact: true }).click()
        await dialog.getByText(words.titles[act].replace('{name}', look[node])).waitFor()
        await more()
        for (const text of tells) await dialog.getByText(text, { exact: false }).waitFor()
        await dialog.getByLabel(words.reason).fill(`${act} ${locale}`)
        await shot(at, `workflow-admin-${act}-${locale}`)
        await press(dialog, words.buttons[act])
        await said(at, words.done[act])
      }
      const opens = (node, people) => words.opens.replace('{name}', look[node]).replace('{people}', people)
      const closes = (node, people) => words.closes.replace('{name}', look[node]).replace('{people}', people)
      const one = `${locale}-1`
      await go(`/from/workflow-track/${checks[one]}/-`)
      await order('legal', 'adjust', [], async () => {
        await dialog.getByRole('checkbox', { name: look.clerk }).check()
        await person(words.add, '吴代')
        await at.keyboard.press('Escape')
      })
      await order('money', 'cancelActivity', [closes('money', look.aide)])
      await order('money', 'activate', [opens('money', look.aide)])
      for (const who of ['deputy', `aide${locale}`]) {
        await as(who)
        const open = (await call(page, '/api/runtime/workitem/unfinished', { size: 50 })).data.content
        const { workItemId } = open.find((task) => task.workflowInstanceId === checks[one])
        assert.equal((await call(page, '/api/runtime/workitem/agree', { workItemId })).errcode, 0)
      }
      await at.reload()
      // Into the split that is closed by now: its join waits for this branch alone.
      await order('legal', 'jump', [closes('last', look.aide), opens('legal', '')])
      await at
        .getByRole('tab')
        .filter({ hasText: locale === 'zh' ? '日志' : 'Log' })
        .click()
      for (const act of ['adjust', 'cancelActivity', 'activate', 'jump'])
        await at.getByText(`${act} ${locale}`).first().waitFor()
      await shot(at, `workflow-admin-log-${locale}`)

      await go(`${center}query-participant-workItem?participant=${ids[`clerk${locale}`]}&searchword=${locale}-2`)
      await at
        .getByRole('button', { name: new RegExp(`^${letters(words.replace)} ${locale}-2 .*${look.clerk}$`) })
        .click()
      await person(new RegExp(`^${words.successor}`), '吴代')
      await press(dialog, words.replace)
      await said(at, (words.handedOver_one ?? words.handedOver).replace(/\{count[^}]*\}/, '1'))
      await at.getByText(flow.noMatch).waitFor()
      await go(`${center}query-participant-workItem?participant=${ids[`aide${locale}`]}&searchword=${locale}-`)
      await press(at, words.handOver)
      await person(new RegExp(`^${words.successor}`), look.clerk)
      await press(dialog, words.handOver)
      await at.getByText(flow.noMatch).waitFor()
      await go(`${center}query-participant-workItem?participant=${ids[`clerk${locale}`]}`)
      await at.getByText(`${locale}-2`, { exact: false }).first().waitFor()

      await go(`/from/workflow-track/${checks[one]}/-`)
      await press(at, words.acts.void)
      await dialog.getByText(closes('legal', '')).waitFor()
      await press(dialog, words.buttons.void)
      await said(at, words.done.void)
      await press(at, words.deleteAct)
      await dialog.getByText(words.deleteText).waitFor()
      await at.keyboard.press('Escape')
      await press(at, words.deleteAct)
      await press(dialog, locale === 'zh' ? '删除' : 'Delete')
      await said(at, words.deleted)
      await at.waitForURL((url) => url.pathname === `${center}query-instance`)
      await at.getByText(`${locale}-2`, { exact: false }).first().waitFor()
      assert.equal(await at.getByText(one, { exact: false }).count(), 0)
      assert.deepEqual(own.problems, [])
      await own.context.close()
    })
  }
})
