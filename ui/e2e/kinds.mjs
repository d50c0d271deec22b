// Forms of every kind: what the playground of rjsf shows as schemas (simple, nested, arrays, conditionals, nullable, large, widgets,
// defaults), written as definitions of ours.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const named = (name, en) => ({ name, name_i18n: { en } })
const property = (code, propertyType, name, en, more = {}) => ({ code, propertyType, ...named(name, en), ...more })
const option = (code, name, en) => ({ code, ...named(name, en) })
const section = (name, en, items, more = {}) => ({ type: 'Section', ...named(name, en), items, ...more })

export const LARGE = 150
const numbers = Array.from({ length: LARGE }, (_, i) => i + 1)

const models = {
  simple: [
    property('title', 'ShortText', '姓名', 'Name', { required: true, maxLength: 40 }),
    property('age', 'Number', '年龄', 'Age', { scale: 0, min: '0', max: '120' }),
    property('bio', 'LongText', '简介', 'Bio', { maxLength: 200 }),
    property('phone', 'ShortText', '电话', 'Phone'),
    property('born', 'Date', '生日', 'Born'),
    property('awake', 'Time', '起床', 'Awake', { displayFormat: 'HH:mm' }),
    property('done', 'Logic', '完成', 'Done'),
    property('home', 'Address', '住址', 'Home', { displayFormat: 'province' }),
  ],
  arrays: [
    property('title', 'ShortText', '清单', 'List', { required: true }),
    property('tags', 'Checkbox', '标签', 'Tags', {
      options: [option('a', '甲', 'A'), option('b', '乙', 'B'), option('c', '丙', 'C')],
    }),
    property('people', 'StaffMulti', '人员', 'People'),
    property('links', 'RelevanceFormEx', '关联', 'Links', { relativeCode: 'simple' }),
    property('rows', 'Sheet', '明细', 'Rows', {
      minRows: 1,
      maxRows: 5,
      properties: [
        property('what', 'ShortText', '内容', 'What', { required: true }),
        property('kinds', 'DropdownMulti', '类别', 'Kinds', {
          options: [option('x', '红', 'Red'), option('y', '蓝', 'Blue')],
        }),
        property('count', 'Number', '数量', 'Count', { scale: 0 }),
        property('why', 'ShortText', '原因', 'Why'),
      ],
    }),
    property('steps', 'Sheet', '步骤', 'Steps', {
      properties: [property('step', 'LongText', '步骤', 'Step'), property('ok', 'Logic', '通过', 'Passed')],
    }),
  ],
  conditionals: [
    property('title', 'ShortText', '名称', 'Name', { required: true }),
    property('kind', 'Radio', '动物', 'Animal', {
      options: [option('cat', '猫', 'Cat'), option('fish', '鱼', 'Fish'), option('none', '无', 'None')],
    }),
    property('food', 'Dropdown', '食物', 'Food', {
      options: [option('meat', '肉', 'Meat'), option('grass', '草', 'Grass'), option('worms', '虫', 'Worms')],
      condition: "(form.kind == 'cat' and code != 'worms') or (form.kind == 'fish' and code == 'worms')",
    }),
    property('water', 'Radio', '水', 'Water', { options: [option('lake', '湖', 'Lake'), option('sea', '海', 'Sea')] }),
    property('card', 'ShortText', '卡号', 'Card'),
    property('billing', 'ShortText', '账单地址', 'Billing address'),
    property('more', 'Sheet', '用药', 'Medicine', {
      properties: [property('name', 'ShortText', '药名', 'Name'), property('dose', 'Number', '剂量', 'Dose')],
    }),
  ],
  nullable: [
    property('title', 'ShortText', '名称', 'Name', { required: true }),
    property('note', 'LongText', '备注', 'Note', { defaultValue: "'model'" }),
    property('amount', 'Number', '数额', 'Amount'),
    property('day', 'Date', '日期', 'Day', { defaultValue: 'today()' }),
    property('keeper', 'StaffSingle', '保管人', 'Keeper'),
    property('unit', 'DeptSingle', '部门', 'Department'),
    property('grade', 'Radio', '等级', 'Grade', {
      options: [option('A', '一等', 'First'), option('B', '二等', 'Second')],
    }),
    property('secret', 'ShortText', '底价', 'Reserve price'),
    property('plan', 'ShortText', '计划', 'Plan'),
  ],
  large: [
    property('title', 'ShortText', '名称', 'Name', { required: true }),
    ...numbers.map((i) =>
      property(`p${i}`, i % 5 === 0 ? 'Number' : i % 7 === 0 ? 'Logic' : 'ShortText', `第 ${i} 项`, `Item ${i}`),
    ),
  ],
}

