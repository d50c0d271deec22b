// The library and the breakdown of quality by hand: nodes, components and their bindings, templates, works that the library makes,
// groups and hazards. SHOTS=docs/screenshots keeps the pictures.
import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import { call } from './parts.mjs'
import { at, nodeOf as findNode, processesOf, row, keepShot as shot, site } from './quality.mjs'
import { browserPath, said, settled } from './server.mjs'
import { done } from './tables.mjs'

describe('the library and the breakdown of quality', { skip: browserPath() ? false : 'no Chromium' }, () => {
  const { own, step } = site()
  const nodeOf = (name) => findNode(own.page, name)
  const processes = (node) => processesOf(own.page, node)
  // A unit with two work items: the first one has the processes of the template, and its setting out is done.
  before(async () => {
    const item = { name: '底板一段', code: '01-01-01', nodeType: 'ITEM', jbsBaseId: own.template }
    const other = { name: '底板二段', code: '01-01-02', nodeType: 'ITEM' }
    const division = { name: '主体', code: '01-01', nodeType: 'DIVISION', nodes: [item, other] }
    const unit = { name: '闸室', code: '01', nodeType: 'UNIT', nodes: [division] }
    await done(own.page, '/api/quality/v2/qbs/add', { projectKey: 'lock', nodes: [unit] })
    own.item = await nodeOf('底板一段')
    const [{ biz }] = await processes(own.item)
    const data = { bizId: biz[0].id, qbsId: own.item, instrument: '全站仪' }
    await done(own.page, '/api/runtime/form/save', { schemaCode: 'q_setout', data })
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
    await page.getByRole('button', { name: /底板一段, 测量放样记录: 已完成/ }).waitFor()
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
})
