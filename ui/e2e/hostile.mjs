// A pack and data that no designer draws: names without end, figures of 24 digits, 300 tags in a cell, 10,000 characters,
// markup as text, a deep tree, nothing at all. The pack is written to a folder, the records go in over HTTP like anybody's.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const long = '上闸首及闸室主体结构混凝土（含止水、伸缩缝、预埋件与二期混凝土）专业施工合同补充协议第三号附件清单与说明'
const wide = 'Reinforced-concrete-lock-chamber-construction-and-commissioning-supplementary-agreement-annex'
const named = (name, en) => ({ name, name_i18n: { en } })
const property = (code, propertyType, name, en, more = {}) => ({ code, propertyType, ...named(name, en), ...more })
const colours = ['green', 'red', 'orange', 'blue', 'cyan', 'purple']

const tags = Array.from({ length: 300 }, (_, i) => ({
  code: `T${i}`,
  ...named(i % 7 === 0 ? `很长很长的标签名称第 ${i} 号` : `标签${i}`, `Tag ${i}`),
  color: colours[i % colours.length],
}))

const thing = {
  ...named('极端记录', 'Hostile record'),
  properties: [
    property('name', 'ShortText', '名称', 'Name', { required: true, maxLength: 200, search: true }),
    property('state', 'Radio', '状态', 'State', {
      options: [
        { code: 'OPEN', ...named('待处理', 'Open'), color: 'orange' },
        { code: 'DONE', ...named('已按整改意见全部处理完毕', 'Dealt with in every respect'), color: 'green' },
      ],
    }),
    property('amount', 'Number', '含税合同总金额（人民币）', 'Total amount including tax', {
      scale: 8,
      displayFormat: 'thousands',
      unit: '元',
    }),
    property('ratio', 'Number', '比例', 'Share', { scale: 4, displayFormat: 'percent' }),
    property('tags', 'DropdownMulti', '标签', 'Tags', { options: tags }),
    property('markup', 'ShortText', '标记', 'Markup', { maxLength: 200 }),
    property('body', 'LongText', '正文', 'Body', { maxLength: 20000 }),
    property('day', 'Date', '日期', 'Day'),
    property('node', 'RelevanceForm', '所属节点', 'Node', { relativeCode: 'node', onDelete: 'clear' }),
    property('done', 'Logic', '是否已经全部办结归档', 'Closed and filed'),
    property('rows', 'Sheet', '明细', 'Rows', {
      properties: [
        property('item', 'ShortText', '项目名称', 'Item', { required: true, maxLength: 200 }),
        property('figure', 'Number', '金额', 'Amount', { scale: 8, displayFormat: 'thousands' }),
        property('share', 'Number', '比例', 'Share', { scale: 4, displayFormat: 'percent' }),
        property('when', 'Date', '日期', 'Day'),
        property('ok', 'Logic', '合格', 'Passed'),
        property('by', 'StaffSingle', '经手人', 'Handled by'),
        property('unit', 'DeptSingle', '部门', 'Department'),
      ],
    }),
  ],
}

