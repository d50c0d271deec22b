// A project under a norm from its breakdown to the signed evaluation, by the hands of everybody who takes part: employer, contractor,
// laboratory, supervisor and chief supervisor. One norm up to the evaluation of a work item in each run; with EVERY=1 all of them up to that of
// the unit works, on both databases. NORM=JTGF80_2017 runs one of them as a whole, STORE=PostgreSQL on that database; SHOTS=folder keeps pictures.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { NORMS, startSite } from './norms.mjs'
import { hasPostgres, startPostgres } from './postgres.mjs'
import { at, row } from './quality.mjs'
import { browserPath, root, said, settled, signIn } from './server.mjs'

const folder = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (folder) mkdirSync(folder, { recursive: true })
const whole = Boolean(process.env.NORM || process.env.EVERY)
const codes = process.env.NORM ? [process.env.NORM] : process.env.EVERY ? Object.keys(NORMS) : ['JTS257_2008']
const stores = process.env.EVERY && !process.env.STORE ? ['SQLite', 'PostgreSQL'] : [process.env.STORE ?? 'SQLite']

for (const store of stores) {
  const skip = !browserPath() ? 'no Chromium' : store === 'PostgreSQL' && !hasPostgres() ? 'no PostgreSQL' : false
  describe(`projects under their norms, ${store}`, { skip }, () => {
    let own
    let database
    before(async () => {
      database = store === 'PostgreSQL' ? await startPostgres() : null
      own = await startSite(codes, database?.url ?? null)
    })
    after(async () => {
      await own?.stop()
      await database?.stop()
    })
    for (const code of codes)
      test(code, async () => {
        await wholeProject({ ...own, code, norm: NORMS[code], url: own.server.url })
        assert.deepEqual(own.problems, [])
      })
  })
}

const button = (of, name) => of.getByRole('button', { name, exact: true })

