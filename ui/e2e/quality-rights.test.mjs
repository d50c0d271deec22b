// Who sees and does what in quality: contractors nothing of others, readers no change, and each party signs for itself.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { call } from './parts.mjs'
import { at, row, site } from './quality.mjs'
import { browserPath, openPage, quiet, said, settled, signIn } from './server.mjs'
import { done } from './tables.mjs'

describe('the rights of quality', { skip: browserPath() ? false : 'no Chromium' }, () => {
  const { own } = site()

  /** Two contracts in one project: of alpha's department, and of another one. Whatever is of the other one is called 乙方. */
  async function twoContracts(page) {
    const save = (schemaCode, data, more = {}) => done(page, '/api/runtime/form/save', { schemaCode, data, ...more })
    const [mine, theirs] = await Promise.all(['甲公司', '乙公司'].map((name) => save('department', { name })))
    const people = { schemaCode: 'user', keyword: 'alpha', page: 0, size: 1 }
    const [alpha] = (await done(page, '/api/runtime/query/list', people)).content
    const firm = { departments: [mine.id], mainDepartment: mine.id }
    await save('user', firm, { id: alpha.id, version: alpha.version })
    const contract = async (code, contractName, partyBDept) =>
      save('c_contract', {
        ...{ projectId: own.project, code, contractName, partyBDept, partyADept: theirs.id },
        ...{ contractType: 'WORKS', contractAmount: '1', status: 'SIGNED' },
      })
    const a = await contract('A', '甲标', mine.id)
    const b = await contract('B', '乙方标', theirs.id)
    const add = async (parentId, nodeType, name, contractId) => {
      const node = { projectKey: 'lock', parentId, nodeType, name, contractId }
      return (await done(page, '/api/quality/v2/qbs/add', node)).ids[0]
    }
    const top = await add(null, 'SINGLE', '两标工程', null)
    const own1 = await add(top, 'UNIT', '甲标单位', a.id)
    const unit = await add(top, 'UNIT', '乙方单位', b.id)
    const item = await add(unit, 'ITEM', '乙方分项', null)
    const checks = { schemaCode: 'q_check_item', keyword: 'TOP', page: 0, size: 1 }
    const [check] = (await done(page, '/api/runtime/query/list', checks)).content
    await save('q_record', {
      items: [{ itemId: check.id, values: '1' }],
      ...{ qbsId: item, part: '乙方部位', recordKind: 'SELF', inspector: alpha.id, checkDate: '2026-03-01' },
    })
    await save('q_ncr', { qbsId: item, description: '乙方整改', duty: alpha.id, deadline: '2026-03-09' })
    await save('q_group', {
      projectId: own.project,
      groupName: '乙方组',
      leader: alpha.id,
      members: [alpha.id],
      qbsIds: [item],
    })
    return { top, own: own1, item }
  }

  test('the parties sign a concession where the evaluation is, each for themselves', async () => {
    own.server.addUser('owner', 'R_OWNER', '韩业主')
    own.server.addUser('design', 'R_DESIGN', '沈设计')
    const save = async (schemaCode, data) => (await done(own.page, '/api/runtime/form/save', { schemaCode, data })).id
    const item = await call(own.page, '/api/runtime/query/list', { schemaCode: 'q_check_item', page: 0, size: 1 })
    const node = await save('q_qbs', { projectId: own.project, code: 'RB', name: '让步部位', nodeType: 'UNIT' })
    const items = [{ itemId: item.data.content[0].id, values: '60; 6' }]
    await save('q_record', { qbsId: node, recordKind: 'SELF', checkDate: '2026-03-01', items })
    for (const [who, name, button] of [
      ['design', '沈设计', '签认'],
      ['owner', '韩业主', '签认'],
      ['owner', '', '撤回'],
    ]) {
      const { page, context, problems } = await openPage(own.browser, own.server.url)
      try {
        await signIn(page, own.server.url, who)
        await page.goto(own.server.url + at('qualityTree', `&node=${node}`))
        await page.getByRole('tab', { name: '评定' }).click()
        await page.getByRole('button', { name: button === '签认' ? '签认让步接收' : '撤回签认' }).click()
        await page.getByRole('dialog').getByRole('button', { name: button }).click()
        await said(page, button === '签认' ? '已签认，等待其余各方' : '已撤回签认')
        if (name) await page.getByRole('tabpanel').getByText(name, { exact: true }).waitFor()
        await page.getByText('待签认').first().waitFor()
        assert.deepEqual(problems, [])
      } finally {
        await context.close()
      }
    }
  })

  test('a contractor meets nothing of another contract on any page', async () => {
    const nodes = await twoContracts(own.page)
    const { page, problems } = await openPage(own.browser, own.server.url, { fresh: true })
    const told = []
    const asked = []
    page.on('response', (answer) => {
      if (!answer.headers()['content-type']?.includes('json')) return // an event stream never ends
      asked.push(
        answer.text().then(
          (text) => text.includes('乙方') && told.push(`${answer.url()}: ${text.slice(0, 400)}`),
          () => {},
        ),
      )
    })
    /** Opens an address and waits for all that its page asks. */
    const read = async (address) => {
      await page.goto(address)
      await quiet(page)
    }
    await signIn(page, own.server.url, 'alpha')
    await page.goto(own.server.url + at('qualityTree', `&node=${nodes.own}`))
    await page.getByRole('heading', { name: '甲标单位' }).waitFor()
    // What may be done is asked for when the menu opens.
    const may = page.waitForResponse((answer) => answer.url().includes(`/qbs/authority?qbsId=${nodes.top}`))
    await row(page, /两标工程/)
      .getByRole('button', { name: /更多/ })
      .click()
    const menu = page.getByRole('menu')
    await menu.getByText('评定').waitFor()
    await may
    await settled(page)
    assert.deepEqual(await menu.getByRole('menuitem').allTextContents(), ['评定'])
    await page.keyboard.press('Escape')
    await row(page, /甲标单位/)
      .getByRole('button', { name: /更多/ })
      .click()
    await page.getByRole('menuitem', { name: '新增下级' }).waitFor()
    await page.keyboard.press('Escape')
    for (const name of [
      ...['qualityTree', 'QualityInspection', 'SubprojectInspection', 'QualityEvaluation', 'QIEvaluation'],
      ...['QualityModule', 'QualityRelevance', 'CodeMbsManagement', 'JBSSetting', 'archiveCatalogue', 'systemConfig'],
    ])
      for (const query of ['', `&node=${nodes.top}`, `&node=${nodes.item}`]) {
        await read(own.server.url + at(name, query))
      }
    for (const code of ['q_qbs', 'q_biz', 'q_record', 'q_ncr', 'q_group']) {
      await read(`${own.server.url}/application/quality/application-list/${code}?queryCode=${code}`)
      const box = page.getByRole('searchbox').or(page.getByPlaceholder('搜索')).first()
      if ((await box.count()) > 0) {
        await box.pressSequentially('乙')
        await quiet(page)
      }
    }
    await read(`${own.server.url}/application/quality/application-report/acceptance`)
    await Promise.all(asked)
    assert.deepEqual(told, [])
    assert.ok(asked.length > 100, `${asked.length} answers were read`)
    assert.deepEqual(problems, [])
  })

  test('who may only read has no button that changes', async () => {
    const data = { projectId: own.project, code: 'LZ', name: '底板一段', nodeType: 'ITEM' }
    const { id } = await done(own.page, '/api/runtime/form/save', { schemaCode: 'q_qbs', data })
    await done(own.page, '/api/quality/v2/qbs/jbs', { qbsIds: [id], jbsBaseId: own.template })
    const { page, problems } = await openPage(own.browser, own.server.url, { fresh: true })
    await signIn(page, own.server.url, 'reader')
    await page.goto(own.server.url + at('qualityTree', `&node=${id}&tab=sheets`))
    await page.getByRole('heading', { name: '底板一段' }).waitFor()
    await page.getByRole('region', { name: '检验批' }).waitFor()
    assert.equal(await page.getByRole('button', { name: '新增工程' }).count(), 0)
    assert.deepEqual(problems, [])
  })
})
