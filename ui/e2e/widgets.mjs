// A form with every property type in all its looks, and what it refers to.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const named = (name, en) => ({ name, name_i18n: { en } })
const property = (code, propertyType, name, en, more = {}) => ({ code, propertyType, ...named(name, en), ...more })
const option = (code, name, en, more = {}) => ({ code, ...named(name, en), ...more })
const section = (name, en, items, more = {}) => ({ type: 'Section', ...named(name, en), items, ...more })

/** More than a page of the table in which records are chosen. */
export const PARTS = 14
const code = (n) => `P-${String(n).padStart(2, '0')}`

const every = [
  property('title', 'ShortText', '名称', 'Name', { required: true, maxLength: 20 }),
  property('mark', 'ShortText', '记号', 'Mark'),
  property('story', 'LongText', '说明', 'Story', { maxLength: 40 }),
  property('price', 'Number', '单价', 'Price', { scale: 2, displayFormat: 'thousands', unit: '元' }),
  property('rate', 'Number', '税率', 'Rate', { scale: 4, displayFormat: 'percent' }),
  property('words', 'Number', '大写金额', 'In words', { scale: 2, displayFormat: 'capitals' }),
  property('day', 'Date', '日期', 'Day'),
  property('month', 'Date', '月份', 'Month', { displayFormat: 'yyyy-MM' }),
  property('year', 'Date', '年份', 'Year', { displayFormat: 'yyyy' }),
  property('moment', 'Date', '时刻', 'Moment', { displayFormat: 'yyyy-MM-dd HH:mm' }),
  property('half', 'Date', '半日', 'Half day', { displayFormat: 'yyyy-MM-dd CN-APM hh:mm' }),
  property('awake', 'Time', '起床', 'Awake', { displayFormat: 'HH:mm' }),
  property('done', 'Logic', '完成', 'Done'),
  property('level', 'Radio', '等级', 'Level', {
    options: [option('A', '一等', 'First', { color: 'green' }), option('B', '二等', 'Second', { color: 'orange' })],
  }),
  property('marks', 'Checkbox', '标签', 'Labels', {
    options: [option('x', '红', 'Red'), option('y', '蓝', 'Blue'), option('z', '绿', 'Green')],
  }),
  property('area', 'Dropdown', '区域', 'Area', { dictionary: 'waters' }),
  property('river', 'Dropdown', '河流', 'River', { dictionary: 'waters', dependsOn: 'area' }),
  property('rivers', 'DropdownMulti', '沿线河流', 'Rivers', { dictionary: 'waters', dependsOn: 'area' }),
  property('keeper', 'StaffSingle', '保管人', 'Keeper'),
  property('guard', 'StaffSingle', '值班', 'Guard', { staffFilter: 'user' }),
  property('team', 'StaffMulti', '班组', 'Team', { staffFilter: 'org' }),
  property('unit', 'DeptSingle', '部门', 'Department'),
  property('parties', 'DeptMulti', '各方', 'Parties'),
  property('informed', 'StaffDeptMix', '抄送', 'Informed'),
  property('papers', 'Attachment', '资料', 'Papers', { accept: ['image/*', '.txt'], maxCount: 3 }),
  property('place', 'Address', '地点', 'Place'),
  property('part', 'RelevanceForm', '配件', 'Part', {
    relativeCode: 'part',
    condition: "status == 'OPEN'",
    fill: { price: 'price' },
  }),
  property('others', 'RelevanceFormEx', '其他配件', 'Other parts', { relativeCode: 'part' }),
  property('serial', 'ShortText', '出厂编号', 'Serial number'),
  property('opinions', 'ApprovalOpinion', '审批意见', 'Opinions'),
  property('items', 'Sheet', '明细', 'Items', {
    properties: [
      property('what', 'ShortText', '内容', 'What', { required: true }),
      property('count', 'Number', '数量', 'Count', { scale: 0 }),
      property('kind', 'Dropdown', '类别', 'Kind', { options: [option('K1', '甲', 'One'), option('K2', '乙', 'Two')] }),
      property('where', 'Address', '地址', 'Where'),
    ],
  }),
]

