// Nothing that can be pressed moves after it is shown, and a press at the moment a control appears does what it says. On three pages
// here; with EVERY=1 on every page and dialog that is listed below, at three widths, with a quick and with a slow processor.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { call, rowsOf } from './parts.mjs'
import { at } from './quality.mjs'
import { browserPath, openPage, root, signIn, startBrowser, startServer } from './server.mjs'
import { movesOf, pressedAtOnce, watchPlaces } from './steady.mjs'

const app = '/application/shiplock'
const widths = process.env.EVERY ? [1440, 768, 390] : [1440]
const rates = process.env.EVERY ? [1, 4] : [1]

describe('places', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  before(async () => {
    const packs = ['examples/ship-lock', ...(process.env.EVERY ? ['examples/lock-quality'] : [])]
    server = await startServer({ packs: packs.map((pack) => join(root, pack)), kept: process.env.EVERY ? 'both' : '' })
    server.addUser('boss', 'administrator', '管理员')
    if (process.env.EVERY) for (const name of ['maker', 'chief']) server.addUser(name, 'contractManager', name)
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** Addresses by what they show. */
  async function pages(page) {
    const first = async (schemaCode) => (await rowsOf(page, schemaCode)).content[0].id
    const contract = `/form/detail?schemaCode=contract&key=${await first('contract')}`
    const few = { list: `${app}/application-list/inspection`, operation: '/system/operation', record: contract }
    if (!process.env.EVERY) return few
    const inspection = await first('inspection')
    const quality = ['qualityTree', 'QualityInspection', 'SubprojectInspection', 'QualityEvaluation', 'QIEvaluation']
    quality.push(
      'JBSSetting',
      'QualityRelevance',
      'QualityModule',
      'CodeMbsManagement',
      'archiveCatalogue',
      'systemConfig',
    )
    return {
      ...few,
      home: '/app-list/applications',
      contracts: `${app}/application-list/contract`,
      tree: `${app}/application-list/qbs`,
      schedule: `${app}/application-list/activity`,
      report: `${app}/application-report/progress`,
      'record of an inspection': `/form/detail?schemaCode=inspection&key=${inspection}`,
      form: `${contract}&edit=true`,
      'new form': '/form/detail?schemaCode=site',
      drafts: '/my-draft',
      messages: '/message-notification',
      me: '/user/info',
      tasks: '/tasks',
      'all tasks': '/tasks/all',
      nowhere: '/nowhere',
      rehearsal: '/workflow-rehearsal/contractApproval',
      'workflow designer': '/workflow-design/shiplock/contractApproval',
      'print designer': '/print-design/shiplock/inspection',
      'portal designer': '/portal-design/defaultPortalDashboard',
      portal: '/portal-page/defaultPortalDashboard',
      print: `/print?schemaCode=inspection&objectIds=${inspection}`,
      administration: '/admin',
      applications: '/admin/applications',
      application: '/admin/applications/shiplock',
      rights: '/rights',
      role: '/rights/role?code=contractManager&pack=shiplock',
      audit: '/audit',
      errors: '/system/errors',
      links: '/external-links',
      ...Object.fromEntries(quality.map((name) => [name, at(name)])),
    }
  }

  /** Starts the approval of a contract by its maker; the task is for the chief, whose addresses are told. */
  async function started(page) {
    await signIn(page, server.url, 'maker')
    const [{ id }] = (await rowsOf(page, 'contract')).content
    const { data } = (await call(page, `/api/runtime/form/load?schemaCode=contract&objectId=${id}`)).data
    const own = ['kind', 'partyA', 'partyB', 'manager', 'signedOn'].map((code) => [code, data[code]])
    const more = { contractNo: `S-${Date.now()}`, name: '位置', amount: '1000' }
    const sent = { workflowCode: 'contractApproval', data: { ...Object.fromEntries(own), ...more } }
    const done = await call(page, '/api/runtime/form/submit', sent)
    assert.equal(done.errcode, 0, done.errmsg)
    await signIn(page, server.url, 'chief')
    const { content } = (await call(page, '/api/runtime/workitem/unfinished', { page: 0, size: 20 })).data
    return {
      work: '/workflow-center/my-unfinished-workitem',
      task: `/form/detail?workItemId=${content[0].workItemId}`,
      track: `/from/workflow-track/${done.data.workflowInstanceId}`,
    }
  }

  /** What moves in the dialogs that the buttons of a page open. */
  async function dialogs(page, { list, record }) {
    const moves = []
    const open = async (of, button) => {
      await movesOf(page)
      if ((await button.count()) === 0 || (await button.isDisabled())) return
      await button.click()
      await page.getByRole('dialog').first().waitFor()
      moves.push(...(await movesOf(page)).map((one) => `${of}: ${one}`))
    }
    const named = (within, name) => within.getByRole('button', { name, exact: true }).first()
    for (const name of ['列设置', '导入', '导出', '打印二维码标签', '变更记录', '新增', '筛选方案']) {
      await page.goto(server.url + list)
      await page.locator('.ag-row[row-id]').first().waitFor()
      await open(name, named(page, name))
    }
    for (const name of ['批量修改', '修改负责人', '删除', '导出']) {
      await page.goto(server.url + list)
      await page.locator('.ag-row .ag-checkbox-input').first().click()
      await open(`ticked, ${name}`, named(page.getByRole('toolbar', { name: '操作' }), name))
    }
    await page.goto(server.url + record)
    await page.locator('[data-field]').first().waitFor()
    await open('record, 变更记录', named(page, '变更记录'))
    return moves
  }

  for (const width of widths)
    for (const rate of rates)
      test(`what can be pressed stays where it is: ${width} px, processor 1:${rate}`, async () => {
        const height = width < 1000 ? 844 : 900
        const { page, context, problems } = await openPage(browser, server.url, { width, height, fresh: true })
        await watchPlaces(context)
        try {
          await signIn(page, server.url, 'boss')
          const all = await pages(page)
          const cdp = await context.newCDPSession(page)
          await cdp.send('Emulation.setCPUThrottlingRate', { rate: rate * Number(process.env.SLOW ?? 1) })
          const moves = []
          const look = async (addresses) => {
            for (const [name, path] of Object.entries(addresses)) {
              try {
                await page.goto(server.url + path)
                await page.locator('h1').first().waitFor({ state: 'attached' })
                moves.push(...(await movesOf(page)).map((one) => `${name}: ${one}`))
              } catch (error) {
                moves.push(`${name}: ${error.message}`)
              }
            }
          }
          await look(all)
          if (process.env.EVERY) {
            if (width === 1440) moves.push(...(await dialogs(page, all)))
            await look(await started(page))
            await signIn(page, server.url, 'boss')
          }
          assert.ok(moves.length === 0, moves.join('\n'))

          await page.goto(server.url + all.record)
          await pressedAtOnce(page, 'header button', '编辑')
          await page.getByRole('button', { name: '保存', exact: true }).waitFor()
          assert.equal(await page.evaluate(() => document.activeElement === document.body), false, 'no focus')
          assert.deepEqual(problems, [])
        } finally {
          await context.close()
        }
      })

  const fifty = { skip: process.env.EVERY ? false : 'with EVERY=1' }
  test('Edit is pressed on fifty records in the frame in which it appears, and opens each', fifty, async () => {
    const { page, context, problems } = await openPage(browser, server.url, { fresh: true })
    try {
      await signIn(page, server.url, 'boss')
      const cdp = await context.newCDPSession(page)
      const missed = []
      let tried = 0
      for (const model of ['contract', 'drawing', 'inspection', 'site', 'activity'])
        for (const { id } of (await rowsOf(page, model)).content.slice(0, 10)) {
          await cdp.send('Emulation.setCPUThrottlingRate', { rate: tried++ % 2 ? 4 : 1 })
          await page.goto(`${server.url}/form/detail?schemaCode=${model}&key=${id}`)
          await pressedAtOnce(page, 'header button', '编辑')
          const save = page.getByRole('button', { name: '保存', exact: true })
          if (!(await save.waitFor().then(Boolean.bind(null, true), () => false))) missed.push(`${model} ${id}`)
          const lost = await page.evaluate(() => document.activeElement === document.body)
          if (lost) missed.push(`${model} ${id}: no focus`)
        }
      assert.equal(tried, 50)
      assert.deepEqual([missed, problems], [[], []])
    } finally {
      await context.close()
    }
  })
})
