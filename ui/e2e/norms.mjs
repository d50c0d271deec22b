// A project under a norm: its parties, a contract, and a library with a template, check items and what is due of the slab.
import { join } from 'node:path'
import { openPage, root, signIn, startBrowser, startServer } from './server.mjs'
import { done } from './tables.mjs'

/** Who takes part: each person signs in for themselves. */
export const PEOPLE = [
  ['owner', 'R_OWNER', '韩业主', '建设部'],
  ['chief', 'R_CSUP', '方总监', '监理部'],
  ['sup', 'R_SUP', '吕监理', '监理部'],
  ['builder', 'R_CQC', '谭质检', '总承包部'],
  ['lead', 'R_CPM', '罗经理', '总承包部'],
  ['lab', 'R_LAB', '何试验', '试验中心'],
]

/**
 * The norms with readings at their bounds, each passed by the norm alone: 80 % of general points and the largest deviation that is allowed. `test` is
 * what the laboratory judges together: strength by mean and lowest value, compaction by the representative value.
 */
export const NORMS = {
  JTS257_2008: {
    name: '青石滩船闸',
    title: 'JTS 257-2008',
    sheets: {
      item: { documents: [] },
      division: { documents: ['质量控制资料核查'] },
      unit: { documents: ['质量控制资料核查'], tests: ['安全和主要功能核查及抽查'], looks: '观感质量评定' },
    },
    general: '1 1 1 1 1 1 1 1 15 -15', // 80 % and 1.5 times the tolerance
    test: { name: '混凝土抗压强度', evalMethod: 'STAT_STRENGTH', unit: 'MPa', designValue: 30 },
    series: '35.1 28.4 36.9 38.0 36.5', // 34.98 − 3.822 ≥ 30 and 28.4 ≥ 26.85; GB/T 50107 refuses it
    passed: '4/5',
  },
  JTGF80_2017: {
    name: '北山公路',
    title: 'JTG F80/1-2017',
    sheets: {
      item: { documents: [], looks: '分项外观' },
      division: { documents: ['评定资料核查'], looks: '外观质量检查' },
      unit: { documents: ['评定资料核查'], looks: '外观质量检查' },
    },
    general: '1 1 1 1 1 1 1 1 19 -19', // 80 %, within the extreme value
    extreme: 20,
    test: { name: '压实度', evalMethod: 'STAT_COMPACTION', unit: '%', designValue: 95 },
    series: '99 99 99 99 99 99 99 99 99 90', // 98.1 − 0.5797 · 2.846 ≥ 95, the least is 95 − 5
    passed: '9/10',
  },
  GB50300_2013: {
    name: '东港航站楼',
    title: 'GB 50300-2013',
    sheets: {
      item: { documents: [] },
      division: { documents: ['质量控制资料核查'], tests: ['安全和功能检验资料核查'], looks: '观感质量评定' },
      unit: { documents: ['质量控制资料核查'], tests: ['安全和主要功能核查及抽查'], looks: '观感质量评定' },
    },
    general: '1 1 1 1 1 1 1 1 15 -15',
    test: { name: '混凝土抗压强度', evalMethod: 'STAT_STRENGTH', unit: 'MPa', designValue: 30 },
    series: '34.5 34.5 34.5', // 1.15 · 30
    passed: '3/3',
  },
}

const STEPS = [
  ['CL', '测量放样', 'q_setout', 'NOTICE', ''],
  ['GJ', '钢筋', 'q_hidden', 'HIDDEN', 'q_hidden'],
  ['JYP', '检验批', 'q_record', 'LOT', 'q_lot'],
]