async function wholeProject({ page, url, code, norm }) {
  const shot = async (name) => {
    if (!folder) return
    await settled(page)
    await page.screenshot({ path: join(folder, `norms-${code}-${name}.png`), fullPage: true })
  }
  const as = (username) => signIn(page, url, username)
  const dialog = page.getByRole('dialog')
  const go = async (name, node) => {
    await page.goto(url + at(name, node ? `&node=${node}` : ''))
    if (!node) await chooseProject()
  }
  const chooseProject = async () => {
    const box = page.getByRole('combobox', { name: '项目' }).last()
    if ((await box.count()) === 0) return
    await box.click()
    await page.getByRole('option', { name: norm.name }).or(page.getByTitle(norm.name)).last().click()
  }
  /** The node in the address of the page. */
  const nodeOf = async (name) => {
    await row(page, name).first().click()
    await page.getByRole('heading', { level: 2, name }).waitFor()
    await page.getByRole('tree', { name: '工程划分' }).press('ArrowRight')
    return new URL(page.url()).searchParams.get('node')
  }

  // The employer makes the works from the library, in the only contract.
  await as('owner')
  await go('qualityTree')
  await button(page, '从标准库生成').first().click()
  await dialog.getByLabel(`底板（${norm.title}）`).waitFor()
  await settled(page)
  await page.keyboard.type('闸室')
  for (const word of ['01', '主体']) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(word)
  }
  await dialog.getByLabel(`底板（${norm.title}）`).click()
  await dialog.getByText('将生成 3 个节点', { exact: false }).waitFor()
  await shot('library')
  await button(dialog, '生成').click()
  await said(page, '已生成 3 个节点')
  await dialog.waitFor({ state: 'detached' })
  const unit = await nodeOf(/闸室/)
  const division = await nodeOf(/主体/)
  const item = await nodeOf(/底板混凝土/)
  await page.getByRole('tab', { name: '评定' }).click()
  await page.getByRole('region', { name: '应有项' }).getByText('停止点“浇筑许可”放行').waitFor()
  await shot('due')

  /** Signs the only task whose title has some words, and gives what the form asks first. */
  const sign = async (who, words, before = async () => {}) => {
    await as(who)
    await page.goto(`${url}/workflow-center/my-unfinished-workitem`)
    await page.getByRole('link', { name: words }).first().click()
    await button(page, '同意').waitFor()
    await before()
    await button(page, '同意').click()
    await page.getByText('此节点需要签名').waitFor()
    await button(page, '签名').click()
    const pad = await page.getByRole('img', { name: '在此处签名' }).boundingBox()
    await page.mouse.move(pad.x + pad.width * 0.2, pad.y + pad.height * 0.3)
    await page.mouse.down()
    await page.mouse.move(pad.x + pad.width * 0.7, pad.y + pad.height * 0.7, { steps: 8 })
    await page.mouse.up()
    await button(page, '使用此签名').click()
    await page.getByRole('img', { name: '已签名' }).waitFor()
    await button(page, '同意').click()
    await said(page, '已同意')
  }
  const heading = page.getByRole('heading', { level: 2 })
  const inspect = async (who, node) => {
    await as(who)
    await go('QualityInspection', node)
    await heading.first().waitFor()
  }
  /** Fills in the sheet whose form is open, and submits it. */
  const submitForm = async () => {
    await button(dialog, '保存').click()
    await said(page, '已保存')
    await button(dialog, '提交审批').click()
    await button(dialog, '提交').click()
    await dialog.getByRole('region', { name: '流程状态' }).waitFor()
  }

  // The contractor sets out and asks for the acceptance of what will be concealed; the supervisor accepts it and lets it be poured.
  await inspect('builder', item)
  await shot('begin')
  await button(page, '填报 测量放样记录').click()
  await dialog.getByLabel('仪器').pressSequentially('全站仪')
  await page.keyboard.press('Control+s')
  await said(page, '已保存')
  await button(dialog, '关闭').last().click()
  await dialog.waitFor({ state: 'detached' })
  await button(page, '填报 钢筋记录').click()
  await dialog.getByLabel(/隐蔽内容/).pressSequentially('主筋间距 150 mm')
  await submitForm()
  await shot('hidden')
  await sign('sup', /底板混凝土/, async () => {
    await page.locator('[data-field="accepted"]').getByText('是', { exact: true }).click()
    await shot('hidden-task')
  })
  await inspect('sup', item)
  await button(page, '放行 浇筑许可').click()
  await button(dialog, '放行').click()
  await said(page, '已放行“浇筑许可”')

  // The lot by the contractor, the laboratory, and the supervisor alongside.
  const type = async (name, readings) => {
    const box = page.getByLabel(`${name}: 实测值`)
    await box.pressSequentially(readings)
    await box.press('Enter')
  }
  await inspect('builder', item)
  await button(page, '填报 检验批记录').click()
  await type('顶面高程', '10; -10; 0')
  await type('表面平整度', norm.general)
  await button(page, '3 处全部合格').click()
  await shot('fill')
  await button(page, '提交审批').click()
  await said(page, '已提交')
  await sign('sup', /^JC-.*底板混凝土/, () => shot('lot-task'))
  await inspect('lab', item)
  await shot('lab')
  await button(page, '填写 试验记录').click() // which nobody has bound: it is bound now
  await page.getByText(`设计值 ${norm.test.designValue}`).waitFor()
  await type(norm.test.name, norm.series)
  await shot('test')
  await button(page, '保存').click()
  await said(page, `记录已保存：合格，${norm.passed} 点`)
  await inspect('sup', item)
  await button(page, '填写 抽检记录').click()
  await type('顶面高程', '10; 9.9; -10')
  await button(page, '保存').click()
  await said(page, '记录已保存：合格，3/3 点')
  if (!norm.sheets.item.looks) await row(page, /底板混凝土 合格/).waitFor()
  await shot('item-done')

  /** The evaluation sheet of a node, written by the contractor and signed by everybody above; its print shows how the node was evaluated. */
  const evaluate = async (name, paper, ...signers) => {
    await as('builder')
    await page.goto(`${url}/form/detail?schemaCode=q_eval`)
    const box = page.getByRole('combobox', { name: '工程部位' })
    await box.pressSequentially(name)
    await page
      .getByRole('option', { name: new RegExp(name) })
      .first()
      .click()
    await button(page, '保存').click()
    await said(page, '已保存')
    await page.locator('[data-field="evalStatus"]').getByText('合格', { exact: true }).waitFor()
    await button(page, '提交审批').click()
    await button(page, '提交').click()
    await page.getByRole('region', { name: '流程状态' }).waitFor()
    for (const who of signers) await sign(who, new RegExp(`^PD-.*${name}`))
    await page.goto(`${url}/application/quality/application-list/q_eval?queryCode=q_eval`)
    await page.locator('.ag-root-wrapper').getByText(name).first().click()
    await page.getByRole('dialog').getByRole('button', { name: '打印', exact: true }).click()
    await page.locator('section svg text').first().waitFor()
    await settled(page)
    await shot(paper)
  }
  if (!whole) return evaluate('底板混凝土', 'q02', 'sup')

  // Documents of the divisional works, by the contractor, the supervisor and the chief supervisor; those of tests by the supervisor.
  const documents = async (node, name, title) => {
    await inspect('builder', node)
    await fillDocuments(page, dialog, `填写 表单“${title}”`, submitForm)
    for (const who of ['sup', 'chief']) await sign(who, new RegExp(name))
  }
  const tests = async (node, name, title) => {
    await inspect('builder', node)
    await page.getByText('由监理或试验室填写').first().waitFor()
    assert.equal(await button(page, `填写 表单“${title}”`).count(), 0)
    await inspect('sup', node)
    await fillDocuments(page, dialog, `填写 表单“${title}”`, submitForm)
    for (const who of ['chief', 'chief']) await sign(who, new RegExp(name))
  }
  const looks = async (node, name, title) => {
    await inspect('sup', node)
    await fillAppearance(page, dialog, `填写 表单“${title}”`, submitForm)
    for (const who of ['chief', 'owner']) await sign(who, new RegExp(name))
  }
  for (const [node, name, sheets] of [
    [item, '底板混凝土', norm.sheets.item],
    [division, '主体', norm.sheets.division],
    [unit, '闸室', norm.sheets.unit],
  ]) {
    for (const title of sheets.documents) await documents(node, name, title)
    for (const title of sheets.tests ?? []) await tests(node, name, title)
    if (sheets.looks) await looks(node, name, sheets.looks)
    await inspect('builder', node)
    await row(page, new RegExp(`${name} 合格`)).waitFor()
    await shot(`done-${name}`)
  }
  await evaluate('底板混凝土', 'q02', 'sup')
  await evaluate('主体', 'q03', 'sup', 'chief')
  await evaluate('闸室', 'q04', 'sup', 'chief', 'owner')
}

/** An appearance of 90 %. */
async function fillAppearance(page, dialog, begin, submit) {
  await button(page, begin).click()
  await button(dialog, '添加一行').click()
  await settled(page)
  for (const word of ['表面', '10', '9']) {
    await page.keyboard.type(word)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await submit()
}

/** A check of documents with one line, all found, written into the grid by the keys. */
async function fillDocuments(page, dialog, begin, submit) {
  await button(page, begin).click()
  await dialog.getByText('是', { exact: true }).first().click()
  await button(dialog, '添加一行').click()
  await settled(page)
  for (const word of ['水泥合格证', '3', '3']) {
    await page.keyboard.type(word)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('是')
  await page.keyboard.press('Enter')
  await submit()
}
