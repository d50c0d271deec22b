// The screens of quality: a lock's floor slab from its import to a good second round, a lot filled in on a phone without a network,
// and the other pages by their looks. SHOTS=docs/screenshots keeps the pictures.
import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { axeFaults } from './faults.mjs'
import { call } from './parts.mjs'
import { at, row, site } from './quality.mjs'
import { browserPath, openPage, root, said, settled, signIn } from './server.mjs'
import { done } from './tables.mjs'

const folder = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
const shot = async (page, name) => {
  if (!folder) return
  await page.waitForTimeout(350)
  await page.screenshot({ path: join(folder, `quality-${name}.png`) })
}
const PHOTO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('the screens of quality', { skip: browserPath() ? false : 'no Chromium' }, () => {
  const { own, step } = site()
  const nodeOf = async (name) => {
    const { content } = await done(own.page, '/api/runtime/query/list', {
      schemaCode: 'q_qbs',
      keyword: name,
      page: 0,
      size: 1,
    })
    return content[0]?.id
  }
  const processes = async (node) => (await call(own.page, `/api/quality/v2/jbs/node?qbsId=${node}`)).data

  step('a breakdown comes from a spreadsheet, with its bad row corrected', async (page) => {
    await page.goto(own.server.url + at('qualityTree'))
    await page.getByText('还没有工程划分').waitFor()
    await page.getByRole('button', { name: '从标准库生成' }).waitFor()
    await page.getByRole('button', { name: '导入划分' }).last().click()
    const dialog = page.getByRole('dialog')
    const lines = [
      '层级,编码,名称',
      '单位工程,01,闸室',
      '分部工程,01-01,主体',
      '分块,01-01-01,底板一段',
      '分项工程,01-01-02,底板二段',
    ]
    const buffer = Buffer.from(`\ufeff${lines.join('\n')}`)
    await dialog.locator('input[type=file]').setInputFiles({ name: '划分.csv', mimeType: 'text/csv', buffer })
    await dialog.getByText('可导入 3 行，有问题 1 行').waitFor()
    await shot(page, 'import')
    const cell = dialog.getByLabel('第 4 行，层级')
    const reason = cell.locator('xpath=following-sibling::span')
    await reason.waitFor()
    await cell.press('Control+a')
    await cell.pressSequentially('分项工程')
    await reason.waitFor({ state: 'detached' }) // it was of the text before
    await dialog.getByRole('button', { name: '改正后全部导入' }).click()
    await said(page, '新增 4 行')
    await row(page, /底板一段/)
      .or(row(page, /主体/))
      .first()
      .waitFor()
  })

  step('the keys find a node, and a template gives it its processes', async (page) => {
    const search = page.getByLabel('搜索名称、编码')
    await search.pressSequentially('底板一')
    await row(page, /底板一段/).waitFor()
    await search.press('ArrowDown')
    for (const key of ['End', 'ArrowUp', 'End', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: '底板一段' }).waitFor()
    await page.getByRole('tab', { name: '工序与表单' }).click()
    await page.getByRole('button', { name: '挂接工序模板' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '挂接', exact: true }).click()
    await said(page, '已挂接 1 个节点')
    own.item = await nodeOf('底板一段')
    // What is due by its level is not enough: the kind of work is chosen beside it.
    await page.getByRole('tab', { name: '评定' }).click()
    await page.getByRole('button', { name: /^(选择|更换)工程类别$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('工程类别').pressSequentially('底板')
    await page.getByRole('option', { name: /底板混凝土，第 1 版/ }).waitFor({ state: 'attached' })
    for (const key of ['ArrowDown', 'Enter']) await dialog.getByLabel('工程类别').press(key)
    await dialog.getByRole('button', { name: '选择工程类别' }).click()
    await said(page, '工程类别已改为“底板混凝土”')
    const due = page.getByRole('region', { name: '应有项' })
    await due.getByText('停止点“浇筑许可”放行').waitFor()
    await due.getByText('由专业监理工程师放行').first().waitFor()
    await shot(page, 'due')
    await page.getByRole('tab', { name: '工序与表单' }).click()
  })

  step('a process waits for the one before it, here and on the server', async (page) => {
    const steel = page.getByRole('region', { name: '钢筋' })
    await steel.getByText('须先完成：测量放样').waitFor()
    await steel.getByRole('button', { name: '填报 钢筋记录' }).focus()
    await page.keyboard.press('Enter')
    await said(page, '工序未到，须先完成：测量放样')
    const list = await processes(own.item)
    const data = { bizId: list[1].biz[0].id, qbsId: own.item, content: '主筋间距' }
    const refused = await call(page, '/api/runtime/form/save', { schemaCode: 'q_hidden', data })
    assert.equal(refused.errcode, 560006)
    await shot(page, 'sheets')
    // The first sheet in its form; the node is filled in by the binding.
    await page.getByRole('button', { name: '填报 测量放样记录' }).click()
    await page.getByRole('dialog').getByLabel('仪器').pressSequentially('全站仪')
    await page.keyboard.press('Control+s')
    await said(page, '已保存')
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()
    await page.getByRole('region', { name: '测量放样' }).getByText('表单 1/1').waitFor()
    for (const process of list.slice(1, 4)) {
      const [sheet] = process.biz
      const work = { bizId: sheet.id, qbsId: own.item, content: '按图施工' }
      if (sheet.schemaCode === 'q_hidden') work.accepted = true // which is what the formwork waits for
      await done(page, '/api/runtime/form/save', { schemaCode: sheet.schemaCode, data: work })
    }
  })

  step('78 % of the points fail it, a corrective action and 85 % make it good', async (page) => {
    const lot = (await processes(own.item))[4].biz[0]
    const fill = async (good, bad, words) => {
      const box = page.getByLabel('表面平整度: 实测值')
      await box.pressSequentially([...Array(good).fill(3), ...Array(bad).fill(12)].join(' '))
      await box.press('Enter')
      const main = page.getByLabel('顶面高程: 实测值')
      await main.pressSequentially('1; -2; 3')
      await main.press('Enter')
      await page.getByRole('button', { name: '保存' }).click()
      await said(page, words)
    }
    const link = own.server.url + at('QualityInspection', `&node=${own.item}`)
    await page.goto(`${link}&fill=${lot.id}`)
    await page.getByText('允许偏差 ±10').first().waitFor()
    await fill(39, 11, '记录已保存：不合格，42/53 点，已生成整改单')
    await page.getByText('表面平整度 39/50').waitFor()
    await row(page, /底板一段.*不合格/).waitFor()
    for (const [button, words] of [
      ['已整改', '凿毛并重新找平'],
      ['复查通过', '复查合格'],
    ]) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('dialog').getByRole('textbox').pressSequentially(words)
      await page.getByRole('dialog').getByRole('button', { name: button }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByTitle('已关闭').waitFor()
    await page.getByRole('button', { name: '填报 检验批记录' }).click()
    await page.getByRole('button', { name: /填入上次的值：3; 3/ }).waitFor()
    await shot(page, 'fill')
    await fill(17, 3, '记录已保存：合格，20/23 点')
    // Every point is good, and the hold point is not released: the contractor reads why, and the supervisor releases it.
    await row(page, /底板一段 评定中 · 缺 1 项/).waitFor()
    const { content } = await done(page, '/api/runtime/query/list', {
      schemaCode: 'q_qbs',
      keyword: '闸室',
      page: 0,
      size: 1,
    })
    const { id, version } = content[0]
    const data = { contractId: own.contract }
    await done(page, '/api/runtime/form/save', { schemaCode: 'q_qbs', id, version, data }) // whose supervisor that is
    await signIn(page, own.server.url, 'sup')
    await page.goto(link)
    await page.getByRole('button', { name: '放行 浇筑许可' }).click()
    const release = page.getByRole('dialog')
    await release.getByRole('textbox').pressSequentially('钢筋、模板已检查')
    await shot(page, 'release')
    await release.getByRole('button', { name: '放行' }).click()
    await said(page, '已放行“浇筑许可”')
    await row(page, /底板一段 合格/).waitFor()
    await signIn(page, own.server.url, 'boss')
    await page.goto(link)
    await row(page, /底板一段 合格/).waitFor()
    await row(page, /闸室.*评定中/).waitFor()
    await page.goto(own.server.url + at('QualityEvaluation', `&node=${own.item}`))
    await page.getByRole('button', { name: /第 2 轮/ }).waitFor()
    await page.getByText('JTS 257-2008，第 1 版').waitFor()
    await page.getByRole('button', { name: '重新评定' }).click()
    await said(page, '已重新评定')
    await shot(page, 'evaluation')
  })

  step('a lot with a workflow is submitted where it is filled in, and counts when it is signed', async (page) => {
    const lot = (await processes(own.item))[4].biz[0]
    const { version } = (await call(page, `/api/runtime/form/load?schemaCode=q_biz&objectId=${lot.id}`)).data
    const binding = { schemaCode: 'q_biz', id: lot.id, version, data: { workflowCode: 'q_lot', multi: true } }
    await done(page, '/api/runtime/form/save', binding)
    await signIn(page, own.server.url, 'lab')
    await page.goto(own.server.url + at('QualityInspection', `&node=${own.item}&fill=${lot.id}`))
    // All that is due was judged by the contractor, and of a test nothing is: what is tested again is added.
    await page.getByText('没有待检查的应有项').waitFor()
    assert.equal(await page.getByText('应有项就齐了').count(), 0)
    for (const name of ['表面平整度', '顶面高程']) {
      const add = page.getByRole('combobox', { name: '添加检查项目' })
      await add.pressSequentially(name)
      await page.getByRole('option', { name }).waitFor({ state: 'attached' })
      for (const key of ['ArrowDown', 'Enter']) await add.press(key)
      await page.getByText('允许偏差 ±10').last().waitFor()
      const box = page.getByLabel(`${name}: 实测值`)
      await box.pressSequentially('1; 2; 1200')
      await box.press('Enter')
    }
    // What nobody measures is asked about, and nothing is sent meanwhile.
    const submit = page.getByRole('button', { name: '提交审批' })
    await submit.click()
    const asked = page.getByRole('dialog')
    await asked.getByText('表面平整度：1200').waitFor()
    await asked.getByText('顶面高程：1200').waitFor()
    await asked.getByRole('button', { name: '返回核对' }).click()
    await asked.waitFor({ state: 'detached' })
    for (const name of ['表面平整度', '顶面高程']) {
      await page
        .getByRole('region', { name })
        .getByRole('button', { name: /第 3 点 1200/ })
        .click()
      const box = page.getByLabel(`${name}: 实测值`)
      await box.press('Control+a')
      await box.pressSequentially('3')
      await box.press('Enter')
    }
    await submit.click()
    await said(page, '已提交')
    await shot(page, 'submitted')
    await signIn(page, own.server.url, 'sup')
    await page.goto(`${own.server.url}/workflow-center`)
    await page
      .getByText(/^JC-.*底板一段/)
      .first()
      .click()
    await page.getByRole('button', { name: '同意', exact: true }).click()
    await page.getByText('此节点需要签名').waitFor()
    await page.getByRole('button', { name: '签名', exact: true }).click()
    const pad = await page.getByRole('img', { name: '在此处签名' }).boundingBox()
    await page.mouse.move(pad.x + pad.width * 0.2, pad.y + pad.height * 0.3)
    await page.mouse.down()
    await page.mouse.move(pad.x + pad.width * 0.7, pad.y + pad.height * 0.7, { steps: 8 })
    await page.mouse.up()
    await page.getByRole('button', { name: '使用此签名' }).click()
    await page.getByRole('img', { name: '已签名' }).waitFor()
    await page.getByRole('button', { name: '同意', exact: true }).click()
    await said(page, '已同意')
    await signIn(page, own.server.url, 'boss')
    await page.goto(own.server.url + at('QualityEvaluation', `&node=${own.item}`))
    await page
      .getByRole('button', { name: /第 2 轮/ })
      .nth(1)
      .waitFor()
    await shot(page, 'agreed')
  })

  step('components are bound by a rule that tells its count first, and unbound again', async (page) => {
    await page.goto(own.server.url + at('QualityRelevance', `&node=${own.item}`))
    await page.getByRole('button', { name: '按规则挂接' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('可挂接 1 个，已挂接 0 个，未匹配 1 个').waitFor()
    await dialog.getByRole('table', { name: '将挂接' }).getByRole('cell', { name: '底板一段' }).waitFor()
    await dialog.getByRole('button', { name: '挂接 1 个' }).click()
    await said(page, '已挂接 1 个')
    await page.getByRole('cell', { name: '底板 01-01-01', exact: true }).waitFor()
    await shot(page, 'relevance')
    await page.getByRole('button', { name: '撤销批量挂接' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '撤销批量挂接' }).click()
    await said(page, '已撤销 1 个')
    await page.getByText('没有挂接构件').waitFor()
  })

  step('a template tells what a sync changes before it does', async (page) => {
    const base = { kind: 'PROCESS', parentId: own.template, code: 'DB-YH', title: '养护', sortKey: 9 }
    await done(page, '/api/runtime/form/save', { schemaCode: 'q_jbs_base', data: base })
    await page.goto(own.server.url + at('JBSSetting'))
    await row(page, /底板混凝土 模板/).click()
    await page.getByRole('button', { name: '同步到项目' }).click()
    await page.getByRole('dialog').getByText('将新增工序 1 个').waitFor()
    await shot(page, 'sync')
    await page.getByRole('dialog').getByRole('button', { name: '同步', exact: true }).click()
    await said(page, '已同步：新增工序 1 个')
    assert.equal((await processes(own.item)).length, 6)
  })

  step('nodes are added, renamed and moved by the keys; what may not be is refused in words', async (page) => {
    await page.goto(own.server.url + at('qualityTree'))
    const dialog = page.getByRole('dialog')
    const gone = () => dialog.waitFor({ state: 'detached' })
    const menuOf = async (name, item) => {
      await row(page, name).click()
      await page.getByRole('heading', { level: 2, name }).waitFor()
      await page.locator('header:has(h2)').getByRole('button', { name: '更多' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      await dialog.waitFor()
      await settled(page)
    }
    // The first field has the focus, and Enter is the button.
    await page.getByRole('button', { name: '新增工程' }).click()
    await dialog.waitFor()
    await settled(page)
    await page.keyboard.type('闸首')
    for (const key of ['Tab', 'Tab']) await page.keyboard.press(key)
    await page.keyboard.type('01')
    await page.keyboard.press('Enter')
    await said(page, '划分编码在本项目中已被使用')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('02')
    await page.keyboard.press('Enter')
    await said(page, '已新增“闸首”')
    await gone()
    await menuOf(/闸首/, '新增下级')
    await page.keyboard.type('边墩')
    await page.keyboard.press('Enter')
    await said(page, '已新增“边墩”')
    await gone()
    await menuOf(/边墩/, '修改名称和编码')
    await page.keyboard.press('End')
    await page.keyboard.type('甲')
    await page.keyboard.press('Enter')
    await said(page, '已保存')
    await gone()
    assert.equal(await nodeOf('边墩甲').then(Boolean), true)
    // Unit works are above divisional works, and so never below them.
    await menuOf(/闸首/, '移动到…')
    await dialog.getByRole('treeitem', { name: /边墩甲/ }).click()
    await dialog.getByRole('button', { name: '移动' }).click()
    await said(page, '单位工程不能放在分部工程下面')
    await page.keyboard.press('Escape')
    await gone()
    await menuOf(/边墩甲/, '移动到…')
    await dialog.getByRole('treeitem', { name: /闸室/ }).click()
    await dialog.getByRole('button', { name: '移动' }).click()
    await said(page, '已把“边墩甲”移到“闸室”')
    await gone()
    await menuOf(/闸室/, '删除')
    await dialog.getByRole('button', { name: '删除' }).click()
    await dialog.getByText('“闸室”未删除').last().waitFor()
    await dialog
      .getByText(/底板一段/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: '关闭' }).last().click()
    await gone()
    await menuOf(/闸首/, '删除')
    await dialog.getByRole('button', { name: '删除' }).click()
    await said(page, '已删除“闸首”')
    await gone()
    await row(page, /闸室/).click()
    await page.getByRole('tab', { name: '日志' }).click()
    await page.getByLabel('备注').pressSequentially('现场已复核')
    await page.getByRole('button', { name: '添加备注' }).click()
    await page.getByRole('listitem').filter({ hasText: '现场已复核' }).waitFor()
  })

  step('a component is bound by hand, and the matrix goes out as a spreadsheet', async (page) => {
    await page.goto(own.server.url + at('QualityRelevance', `&node=${own.item}`))
    const models = page.getByRole('tree', { name: '构件' })
    await models.getByRole('treeitem', { name: /ZS-9/ }).click()
    await page.getByRole('button', { name: '挂接 1 个' }).click()
    await said(page, '已挂接 1 个')
    await page.getByRole('cell', { name: '底板 ZS-9', exact: true }).waitFor()
    await page.goto(own.server.url + at('SubprojectInspection'))
    await page.getByRole('button', { name: /底板一段, 检验批记录: 已完成/ }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出 Excel' }).click()
    assert.match((await download).suggestedFilename(), /^闸室 .*\.xlsx$/)
  })

  step('the library makes a unit with a work item of each template that is ticked', async (page) => {
    await page.goto(own.server.url + at('qualityTree'))
    await page.getByRole('button', { name: '从标准库生成' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('底板混凝土').waitFor()
    await settled(page)
    await page.keyboard.type('导航墙')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('09')
    await page.keyboard.press('Tab')
    await page.keyboard.type('墙体')
    await dialog.getByLabel('底板混凝土').click()
    await dialog.getByRole('button', { name: '生成' }).click()
    await said(page, '已生成 3 个节点')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 2, name: '导航墙' }).waitFor()
    const { content } = await done(page, '/api/runtime/query/list', {
      ...{ schemaCode: 'q_qbs', page: 0, size: 10 },
      filters: [{ propertyCode: 'code', propertyValue: '09-01-01' }],
    })
    assert.equal(content.length, 1)
    assert.equal((await processes(content[0].id)).length, 6) // the five, and the one that the template got above
  })

  step('below a node the library makes lots, which are counted before and taken back after', async (page) => {
    await page.getByRole('button', { name: '从标准库生成' }).click()
    const dialog = page.getByRole('dialog', { name: '在“导航墙”下从标准库生成' })
    await dialog.getByLabel('分部工程名称').fill('二段')
    await dialog.getByLabel(/每个分项的检验批数/).fill('2')
    await dialog.getByLabel('底板混凝土').click()
    await dialog.getByText(/^将生成 4 个节点、12 道工序/).waitFor()
    await dialog.getByRole('button', { name: '生成' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 2, name: '二段' }).waitFor()
    const made = async () =>
      (
        await done(page, '/api/runtime/query/list', {
          ...{ schemaCode: 'q_qbs', page: 0, size: 10 },
          filters: [{ propertyCode: 'name', propertyValue: '检验批2' }],
        })
      ).totalElements
    assert.equal(await made(), 1)
    await page.getByRole('button', { name: '撤销' }).click()
    await said(page, '已撤销本次生成')
    await page.getByRole('heading', { level: 2, name: '导航墙' }).waitFor()
    assert.equal(await made(), 0)
  })

  step('codes, the library and groups are kept by hand', async (page) => {
    await page.goto(own.server.url + at('CodeMbsManagement'))
    await row(page, /01-01-01/).waitFor()
    await page.getByRole('button', { name: '新增构件' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('构件编码').pressSequentially('ZS-10')
    await form.getByLabel(/^名称/).pressSequentially('闸墙')
    const keep = async () => {
      await form.getByRole('button', { name: '保存', exact: true }).click()
      await form.getByRole('button', { name: '编辑' }).first().waitFor() // the record as it is stored
      await form.getByRole('button', { name: '关闭' }).last().click()
      await form.waitFor({ state: 'detached' })
    }
    await keep()
    await row(page, /闸墙/).click() // of the project of the page
    await page.getByRole('heading', { name: '闸墙' }).waitFor()
    await shot(page, 'codes')

    const list = (code) => `${own.server.url}/application/quality/application-list/${code}?queryCode=${code}`
    const grid = page.locator('.ag-root-wrapper')
    await page.goto(list('q_check_item'))
    const box = page.getByRole('searchbox').first()
    await box.pressSequentially('平整')
    await grid.getByText('顶面高程').waitFor({ state: 'detached' })
    await grid.getByText('表面平整度').waitFor()
    await page.goto(list('q_jbs_base'))
    await grid.getByText('DB', { exact: true }).waitFor()
    await page.goto(list('q_biz_base'))
    await grid.getByText('浇筑记录').waitFor()
    const titles = await grid.locator('.ag-row [col-id="sheetTitle"]').allTextContents()
    assert.deepEqual(
      titles,
      ['测量放样', '钢筋', '检验批', '浇筑', '模板'].map((one) => `${one}记录`),
    ) // by the codes of processes

    await page.goto(list('q_group'))
    const add = async (name) => {
      await page.getByRole('button', { name: '新增', exact: true }).first().click()
      await form.getByLabel(/^名称/).pressSequentially(name)
      for (const [label, person] of [
        ['组长', '吕监理'],
        ['成员', '吕监理'],
      ]) {
        await form.getByRole('combobox', { name: label }).click()
        await form.getByRole('combobox', { name: label }).pressSequentially(person)
        await page.getByRole('option', { name: person }).first().click()
        await page.keyboard.press('Tab')
      }
      await form.getByRole('combobox', { name: '检查范围' }).click()
      await form.getByRole('combobox', { name: '检查范围' }).pressSequentially('底板一段')
      await page
        .getByRole('option', { name: /底板一段/ })
        .first()
        .click()
      await page.keyboard.press('Tab')
    }
    await add('一组')
    await keep()
    await grid.getByText('一组').waitFor()
    await add('二组') // of what the first one checks
    await form.getByRole('button', { name: '保存', exact: true }).click()
    await form.getByText('检查组“一组”已负责“底板一段”的“所有检查项目”').first().waitFor()
    await shot(page, 'groups')
    await form.getByRole('radio', { name: '是' }).first().click({ force: true })
    await keep()
    await grid.getByText('二组').waitFor()
  })

  step('a hazard is added to the list of hazards, of their kind', async (page) => {
    await page.goto(`${own.server.url}/form/detail?schemaCode=q_ncr&queryCode=q_ncr_safety`)
    await page.getByRole('textbox', { name: /问题/ }).first().waitFor()
    await page.getByText('安全', { exact: true }).first().waitFor()
    const load = await call(page, '/api/runtime/form/load?schemaCode=q_ncr&queryCode=q_ncr_safety')
    assert.equal(load.data.data.ncrKind, 'SAFETY')
  })

  step('what the library says otherwise is shown, and taken over into a new revision of the set', async (page) => {
    const item = { schemaCode: 'q_check_item', keyword: '表面平整度', page: 0, size: 1 }
    const [{ id, version }] = (await done(page, '/api/runtime/query/list', item)).content
    await done(page, '/api/runtime/form/save', { schemaCode: 'q_check_item', id, version, data: { devHigh: 12 } })
    await page.goto(own.server.url + at('qualityTree', `&node=${own.item}`))
    await page.getByRole('tab', { name: '评定' }).click()
    const due = page.getByRole('region', { name: '应有项' })
    await due.getByRole('button', { name: '有 1 项与标准库不同' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('允许偏差上限：10 → 12').waitFor()
    await shot(page, 'library-taken')
    await dialog.getByRole('button', { name: '取用 1 项' }).click()
    await said(page, '已取用 1 项，应有项现为第 2 版')
    await due.getByText('底板混凝土，第 1 版（现行第 2 版）').waitFor()
    assert.equal(await due.getByRole('button', { name: /与标准库不同/ }).count(), 0)
  })

  step('the other pages are there, in reach of everybody', async (page) => {
    const faults = []
    for (const [name, ready] of [
      ['qualityTree', () => row(page, /闸室/)],
      ['SubprojectInspection', () => page.getByRole('button', { name: /底板一段, 检验批记录: 已完成/ })],
      ['QualityModule', () => row(page, /ZS-9/)],
      ['archiveCatalogue', () => row(page, /闸室/)],
      ['systemConfig', () => page.getByText('JTS 257-2008', { exact: false }).first()],
    ]) {
      await page.goto(own.server.url + at(name))
      await ready().waitFor()
      await settled(page)
      faults.push(...(await axeFaults(page)))
      await shot(page, name)
    }
    assert.deepEqual(faults, [])
    await page.goto(own.server.url + at('QualityModule'))
    const model = page.getByRole('img', { name: '三维模型：1 个构件' })
    await page.getByText('拖动旋转，滚轮缩放，单击选择').waitFor()
    await settled(page)
    const place = await model.boundingBox()
    await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
    await page.getByRole('heading', { name: '底板 ZS-9' }).waitFor()
    await page.getByRole('button', { name: '定位所选' }).click()
    await model.press('ArrowLeft')
    await shot(page, 'model')
    await page.goto(`${own.server.url}/application/quality/application-report/acceptance`)
    await page.getByText('测点合格率').first().waitFor()
    await page.getByText('92.86%').or(page.getByText('各层级评定状态')).first().waitFor()
    await shot(page, 'statistics')
  })

  test('a lot on a phone is kept without a network, and submitted once with its photo', async () => {
    const { page, context, problems } = await openPage(own.browser, own.server.url, {
      width: 390,
      height: 844,
      locale: 'en',
    })
    const node = await nodeOf('底板二段')
    const sheets = [{ schemaCode: 'q_record', bizKind: 'LOT', sheetTitle: '检验批记录', workflowCode: 'q_lot' }]
    const bind = { ownerType: 'QBS', ownerIds: [node], sheets }
    const { ids } = await done(own.page, '/api/quality/v2/bizsheet/bind', bind)
    await signIn(page, own.server.url, 'lab')
    try {
      await page.goto(own.server.url + at('QualityInspection', `&node=${node}&fill=${ids[0]}`))
      await page.getByText('Add a check item').waitFor()
      await page.getByLabel('Add a check item').click()
      await page.getByText('顶面高程').last().click()
      const box = page.getByLabel('顶面高程: Reading')
      await box.pressSequentially('4')
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('main button, [class*=fill] button, main .ant-segmented-item-label')]
          .filter((one) => one.offsetHeight > 0 && one.offsetHeight < 44)
          .map((one) => one.textContent || one.getAttribute('aria-label')),
      )
      assert.deepEqual(small, [], 'a thumb in a glove meets it')
      await page.getByRole('button', { name: 'Save draft' }).waitFor()
      const png = Buffer.from(PHOTO, 'base64')
      await page.locator('input[type=file]').setInputFiles({ name: 'site.png', mimeType: 'image/png', buffer: png })
      await context.setOffline(true)
      await box.press('Enter')
      await shot(page, 'phone')
      await page.getByRole('button', { name: 'Submit for approval' }).click()
      await page.getByText('1 record waits for the network').waitFor()
      await shot(page, 'phone-waiting')
      // The page is thrown away before the network is back: the record is kept on the device, and its photo with it.
      await page.goto('about:blank')
      await context.setOffline(false)
      await page.goto(own.server.url + at('QualityInspection', `&node=${node}`))
      await page.getByText('1 record waits for the network').waitFor({ state: 'detached' })
      await page.getByText('In review').first().waitFor()
      const filters = [{ propertyCode: 'qbsId', propertyValue: node }]
      const { content, totalElements } = await done(page, '/api/runtime/query/list', {
        schemaCode: 'q_record',
        filters,
        page: 0,
        size: 5,
      })
      assert.equal(totalElements, 1)
      const kept = await call(page, `/api/runtime/form/load?schemaCode=q_record&objectId=${content[0].id}`)
      assert.deepEqual([kept.data.data.photos.length, kept.data.data.state], [1, 'PROCESSING'])
      assert.deepEqual(
        problems.filter((one) => !/ERR_INTERNET_DISCONNECTED|'localStorage'/.test(one)), // an empty page has no storage
        [],
      )
    } finally {
      await context.setOffline(false)
    }
  })
})
