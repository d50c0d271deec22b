// A form with 300 fields and a sub-table of 20 columns, for the bench of forms and for the journeys of the grid. The
// definition is made here, and so is a record of it.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const named = (name, en) => ({ name, name_i18n: { en } })
const option = (code, name, en, color) => ({ code, ...named(name, en), ...(color ? { color } : {}) })
const options = [
  option('A', '甲', 'First', 'green'),
  option('B', '乙', 'Second', 'orange'),
  option('C', '丙', 'Third', 'red'),
]

/** The types of a form as people build it, over and over. */
const kinds = [
  ['ShortText', '文本', 'Text', {}],
  ['Number', '数量', 'Quantity', { scale: 2 }],
  ['Date', '日期', 'Date', {}],
  ['Dropdown', '选项', 'Choice', { options }],
  ['Number', '单价', 'Price', { scale: 2, unit: '元' }],
  ['ShortText', '说明', 'Note', { maxLength: 100 }],
  ['StaffSingle', '人员', 'Person', {}],
  ['Logic', '是否', 'Yes or no', {}],
  ['LongText', '备注', 'Remark', {}],
  ['Radio', '等级', 'Grade', { options }],
]

export const FIELDS = 300
const sums = 10

function fields() {
  const out = []
  for (let i = 0; out.length < FIELDS - 1; i++) {
    const [propertyType, name, en, more] = kinds[i % kinds.length]
    const code = `f${i}`
    out.push({ code, propertyType, ...named(`${name} ${i + 1}`, `${en} ${i + 1}`), ...more })
    // Every tenth is a figure made of the two before it, with a chain to the next one.
    if (i % kinds.length === kinds.length - 1 && out.length < FIELDS - 1) {
      const n = (i + 1) / kinds.length
      const before = n > 1 && n <= sums ? ` + total${n - 1}` : ''
      const formula = `round(f${i - 8} * f${i - 5}, 2)${before}${n === 1 ? ' + sum(items, .amount)' : ''}`
      out.push({
        code: `total${n}`,
        propertyType: 'Number',
        ...named(`合计 ${n}`, `Total ${n}`),
        scale: 2,
        computeFormula: formula,
      })
    }
  }
  return out
}

const column = (code, propertyType, name, en, more = {}) => ({ code, propertyType, ...named(name, en), ...more })

/** 20 columns. */
export const columns = [
  column('item', 'ShortText', '名称', 'Item', { required: true, maxLength: 60 }),
  column('spec', 'ShortText', '规格', 'Specification'),
  column('grade', 'Dropdown', '等级', 'Grade', { options }),
  column('qty', 'Number', '数量', 'Quantity', { scale: 2, min: '0' }),
  column('price', 'Number', '单价', 'Price', { scale: 2 }),
  column('amount', 'Number', '金额', 'Amount', { scale: 2, computeFormula: 'round(row.qty * row.price, 2)' }),
  column('share', 'Number', '比例', 'Share', { scale: 4, displayFormat: 'percent' }),
  column('day', 'Date', '日期', 'Date'),
  column('ok', 'Logic', '合格', 'Passed'),
  column('keeper', 'StaffSingle', '负责人', 'Keeper'),
  column('note', 'LongText', '说明', 'Note', { maxLength: 500 }),
  ...Array.from({ length: 9 }, (_, i) =>
    column(`c${i}`, i % 2 ? 'Number' : 'ShortText', `列 ${i + 1}`, `Column ${i + 1}`),
  ),
]

export const maxRows = 600

export function formPack() {
  const all = fields()
  const files = {
    'pack.json': { code: 'bench', ...named('表单', 'Forms'), version: '1.0.0', requires: ['organisation'] },
    'app.json': { ...named('表单', 'Forms'), menu: [{ code: 'sheet', type: 'BizModel' }] },
    'models/sheet.json': {
      ...named('清单', 'Sheet'),
      digest: '{f0}',
      properties: [...all, { code: 'items', propertyType: 'Sheet', ...named('明细', 'Items'), properties: columns, maxRows }],
      dataRules: [
        {
          propertyCode: 'items.qty',
          checkType: 'formula',
          formula: 'empty(row.qty) or row.qty <= 1000000',
          message: '数量不能超过一百万',
          message_i18n: { en: 'The quantity must not exceed a million' },
        },
      ],
    },
    'lists/sheet.json': {
      schemaCode: 'sheet',
      ...named('清单', 'Sheets'),
      queryColumns: ['f0', 'f1', 'createdTime'],
      queryActions: ['add', 'edit', 'copy', 'delete'],
    },
    'forms/sheet.json': {
      schemaCode: 'sheet',
      ...named('清单', 'Sheet'),
      items: [
        {
          type: 'Section',
          ...named('字段', 'Fields'),
          items: all.map(({ code }, i) =>
            i % 15 === 14 ? { propertyCode: code, displayFormula: `empty(f${i - 14}) or f${i - 14} != 'hidden'` } : code,
          ),
        },
        {
          type: 'Section',
          ...named('明细', 'Items'),
          items: [{ propertyCode: 'items', span: 2, sumRow: ['qty', 'amount'] }],
        },
      ],
      actions: ['save'],
    },
  }
  const folder = join(mkdtempSync(join(tmpdir(), 'sluice-form-')), 'bench')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return folder
}

/** A row of the sub-table, without what is computed. */
export const rowOf = (i) => ({
  item: `材料 ${i + 1}`,
  spec: `Φ${10 + (i % 30)} × ${i}`,
  grade: 'ABC'[i % 3],
  qty: `${i % 97}.5`,
  price: `${(i % 13) + 1}.25`,
  share: '0.125',
  day: `2026-${String((i % 12) + 1).padStart(2, '0')}-15`,
  ok: i % 4 !== 0,
  note: i % 5 ? null : '按图施工',
  ...Object.fromEntries(Array.from({ length: 9 }, (_, c) => [`c${c}`, c % 2 ? String(i + c) : `值 ${i}`])),
})

/** A record with all fields filled in and so many rows. */
export function dataOf(rows) {
  const data = { items: Array.from({ length: rows }, (_, i) => rowOf(i)) }
  for (const { code, propertyType, computeFormula } of fields()) {
    if (computeFormula) continue
    if (propertyType === 'ShortText') data[code] = `内容 ${code}`
    if (propertyType === 'LongText') data[code] = `备注 ${code}\n第二行`
    if (propertyType === 'Number') data[code] = '12.5'
    if (propertyType === 'Date') data[code] = '2026-11-21'
    if (propertyType === 'Dropdown' || propertyType === 'Radio') data[code] = 'B'
    if (propertyType === 'Logic') data[code] = true
  }
  return data
}

export const formPath = (query) => `/form/detail?schemaCode=sheet&sheetCode=sheet${query}`