const files = {
  'pack.json': {
    code: 'hostile',
    ...named('极端数据', 'Hostile data'),
    version: '1.0.0',
    requires: ['organisation'],
  },
  'app.json': {
    ...named(`${long.slice(0, 32)}应用`, `${wide} application`),
    menu: [
      { code: 'thing', type: 'BizModel', ...named(`${long.slice(0, 30)}`, wide), schemaCode: 'thing' },
      { code: 'node', type: 'BizModel' },
      { code: 'nothing', type: 'BizModel' },
    ],
  },
  'models/thing.json': thing,
  'models/node.json': {
    ...named('节点', 'Node'),
    tree: 'parent',
    properties: [
      property('name', 'ShortText', '名称', 'Name', { required: true, maxLength: 200 }),
      property('parent', 'RelevanceForm', '上级', 'Parent', { relativeCode: 'node', onDelete: 'clear' }),
      property('weight', 'Number', '权重', 'Weight', { scale: 2 }),
    ],
  },
  'models/nothing.json': {
    ...named('空模型', 'Empty model'),
    properties: [property('name', 'ShortText', '名称', 'Name')],
  },
  'lists/thing.json': {
    schemaCode: 'thing',
    ...named(`${long}一览表`, `${wide} list`),
    queryConditions: ['name', 'state', 'tags', 'amount', 'day', 'done', 'node'],
    queryColumns: [
      'name',
      { propertyCode: 'state', width: 120 },
      { propertyCode: 'amount', width: 120, sumType: 'sum' },
      { propertyCode: 'ratio', width: 90 },
      { propertyCode: 'tags', width: 240 },
      { propertyCode: 'markup', width: 160 },
      { propertyCode: 'body', width: 200 },
      { propertyCode: 'node', width: 140 },
      { propertyCode: 'day', width: 110 },
      { propertyCode: 'done', width: 80 },
      { propertyCode: 'rows', childColumns: ['item', 'figure', 'ok', 'by', 'unit', 'when'] },
    ],
    queryActions: ['add', 'edit', 'delete'],
  },
  'lists/thing_plain.json': {
    schemaCode: 'thing',
    ...named('版面写错的列表', 'A page laid out wrongly'),
    queryConditions: ['name', 'sequenceStatus'],
    queryColumns: [{ propertyCode: 'name', width: 320 }, 'amount', { propertyCode: 'sequenceStatus', width: 160 }],
    queryActions: ['add', 'edit', 'delete'],
    queryPresentation: { fixedHeader: false, rowSelectable: false, htmlJson: ['toolbar', 'fliter', 'table', 'pager'] },
  },
  'lists/node.json': {
    schemaCode: 'node',
    ...named('节点', 'Nodes'),
    queryConditions: ['name'],
    queryColumns: [{ propertyCode: 'name', width: 320 }, 'weight', 'parent'],
    queryActions: ['add', 'edit', 'delete'],
  },
  'lists/nothing.json': {
    schemaCode: 'nothing',
    ...named('空列表', 'Empty list'),
    queryColumns: ['name'],
    queryActions: ['add'],
  },
  'forms/thing.json': {
    schemaCode: 'thing',
    ...named('极端记录', 'Hostile record'),
    columns: 2,
    items: [
      {
        type: 'Section',
        ...named('基本信息', 'Basics'),
        items: [
          { propertyCode: 'name', span: 2 },
          'state',
          'amount',
          'ratio',
          'day',
          'node',
          'done',
          { propertyCode: 'tags', span: 2 },
          { propertyCode: 'markup', span: 2 },
        ],
      },
      { type: 'Section', ...named('明细', 'Rows'), items: [{ propertyCode: 'rows', span: 2 }] },
      { type: 'Section', ...named('正文', 'Body'), items: [{ propertyCode: 'body', span: 2 }] },
    ],
    actions: ['save'],
  },
  'forms/node.json': {
    schemaCode: 'node',
    ...named('节点', 'Node'),
    items: ['name', 'parent', 'weight'],
    actions: ['save'],
  },
  'forms/nothing.json': { schemaCode: 'nothing', ...named('空模型', 'Empty'), items: ['name'], actions: ['save'] },
}

/** Writes the pack and returns its folder. */
export function hostilePack() {
  const folder = join(mkdtempSync(join(tmpdir(), 'sluice-hostile-')), 'hostile')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content, null, 2))
  }
  return folder
}

/** Saves records from inside a page that is signed in; returns the ids of the hardest record and of the tree's root. */
export const seedHostile = (page) =>
  page.evaluate(
    async ({ long, wide }) => {
      const save = async (schemaCode, data) => {
        const answer = await fetch('/api/runtime/form/save', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ schemaCode, data }),
        })
        const { errcode, errmsg, data: saved } = await answer.json()
        if (errcode !== 0) throw new Error(`${schemaCode}: ${errcode} ${errmsg} ${JSON.stringify(saved)}`)
        return saved.id
      }
      let parent = null
      let root = null
      for (let depth = 1; depth <= 12; depth++) {
        const name = depth === 6 ? `${long}（第 6 层）` : `第 ${depth} 层`
        parent = await save('node', { name, weight: String(depth), ...(parent ? { parent: { id: parent } } : {}) })
        root ??= parent
      }
      const hard = {
        name: `${long}${wide}`.slice(0, 200),
        state: 'DONE',
        amount: '9999999999999999.12345678',
        ratio: '0.1',
        tags: Array.from({ length: 300 }, (_, i) => `T${i}`),
        markup: '<script>alert(1)</script><b onclick="alert(2)">粗体</b> & "引号"',
        body: `${'本合同条款应与主合同一并阅读。'.repeat(600)}${'x'.repeat(1000)}`,
        day: '2026-02-28',
        node: { id: parent },
        done: true,
        rows: Array.from({ length: 60 }, (_, i) => ({
          item: i === 1 ? wide : `明细第 ${i + 1} 行`,
          figure: i % 3 ? '-1234567890123456.5' : '0.00000001',
          share: '0.3333',
          when: '2026-01-31',
          ok: i % 2 === 0,
        })),
      }
      const first = { state: 'OPEN', amount: '-0.5', ratio: '-1.2345', tags: ['T0'], done: false }
      for (let i = 0; i < 498; i += 6) {
        const batch = Array.from({ length: 6 }, (_, k) => save('thing', { ...first, name: `记录 ${i + k + 1}` }))
        await Promise.all(batch)
      }
      await save('thing', { name: wide + wide })
      return { hard: await save('thing', hard), root }
    },
    { long, wide },
  )
