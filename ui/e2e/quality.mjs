// What the journeys of quality share: a server with the packs and people, the library, and the addresses of the pages.
import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { call } from './parts.mjs'
import { openPage, root, signIn, startBrowser, startServer } from './server.mjs'
import { done } from './tables.mjs'

/** The address of a page of quality. */
export const at = (page, query = '') => `/application/quality/application-page/quality/${page}?code=${page}${query}`

export const row = (page, name) => page.getByRole('treeitem', { name })

const folder = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null

/** Keeps a picture of a page in the folder SHOTS. */
export async function keepShot(page, name) {
  if (!folder) return
  await page.waitForTimeout(350)
  await page.screenshot({ path: join(folder, `quality-${name}.png`) })
}

/** The id of the node that a text finds. */
export async function nodeOf(page, keyword) {
  const ask = { schemaCode: 'q_qbs', keyword, page: 0, size: 1 }
  return (await done(page, '/api/runtime/query/list', ask)).content[0]?.id
}

/** The processes of a node with their sheets. */
export const processesOf = async (page, node) => (await call(page, `/api/quality/v2/jbs/node?qbsId=${node}`)).data

/** The library: a template of five processes with their sheets, and the check items of the slab. */
async function library(page) {
  const save = async (schemaCode, data) => (await done(page, '/api/runtime/form/save', { schemaCode, data })).id
  const project = await save('pm_project', { projectKey: 'lock', projectName: '青石滩船闸', evalRule: 'JTS257_2008' })
  const checks = []
  for (const [code, itemName, itemClass] of [
    ['TOP', '顶面高程', 'MAIN'],
    ['FLAT', '表面平整度', 'GENERAL'],
  ])
    checks.push(
      await save('q_check_item', {
        code,
        itemName,
        itemClass,
        evalMethod: 'POINT',
        devLow: -10,
        devHigh: 10,
        qbsType: '底板混凝土',
      }),
    )
  // What is due of the slab: both items, and that the supervisor lets it be poured.
  const slab = await save('q_due_set', {
    code: 'SLAB',
    title: '底板混凝土',
    items: checks.map((itemId) => ({ itemId, recordKind: 'SELF' })),
    consents: [{ code: 'POUR', title: '浇筑许可', roles: ['R_SUP'] }],
  })
  const template = await save('q_jbs_base', {
    kind: 'TEMPLATE',
    code: 'DB',
    title: '底板混凝土',
    qbsType: '底板混凝土',
  })
  const steps = [
    ['CL', '测量放样', 'q_setout', 'NOTICE'],
    ['GJ', '钢筋', 'q_hidden', 'HIDDEN'],
    ['MB', '模板', 'q_work', 'RECORD'],
    ['JZ', '浇筑', 'q_work', 'RECORD'],
    ['JYP', '检验批', 'q_record', 'LOT'],
  ]
  let previous
  for (const [i, [code, title, schemaCode, bizKind]] of steps.entries()) {
    const prevIds = previous ? [previous] : []
    const base = { kind: 'PROCESS', parentId: template, code: `DB-${code}`, title, sortKey: i + 1, prevIds }
    previous = await save('q_jbs_base', base)
    await save('q_biz_base', { jbsBaseId: previous, schemaCode, bizKind, sheetTitle: `${title}记录` })
  }
  for (const code of ['01-01-01', 'ZS-9'])
    await save('b_mbs', {
      projectId: project,
      code,
      guid: `guid-${code}`,
      componentName: `底板 ${code}`,
      bbox: code === 'ZS-9' ? '0 0 0 30 20 4' : '',
    })
  return { project, template, slab, contract: await supervised(page, project) }
}

/** A contract that the supervisor watches: they see what belongs to it, and of anything else names alone. */
async function supervised(page, projectId) {
  const save = (schemaCode, data, more = {}) => done(page, '/api/runtime/form/save', { schemaCode, data, ...more })
  const [builder, watch] = await Promise.all(['总承包部', '监理部'].map((name) => save('department', { name })))
  const people = { schemaCode: 'user', keyword: 'sup', page: 0, size: 9 }
  const { content } = await done(page, '/api/runtime/query/list', people)
  const sup = content.find(({ data }) => data.username === 'sup')
  const theirs = { departments: [watch.id], mainDepartment: watch.id }
  await save('user', theirs, { id: sup.id, version: sup.version })
  const { id } = await save('c_contract', {
    ...{
      projectId,
      code: 'T',
      contractName: '总承包',
      partyADept: watch.id,
      partyBDept: builder.id,
      supDept: watch.id,
    },
    ...{ contractType: 'WORKS', contractAmount: '1', status: 'SIGNED' },
  })
  return id
}

/** Within describe(): a server with the library, on whose page the administrator is signed in; `step` is a test on that page. */
export function site() {
  const own = {}
  before(async () => {
    own.server = await startServer({ packs: [join(root, 'examples/ship-lock')], on: ['quality'] })
    own.server.addUser('boss', 'administrator', '管理员')
    own.server.addUser('reader', 'R_QSUP', '王质监')
    own.server.addUser('lab', 'R_LAB', '何试验')
    own.server.addUser('sup', 'R_SUP', '吕监理')
    own.server.addUser('alpha', 'R_CQC', '甲质检')
    own.browser = await startBrowser()
    Object.assign(own, await openPage(own.browser, own.server.url))
    await signIn(own.page, own.server.url, 'boss')
    Object.assign(own, await library(own.page))
  })
  after(async () => {
    await own.browser?.close()
    await own.server?.stop()
  })
  const step = (name, run) =>
    test(name, async () => {
      await run(own.page)
      assert.deepEqual(own.problems, [])
    })
  return { own, step }
}
