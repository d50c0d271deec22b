// The screens of quality: a lock's floor slab from its import to a good second round, a lot filled in on a phone without a network,
// what the library changed, and the other pages by their looks; quality-library.test.mjs has the rest.
// SHOTS=docs/screenshots keeps the pictures.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { axeFaults } from './faults.mjs'
import { call } from './parts.mjs'
import { at, nodeOf as findNode, processesOf, row, keepShot as shot, site } from './quality.mjs'
import { browserPath, openPage, said, settled, signIn } from './server.mjs'
import { done } from './tables.mjs'

const PHOTO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('the screens of quality', { skip: browserPath() ? false : 'no Chromium' }, () => {
  const { own, step } = site()
  const nodeOf = (name) => findNode(own.page, name)
  const processes = (node) => processesOf(own.page, node)

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
