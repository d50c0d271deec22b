// A list of 60 columns with 500 rows, for the bench of lists: the definition and its data are made here.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const named = (name, en) => ({ name, name_i18n: { en } })
const option = (code, name, en, color) => ({ code, ...named(name, en), color })
const options = [
  option('A', '甲', 'First', 'green'),
  option('B', '乙', 'Second', 'orange'),
  option('C', '丙', 'Third', 'red'),
]
const pad = (n, length = 2) => String(n).padStart(length, '0')
const people = 40
const things = 60
const departments = ['工程部', '质量部', '合同部', '土建项目部', '机电项目部', '监理部']
const person = (i) => `person${pad(i % people)}`
const thing = (i) => `分项工程 ${pad(i % things)}`
const department = (i) => departments[i % departments.length]

/** The types of a list as people build it, over and over: type, names, options of the type, a value for a number. */
const kinds = [
  ['ShortText', '文本', 'Text', {}, (n) => `上闸首底板第 ${n} 仓`],
  ['Number', '数量', 'Quantity', { scale: 2 }, (n) => `${n % 997}.25`],
  ['Date', '日期', 'Date', {}, (n) => `2026-${pad((n % 12) + 1)}-${pad((n % 28) + 1)}`],
  ['StaffSingle', '人员', 'Person', {}, person],
  ['Dropdown', '选项', 'Choice', { options }, (n) => 'ABC'[n % 3]],
  ['DeptSingle', '部门', 'Department', {}, department],
  ['Number', '金额', 'Amount', { scale: 2, displayFormat: 'thousands', unit: '元' }, (n) => `${n * 1713}.5`],
  ['RelevanceForm', '分项', 'Item', { relativeCode: 'thing', relativePropertyCode: 'title' }, thing],
  ['Logic', '是否', 'Yes or no', {}, (n) => n % 3 !== 0],
  ['StaffMulti', '参加人', 'People', {}, (n) => [person(n), person(n + 1), person(n + 5)].slice(0, 1 + (n % 3))],
  ['DropdownMulti', '多选', 'Choices', { options }, (n) => ['A', 'B', 'C'].slice(0, 1 + (n % 3))],
  ['LongText', '备注', 'Remark', {}, (n) => `按图施工，第 ${n} 次检查\n符合要求`],
]

export const COLUMNS = 60
export const ROWS = 500

const fields = Array.from({ length: COLUMNS }, (_, i) => {
  const [propertyType, name, en, more] = kinds[i % kinds.length]
  return { code: `c${i}`, propertyType, ...named(`${name} ${i + 1}`, `${en} ${i + 1}`), ...more }
})

/** About one value in fifteen is left out, as in life; the first column never is. */
const row = (r) =>
  Object.fromEntries(
    fields.flatMap(({ code }, i) => {
      const value = kinds[i % kinds.length][4](r * 7 + i * 3)
      return i > 0 && (r * 31 + i * 17) % 15 === 0 ? [] : [[code, i === 0 ? `${value} ${pad(r, 4)}` : value]]
    }),
  )

const columns = fields.map(({ code, propertyType }, i) => ({
  propertyCode: code,
  width: propertyType === 'ShortText' || propertyType === 'LongText' ? 180 : 130,
  ...(propertyType === 'Number' && i < 12 ? { sumType: 'sum' } : {}),
}))

export function listPack() {
  const files = {
    'pack.json': { code: 'bench', ...named('列表', 'Lists'), version: '1.0.0', requires: ['organisation'] },
    'app.json': { ...named('列表', 'Lists'), menu: [{ code: 'wide', type: 'BizModel' }] },
    'models/thing.json': {
      ...named('分项工程', 'Item'),
      digest: '{title}',
      properties: [{ code: 'title', propertyType: 'ShortText', ...named('名称', 'Title'), required: true, unique: true }],
    },
    'models/wide.json': { ...named('检验批', 'Lot'), digest: '{c0}', properties: fields },
    'lists/wide.json': {
      schemaCode: 'wide',
      ...named('检验批', 'Lots'),
      queryConditions: fields.slice(0, 12).map(({ code }) => code),
      queryColumns: columns,
      queryActions: ['add', 'edit', 'copy', 'delete', 'export'],
    },
    'lists/thing.json': { schemaCode: 'thing', ...named('分项工程', 'Items'), queryColumns: ['title'] },
    'data/department.json': { key: ['name'], rows: departments.map((name, i) => ({ name, sortNo: i + 1 })) },
    'data/user.json': {
      key: ['username'],
      rows: Array.from({ length: people }, (_, i) => ({
        username: person(i),
        name: `${'赵钱孙李周吴郑王'[i % 8]}${'建国志远海涛文静'[(i * 3) % 8]}${pad(i)}`,
        mainDepartment: department(i),
        departments: [department(i)],
      })),
    },
    'data/thing.json': { key: ['title'], rows: Array.from({ length: things }, (_, i) => ({ title: thing(i) })) },
    // One page more, so that there is a page to go to.
    'data/wide.json': { key: ['c0'], rows: Array.from({ length: ROWS * 2 }, (_, r) => row(r)) },
  }
  const folder = join(mkdtempSync(join(tmpdir(), 'sluice-list-')), 'bench')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return folder
}

export const listPath = `/application/bench/application-list/wide?code=wide&size=${ROWS}`