/** The library: what is due of the slab, and the template of its processes, which names it. */
async function library(save, norm, evalRule) {
  const item = (code, itemName, more) => save('q_check_item', { code, itemName, qbsType: '底板混凝土', ...more })
  const within = { evalMethod: 'POINT', unit: 'mm', devLow: -10, devHigh: 10, minPoints: 3 }
  const bounds = norm.extreme ? { limitLow: -norm.extreme, limitHigh: norm.extreme } : {}
  const { name, designValue, ...how } = norm.test
  const items = [
    [await item(`${evalRule}-1`, '顶面高程', { ...within, itemClass: 'MAIN' }), 'SELF'],
    [
      await item(`${evalRule}-2`, '表面平整度', { ...within, ...bounds, itemClass: 'GENERAL', safetyFlag: true }),
      'SELF',
    ],
    [await item(`${evalRule}-3`, '外观无缺陷', { itemClass: 'GENERAL', evalMethod: 'YESNO', minPoints: 3 }), 'SELF'],
    [await item(`${evalRule}-4`, name, { ...how, itemClass: 'MAIN', minPoints: 3 }), 'TEST'],
  ]
  const looks = { schemaCode: 'q_appearance', title: '分项外观', workflowCode: 'q_appearance', top: true }
  const set = await save('q_due_set', {
    code: evalRule.slice(0, 8),
    title: `底板混凝土（${norm.title}）`,
    items: items.map(([itemId, recordKind]) => ({
      ...{ itemId, recordKind },
      ...(recordKind === 'TEST' ? { designValue } : {}),
    })),
    kinds: [
      { recordKind: 'SELF', judges: 'ALL', workflowCode: 'q_lot' },
      { recordKind: 'SUP', judges: 'MAIN' },
      { recordKind: 'TEST', judges: 'ALL' },
    ],
    sheets: [
      { schemaCode: 'q_hidden', title: '钢筋验收', workflowCode: 'q_hidden' },
      ...(evalRule.startsWith('JTG') ? [looks] : []),
    ],
    consents: [{ code: 'POUR', title: '浇筑许可', roles: ['R_SUP', 'R_CSUP'] }],
  })
  const template = await save('q_jbs_base', {
    ...{ kind: 'TEMPLATE', code: evalRule, title: `底板（${norm.title}）`, qbsType: '底板混凝土', dueSetId: set },
  })
  let previous
  for (const [i, [code, title, schemaCode, bizKind, workflowCode]] of STEPS.entries()) {
    const prevIds = previous ? [previous] : []
    const base = { kind: 'PROCESS', parentId: template, code: `${evalRule}-${code}`, title, sortKey: i + 1, prevIds }
    previous = await save('q_jbs_base', base)
    const sheet = { jbsBaseId: previous, schemaCode, bizKind, sheetTitle: `${title}记录` }
    await save('q_biz_base', { ...sheet, ...(workflowCode ? { workflowCode } : {}) })
  }
}

/** A server with the people of the parties, and a project with its library for each of some norms. */
export async function startSite(norms, db = null) {
  const server = await startServer({ packs: [join(root, 'examples/ship-lock')], on: ['quality'], db })
  server.addUser('boss', 'administrator', '管理员')
  for (const [username, role, name] of PEOPLE) server.addUser(username, role, name)
  const browser = await startBrowser()
  const opened = await openPage(browser, server.url)
  const { page } = opened
  await signIn(page, server.url, 'boss')
  const save = async (schemaCode, data, more = {}) =>
    (await done(page, '/api/runtime/form/save', { schemaCode, data, ...more })).id
  const departments = {}
  for (const name of new Set(PEOPLE.map((one) => one[3]))) departments[name] = await save('department', { name })
  const { content } = await done(page, '/api/runtime/query/list', { schemaCode: 'user', page: 0, size: 50 })
  for (const [username, , , department] of PEOPLE) {
    const { id, version } = content.find(({ data }) => data.username === username)
    const theirs = { departments: [departments[department]], mainDepartment: departments[department] }
    await save('user', theirs, { id, version })
  }
  for (const evalRule of norms) {
    const norm = NORMS[evalRule]
    const projectId = await save('pm_project', { projectKey: evalRule, projectName: norm.name, evalRule })
    await save('c_contract', {
      ...{
        projectId,
        code: `T-${evalRule}`,
        contractName: `${norm.name}总承包`,
        contractType: 'WORKS',
        status: 'SIGNED',
      },
      ...{ contractAmount: '1', partyADept: departments.建设部, partyBDept: departments.总承包部 },
      supDept: departments.监理部,
    })
    await library(save, norm, evalRule)
  }
  const stop = async () => {
    await browser.close()
    await server.stop()
  }
  return { server, browser, ...opened, stop }
}