const files = {
  'pack.json': { code: 'widgets', ...named('控件', 'Widgets'), version: '1.0.0', requires: ['organisation'] },
  'app.json': {
    ...named('控件', 'Widgets'),
    menu: ['every', 'part', 'visit'].map((one) => ({ code: one, type: 'BizModel' })),
  },
  'dictionaries/waters.json': {
    ...named('水系', 'Waters'),
    items: [
      option('N', '北方', 'North', {
        items: [option('N1', '黄河', 'Yellow River'), option('N2', '海河', 'Hai River')],
      }),
      option('S', '南方', 'South', {
        items: [option('S1', '长江', 'Yangtze'), option('S2', '珠江', 'Pearl River', { color: 'blue' })],
      }),
    ],
  },
  'models/part.json': {
    ...named('配件', 'Part'),
    properties: [
      property('name', 'ShortText', '名称', 'Name', { required: true, search: true }),
      property('code', 'ShortText', '编号', 'Code', { required: true, unique: true }),
      property('price', 'Number', '单价', 'Price', { scale: 2 }),
      property('status', 'Radio', '状态', 'State', {
        defaultValue: "'OPEN'",
        options: [
          option('OPEN', '在用', 'In use', { color: 'green' }),
          option('SHUT', '停用', 'Retired', { color: 'red' }),
        ],
      }),
    ],
  },
  'models/every.json': {
    ...named('万用单', 'Everything'),
    digest: '{title}',
    properties: every,
    dataRules: [
      {
        propertyCode: 'mark',
        checkType: 'pattern',
        pattern: '[A-Z]{2}-[0-9]{3}',
        message: '记号写作 AB-123',
        message_i18n: { en: 'Write the mark as AB-123' },
      },
    ],
  },
  'models/visit.json': {
    ...named('巡查', 'Visit'),
    digest: '{note}',
    properties: [
      property('note', 'ShortText', '记录', 'Note', { required: true }),
      property('about', 'RelevanceForm', '对象', 'About', { relativeCode: 'every', relativePropertyCode: 'title' }),
    ],
  },
  'lists/every.json': {
    schemaCode: 'every',
    ...named('万用单', 'Everything'),
    queryColumns: ['title', 'price', 'place'],
    queryActions: ['add', 'edit', 'delete'],
  },
  'lists/part.json': {
    schemaCode: 'part',
    ...named('配件', 'Parts'),
    orderBy: ['code'],
    queryColumns: ['code', 'name', 'price', 'status'],
    queryActions: ['add', 'edit'],
  },
  'lists/visit.json': {
    schemaCode: 'visit',
    ...named('巡查', 'Visits'),
    queryColumns: ['note', 'about'],
    queryActions: ['add', 'edit'],
  },
  'forms/every.json': {
    schemaCode: 'every',
    ...named('万用单', 'Everything'),
    columns: 3,
    items: [
      section('文字与数字', 'Texts and figures', [
        'title',
        {
          propertyCode: 'mark',
          placeholder: 'AB-123',
          help: '两个字母、三位数字',
          help_i18n: { en: 'Two letters, three digits' },
        },
        'price',
        'rate',
        'words',
        { propertyCode: 'story', span: 3 },
      ]),
      section('日期与时间', 'Dates and times', ['day', 'month', 'year', 'moment', 'half', 'awake']),
      section('选项', 'Choices', ['done', 'level', 'marks', 'area', 'river', 'rivers']),
      section('人员与部门', 'People and departments', ['keeper', 'guard', 'team', 'unit', 'parties', 'informed']),
      section('其他', 'More', [
        'part',
        { propertyCode: 'serial', displayFormula: "part.code == 'P-14'", requiredFormula: "part.code == 'P-14'" },
        { propertyCode: 'others', span: 3 },
        { propertyCode: 'place', span: 3 },
        { propertyCode: 'papers', span: 3 },
        { propertyCode: 'items', span: 3, sumRow: ['count'] },
        { propertyCode: 'opinions', span: 3 },
      ]),
      { type: 'RelatedList', ...named('巡查记录', 'Visits'), queryCode: 'visit', propertyCode: 'about' },
    ],
    actions: ['save'],
  },
  'data/department.json': {
    key: ['name'],
    rows: [{ name: '总部' }, { name: '工程部', parent: '总部' }, { name: '质量部', parent: '总部' }],
  },
  'data/user.json': {
    key: ['username'],
    rows: [
      { username: 'zhangwei', name: '张伟', mainDepartment: '工程部', departments: ['工程部'] },
      { username: 'lina', name: '李娜', mainDepartment: '工程部', departments: ['工程部'] },
      { username: 'wangfang', name: '王芳', mainDepartment: '质量部', departments: ['质量部'] },
    ],
  },
  'data/part.json': {
    key: ['code'],
    rows: Array.from({ length: PARTS }, (_, i) => ({
      code: code(i + 1),
      name: `配件 ${String(i + 1).padStart(2, '0')}`,
      price: `${1000 + i}.5`,
      status: i === 0 ? 'SHUT' : 'OPEN',
    })),
  },
}

/** Writes the pack and returns its folder. */
export function widgetsPack() {
  const folder = join(mkdtempSync(join(tmpdir(), 'sluice-widgets-')), 'widgets')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return folder
}