const forms = {
  simple: {
    schemaCode: 'simple',
    ...named('登记', 'Registration'),
    columns: 3,
    items: [
      { propertyCode: 'title', placeholder: '姓名全称', placeholder_i18n: { en: 'The full name' } },
      { propertyCode: 'age', help: '周岁', help_i18n: { en: 'In whole years' } },
      'phone',
      { propertyCode: 'bio', span: 3 },
      section('时间', 'Time', ['born', 'awake', 'done'], {
        columns: 4,
        collapsed: true,
        help: '可以不填',
        help_i18n: { en: 'May be left out' },
      }),
      { propertyCode: 'home', span: 2 },
    ],
    uiSchema: {
      bio: { 'ui:options': { rows: 8 } },
      age: { 'ui:autofocus': true, 'ui:title': 'Alter' },
      phone: { 'ui:placeholder': '+86 …' },
    },
  },
  simple_short: {
    schemaCode: 'simple',
    ...named('简表', 'Short form'),
    columns: 1,
    items: ['title', { propertyCode: 'phone', defaultValue: "'none'" }],
    actions: ['save', 'copy'],
  },
  arrays: {
    schemaCode: 'arrays',
    ...named('清单', 'List'),
    items: [
      'title',
      'tags',
      'people',
      'links',
      {
        type: 'Tabs',
        items: [
          section('明细', 'Rows', [
            {
              propertyCode: 'rows',
              span: 2,
              childColumns: [
                { propertyCode: 'what', width: 200 },
                { propertyCode: 'kinds', width: 180 },
                'count',
                { propertyCode: 'why', requiredFormula: 'row.count > 10' },
              ],
              sumRow: ['count'],
            },
          ]),
          section('步骤', 'Steps', [{ propertyCode: 'steps', span: 2 }]),
        ],
      },
    ],
  },
  conditionals: {
    schemaCode: 'conditionals',
    ...named('条件', 'Conditions'),
    items: [
      'title',
      'kind',
      { propertyCode: 'food', displayFormula: "kind == 'cat' or kind == 'fish'" },
      section('水', 'Water', [{ propertyCode: 'water', requiredFormula: "kind == 'fish'" }], {
        displayFormula: "kind == 'fish'",
      }),
      'card',
      { propertyCode: 'billing', displayFormula: 'not empty(card)', requiredFormula: 'not empty(card)' },
      {
        type: 'Tabs',
        items: [section('用药', 'Medicine', [{ propertyCode: 'more', span: 2 }])],
        displayFormula: "kind == 'cat'",
      },
    ],
  },
  nullable: {
    schemaCode: 'nullable',
    ...named('可空', 'Nullable'),
    items: [
      'title',
      { propertyCode: 'note', defaultValue: "'form'" },
      { propertyCode: 'amount', defaultValue: '2 * 21' },
      'day',
      { propertyCode: 'keeper', defaultValue: 'user.id' },
      { propertyCode: 'unit', defaultValue: 'user.mainDepartment' },
      { propertyCode: 'grade', defaultValue: "'B'" },
      { propertyCode: 'secret', read: ['seller'], write: ['seller'] },
      { propertyCode: 'plan', write: ['seller'], requiredFormula: "has(user.roles, 'seller')" },
    ],
  },
  large: {
    schemaCode: 'large',
    ...named('大表', 'Large form'),
    columns: 4,
    items: [
      { propertyCode: 'title', span: 4 },
      ...[0, 1, 2].map((n) =>
        section(
          `第 ${n + 1} 组`,
          `Group ${n + 1}`,
          numbers.filter((i) => i % 3 === n).map((i) => `p${i}`),
          n > 0 ? { collapsed: true } : {},
        ),
      ),
    ],
  },
}

const all = (fields = {}) =>
  Object.keys(models).map((schemaCode) => ({
    schemaCode,
    actions: ['view', 'add', 'edit', 'delete', ...(schemaCode === 'simple' ? ['brief', 'copy'] : [])],
    rows: 'all',
    ...(fields[schemaCode] ? { fields: fields[schemaCode] } : {}),
  }))

const files = {
  'pack.json': {
    code: 'kinds',
    ...named('各种表单', 'Forms of all kinds'),
    version: '1.0.0',
    requires: ['organisation'],
  },
  'app.json': {
    ...named('各种表单', 'Forms of all kinds'),
    menu: Object.keys(models).map((code) => ({ code, type: 'BizModel' })),
  },
  ...Object.fromEntries(
    Object.entries(models).map(([code, properties]) => [
      `models/${code}.json`,
      { ...named(code, code), digest: '{title}', properties },
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(models).map((code) => [
      `lists/${code}.json`,
      {
        schemaCode: code,
        ...named(code, code),
        queryColumns: ['title'],
        queryActions: [
          'add',
          'edit',
          ...(code === 'simple'
            ? [
                {
                  actionCode: 'brief',
                  ...named('简表', 'Short form'),
                  queryActionType: 'custom',
                  row: true,
                  associationType: 'form',
                  associationCode: 'simple_short',
                },
              ]
            : []),
        ],
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(forms).map(([code, form]) => [`forms/${code}.json`, { actions: ['save'], ...form }]),
  ),
  'access/seller.json': { ...named('销售', 'Seller'), includes: ['staff'], apps: ['kinds'], models: all() },
  'access/buyer.json': { ...named('采购', 'Buyer'), includes: ['staff'], apps: ['kinds'], models: all() },
}

/** Writes the pack and returns its folder. */
export function kindsPack() {
  const folder = join(mkdtempSync(join(tmpdir(), 'sluice-kinds-')), 'kinds')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return folder
}
