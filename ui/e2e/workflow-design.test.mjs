// A workflow is drawn: an administrator opens the editor in a new tab, adds an approval, sees what is wrong at its node, mends it and
// publishes; somebody starts the workflow, and the new step has the task. SHOTS=folder keeps pictures.
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
const address = '/workflow-design/shiplock/contractApproval'

describe('editor of workflows', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('maker', 'contractManager', '李拟')
    server.addUser('head', 'projectManager', '陈总')
    server.addUser('root', 'administrator', '管理员')
    server.addUser('second', 'administrator', '王二')
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
  const node = (of, id) => of.locator(`[data-node="${id}"]`)
  const problems = (of, count) => button(of, `${count} 个问题`)

  test('adds an approval, mends it, publishes it, and it has the task', async () => {
    const own = await openPage(browser, server.url)
    await signIn(own.page, server.url, 'root')
    await own.page.goto(`${server.url}/admin/applications/shiplock`)
    const link = own.page.getByRole('link', { name: '设计“合同审批”（在新标签页打开）' })
    await link.waitFor()
    await shot(own.page, 'workflow-design-application')
    const [page] = await Promise.all([own.context.waitForEvent('page'), link.click()])
    const faults = []
    page.on('pageerror', (error) => faults.push(String(error)))
    await node(page, 'commercial').waitFor()
    await page.getByText('没有问题').waitFor()
    assert.ok(await button(page, '发布').isDisabled(), 'there is nothing to publish yet')
    await shot(page, 'workflow-design')

    // Added at the first place, without people: the problem is shown at the node.
    await page.getByRole('button', { name: '添加节点' }).first().click()
    await page.getByRole('menuitem', { name: '审批' }).click()
    await node(page, 'approve1').getByText('没有处理人', { exact: false }).waitFor()
    await problems(page, 1).click()
    await shot(page, 'workflow-design-problem')
    await page.keyboard.press('Escape')
    assert.ok(await button(page, '发布').isDisabled(), 'nothing with errors is published')

    // Undone and done again by keys.
    await node(page, 'start').focus()
    await page.keyboard.press('Control+z')
    await node(page, 'approve1').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Shift+z')
    await node(page, 'approve1').waitFor()

    // Arrows lead to it, Enter opens it, Escape closes it.
    await node(page, 'start').focus()
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.evaluate(() => document.activeElement?.dataset.node), 'approve1')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: '属性' })
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await panel.getByLabel('中文名称').fill('项目初审')
    await panel.getByLabel('英文名称').fill('First review')
    await button(panel, '添加处理人').click()
    await panel.getByLabel('角色', { exact: true }).last().click()
    await page.keyboard.type('项目经理')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByText('没有问题').waitFor()
    await shot(page, 'workflow-design-panel')

    // What is not published waits on the server.
    await page.getByText('草稿已保存').waitFor()
    await page.reload()
    await node(page, 'approve1').getByText('项目初审').waitFor()
    await page.getByText('没有问题').waitFor()
    await button(page, '发布').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('新增：项目初审').waitFor()
    await shot(page, 'workflow-design-publish')
    await button(dialog, '发布').click()
    await said(page, '已发布')
    assert.deepEqual(faults, [])

    const { page: work } = await openPage(browser, server.url)
    await signIn(work, server.url, 'maker')
    const [row] = (await rowsOf(work, 'contract')).content
    const load = (await call(work, `/api/runtime/form/load?schemaCode=contract&objectId=${row.id}`)).data
    const codes = ['kind', 'partyA', 'partyB', 'manager', 'signedOn']
    const data = Object.fromEntries(codes.map((code) => [code, load.data[code]]))
    Object.assign(data, { contractNo: 'WD-1', name: '试验合同', amount: '1000' })
    const started = await call(work, '/api/runtime/form/submit', { workflowCode: 'contractApproval', data })
    assert.equal(started.errcode, 0, started.errmsg)
    await signIn(work, server.url, 'head')
    await work.goto(`${server.url}/workflow-center/my-unfinished-workitem`)
    await work.getByRole('row', { name: /WD-1.*项目初审/ }).waitFor()
  })

  test('two people meet at one workflow: one edits, the other looks and takes over', async () => {
    const own = await openPage(browser, server.url)
    await signIn(own.page, server.url, 'root')
    await own.page.goto(`${server.url}${address}`)
    await node(own.page, 'commercial').focus()
    await own.page.keyboard.press('Control+z') // there is nothing to undo
    await own.page.getByRole('button', { name: '添加节点' }).first().click()
    await own.page.getByRole('menuitem', { name: '抄送' }).click()
    await node(own.page, 'copy1').waitFor()
    await own.page.getByText('草稿已保存').waitFor()

    const other = await openPage(browser, server.url)
    await signIn(other.page, server.url, 'second')
    await other.page.goto(`${server.url}/admin/applications/shiplock`)
    await other.page
      .getByRole('listitem')
      .filter({ hasText: 'contractApproval' })
      .getByText('管理员 正在编辑')
      .waitFor()
    await other.page.goto(`${server.url}${address}`)
    await other.page.getByText('“管理员”正在编辑，您可以查看').waitFor()
    await node(other.page, 'copy1').focus()
    await other.page.keyboard.press('Delete')
    await node(other.page, 'copy1').waitFor()
    await shot(other.page, 'workflow-design-taken')
    await button(other.page, '接手编辑').click()
    await button(other.page.getByRole('dialog'), '接手编辑').click()
    await other.page.getByText('正在编辑，您可以查看').waitFor({ state: 'detached' })
    await node(other.page, 'copy1').focus()
    await other.page.keyboard.press('Delete')
    await node(other.page, 'copy1').waitFor({ state: 'detached' })

    // The next change of the first person is refused by name, and becomes a copy.
    await node(own.page, 'commercial').focus()
    await own.page.keyboard.press('Delete')
    await own.page.getByText('“王二”接手了编辑，您的修改未能保存到服务器').waitFor()
    await shot(own.page, 'workflow-design-lost')
    await button(own.page, '另存为新的一份').click()
    const dialog = own.page.getByRole('dialog')
    await dialog.getByLabel('中文名称').fill('另一种审批')
    await dialog.getByLabel('英文名称').fill('Another approval')
    await dialog.getByLabel('编码').fill('anotherApproval')
    await button(dialog, '开始设计').click()
    await own.page.getByRole('heading', { name: '另一种审批' }).waitFor()
    await own.page.getByText('草稿已保存').waitFor()
    await own.page.waitForURL('**/workflow-design/shiplock/anotherApproval')

    // It is where new ones are begun, and given up there.
    await own.page.goto(`${server.url}/workflow-design/shiplock/new`)
    const begun = own.page.getByRole('region', { name: '已开始但未发布' })
    await begun.getByText('另一种审批').waitFor()
    await shot(own.page, 'workflow-design-begun')
    await button(begun, '放弃').click()
    await button(own.page.getByRole('dialog'), '放弃').click()
    await begun.waitFor({ state: 'detached' })
    assert.deepEqual([own.problems, other.problems], [[], []])
    await own.context.close()
    await other.context.close()
  })

  test('reports and dictionaries are looked at, in every width', async () => {
    for (const [look, options] of Object.entries({
      zh: { width: 1440, height: 900 },
      'tablet-en-dark': { width: 768, height: 1024, locale: 'en', dark: true },
      phone: { width: 390, height: 844 },
    })) {
      const en = options.locale === 'en'
      const { page, problems: faults, context } = await openPage(browser, server.url, options)
      await signIn(page, server.url, 'root')
      await page.goto(`${server.url}/admin/applications/shiplock`)
      const report = page.getByRole('region', { name: en ? 'Reports' : '报表' })
      const link = report.getByRole('link', { name: en ? 'Project statistics' : '工程统计' })
      const [opened] = await Promise.all([context.waitForEvent('page'), link.click()])
      await opened.getByText(en ? 'This is kept in files' : '此内容在文件中维护', { exact: false }).waitFor()
      const sets = opened.getByRole('region', { name: en ? 'Data sets' : '数据集' })
      await sets
        .getByText(en ? 'Inspected amount' : '检验金额')
        .first()
        .waitFor()
      await shot(opened, `document-report-${look}`)
      await opened.getByText(en ? 'Source' : '源码', { exact: true }).click()
      assert.match(await opened.locator('textarea').inputValue(), /"dataSets"/)
      await page.goto(`${server.url}/document/dictionary/shiplock/weather`)
      await page.getByText(en ? 'Light rain' : '小雨').waitFor()
      await shot(page, `document-dictionary-${look}`)
      assert.deepEqual(faults, [])
      await context.close()
    }
  })

  test('is drawn in every width and look', async () => {
    const looks = {
      'en-dark': { locale: 'en', dark: true },
      tablet: { width: 768, height: 1024 },
      phone: { width: 390, height: 844 },
      'phone-dark-en': { width: 390, height: 844, dark: true, locale: 'en' },
    }
    for (const [look, options] of Object.entries(looks)) {
      const { page, problems: faults, context } = await openPage(browser, server.url, options)
      await signIn(page, server.url, 'root')
      await page.goto(`${server.url}${address}`)
      await node(page, 'commercial').waitFor()
      await shot(page, `workflow-design-${look}`)
      await node(page, 'size').click()
      await page.getByRole('complementary').waitFor()
      await shot(page, `workflow-design-routes-${look}`)
      await page.keyboard.press('Escape')
      await page.getByRole('complementary').waitFor({ state: 'detached' })
      await node(page, 'commercial').click()
      await page
        .locator('summary')
        .getByText(options.locale === 'en' ? 'Form' : '表单权限', { exact: true })
        .click()
      await shot(page, `workflow-design-node-${look}`)
      assert.deepEqual(faults, [], look)
      await context.close()
    }
  })

  // The draft of the workflow counts: a condition on an amount that is not published is a use of the amount.
  test('shows what uses a name, in every width and look', async () => {
    const looks = {
      zh: { width: 1440, height: 900 },
      'tablet-en': { width: 768, height: 1024, locale: 'en' },
      'phone-en': { width: 390, height: 844, locale: 'en' },
      phone: { width: 390, height: 844 },
      'en-dark': { locale: 'en', dark: true, width: 1440, height: 900 },
    }
    for (const [look, options] of Object.entries(looks)) {
      const en = options.locale === 'en'
      const { page, problems: faults, context } = await openPage(browser, server.url, options)
      await signIn(page, server.url, 'root')
      await page.goto(`${server.url}/admin/applications/shiplock`)
      await page.getByRole('link', { name: en ? 'Names and uses' : '名称与引用' }).click()
      const names = page.getByRole('list', { name: en ? 'Names' : '名称' })
      await names.getByRole('button').first().waitFor()
      await shot(page, `names-${look}`)
      await page
        .getByRole('textbox', { name: en ? 'Search by name or code' : '搜索名称或编码' })
        .fill('contract.amount')
      await names.getByRole('button', { name: /contract\.amount$/ }).click()
      const flow = page.getByRole('article', { name: en ? 'Contract approval' : '合同审批' }).first()
      await flow.waitFor()
      assert.match(page.url(), /kind=property&name=contract\.amount/)
      await page.getByRole('article', { name: 'contractApproval.workflow.json' }).waitFor()
      await shot(page, `names-uses-${look}`)
      assert.equal(await flow.getByRole('link').first().getAttribute('href'), address)
      await page
        .getByRole('article', { name: en ? 'Contracts' : '合同', exact: true })
        .getByRole('button')
        .first()
        .click()
      await page.getByRole('dialog').locator('[aria-current=location]').waitFor()
      await shot(page, `names-text-${look}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.goto(`${server.url}${address}`)
      await node(page, 'commercial').waitFor()
      await page.getByRole('button', { name: en ? 'Used by: “Contract approval”' : '被引用：“合同审批”' }).click()
      await page.getByRole('dialog').getByRole('status').waitFor()
      await shot(page, `workflow-design-uses-${look}`)
      assert.deepEqual(faults, [], look)
      await context.close()
    }
  })

  test('gives what the installation made another code', async () => {
    const { page, problems: faults } = await openPage(browser, server.url)
    await signIn(page, server.url, 'root')
    const names = (name, en) => ({ name, name_i18n: { en } })
    for (const [path, body] of [
      ['/api/app/apppackage/create', { code: 'shop', ...names('商店', 'Shop'), group: '零售' }],
      ['/api/app/function/create', { appCode: 'shop', code: 'goods', model: true, ...names('商品', 'Goods') }],
    ]) {
      const made = await call(page, path, body)
      assert.equal(made.errcode, 0, made.errmsg)
    }
    await page.goto(`${server.url}/admin/applications/shop/names?kind=model&name=goods`)
    await button(page, '修改编码').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: '新编码' }).fill('wares')
    await button(dialog, '查看影响').click()
    await dialog.getByText('shop/models/goods.json 改为 models/wares.json').waitFor()
    await shot(page, 'names-recode')
    await button(dialog, '发布修改').click()
    await said(page, '编码已改为 wares')
    await page.getByRole('heading', { name: /商品\s*wares/ }).waitFor()
    assert.equal((await rowsOf(page, 'wares')).totalElements, 0)
    await page.goto(`${server.url}/audit`)
    await page.getByRole('row', { name: /修改编码.*wares.*模型，原为 goods/ }).waitFor()
    assert.deepEqual(faults, [])
  })
})
