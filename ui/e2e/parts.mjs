// A pack for changes of many records: parts with rules that some of them break, and what journeys do with them.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const named = (name, en) => ({ name, name_i18n: { en } })
const property = (code, propertyType, name, en, more = {}) => ({ code, propertyType, ...named(name, en), ...more })
const option = (code, name, en, color) => ({ code, ...named(name, en), color })

export const PARTS = 4_321
const actions = ['add', 'edit', 'delete', 'batch_update', 'change_owner', 'copy']

const files = {
  'pack.json': { code: 'parts', ...named('零件', 'Parts'), version: '1.0.0', requires: ['organisation'] },
  'app.json': { ...named('零件库', 'Parts'), menu: [{ code: 'part', type: 'BizModel' }] },
  'models/part.json': {
    ...named('零件', 'Part'),
    properties: [
      property('name', 'ShortText', '名称', 'Name', { required: true, search: true, maxLength: 100 }),
      property('serial', 'ShortText', '序列号', 'Serial number', { required: true, unique: true }),
      property('lot', 'ShortText', '批次', 'Lot'),
      property('grade', 'Radio', '等级', 'Grade', {
        options: [option('A', '一等', 'First', 'green'), option('B', '二等', 'Second', 'orange')],
      }),
      property('mark', 'ShortText', '记号', 'Mark', { maxLength: 20 }),
      property('note', 'ShortText', '说明', 'Note', { maxLength: 50 }),
      property('weight', 'Number', '重量', 'Weight'),
      property('limit', 'Number', '限重', 'Limit'),
      property('keeper', 'StaffSingle', '保管人', 'Keeper'),
      property('whole', 'RelevanceForm', '所属部件', 'Part of', { relativeCode: 'part' }),
    ],
    dataRules: [
      {
        propertyCode: 'mark',
        checkType: 'pattern',
        pattern: '[A-Z]{2}-[0-9]{3}',
        message: '记号写作 AB-123',
        message_i18n: { en: 'Write the mark as AB-123' },
      },
      {
        propertyCode: 'weight',
        checkType: 'formula',
        formula: 'empty(weight) or weight <= limit',
        message: '重量不能超过限重',
        message_i18n: { en: 'The weight must not exceed the limit' },
      },
    ],
  },
  'lists/part.json': {
    schemaCode: 'part',
    ...named('零件', 'Parts'),
    orderBy: ['serial'],
    queryConditions: ['name', 'lot', 'grade'],
    queryColumns: [
      { propertyCode: 'name', width: 200 },
      { propertyCode: 'serial', width: 120 },
      'lot',
      { propertyCode: 'grade', width: 90 },
      'mark',
      'note',
      'weight',
      'limit',
      'owner',
    ],
    queryActions: actions,
  },
  'access/storeman.json': {
    ...named('仓管员', 'Storeman'),
    includes: ['staff'],
    apps: ['parts'],
    models: [{ schemaCode: 'part', actions: ['view', ...actions], rows: 'all', editRows: "grade == 'A'" }],
  },
}

/** Eleven parts of lot L0, 1,989 of L1 and the rest of L2; each second one of grade A. */
const partRows = (count) =>
  Array.from({ length: count }, (_, i) => ({
    name: `零件 ${i + 1}`,
    serial: `S-${String(i).padStart(4, '0')}`,
    lot: i < 11 ? 'L0' : i < 2000 ? 'L1' : 'L2',
    grade: i % 2 ? 'B' : 'A',
    limit: i % 2 ? 5 : 100,
  }))

/** Writes the pack with so many parts and returns its folder. */
export function partsPack(count = PARTS) {
  const folder = join(mkdtempSync(join(tmpdir(), 'sluice-parts-')), 'parts')
  const data = { key: ['serial'], rows: partRows(count) }
  for (const [name, content] of Object.entries({ ...files, 'data/part.json': data })) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return folder
}

export const partsList = (query = '') => `/application/parts/application-list/part${query}`

/** A call as the page makes it; answers the envelope. */
export const call = (page, path, body) =>
  page.evaluate(
    async ([to, sent]) => {
      const answer = await fetch(to, {
        method: sent ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
        ...(sent ? { body: JSON.stringify(sent) } : {}),
      })
      return answer.json()
    },
    [path, body ?? null],
  )

/** The rows of a list as its page would get them. */
export const rowsOf = async (page, schemaCode, more = {}) =>
  (await call(page, '/api/runtime/query/list', { schemaCode, queryCode: schemaCode, size: 100, ...more })).data

export const tick = (page, index) => page.locator(`.ag-row[row-index="${index}"] .ag-checkbox-input`).first().click()

export const bar = (page) => page.getByRole('toolbar', { name: /^(操作|Actions)$/ })

/** Opens an address and waits for its rows. */
export const openList = async (page, address) => {
  await page.goto(address)
  await page.locator('.ag-row[row-id]').first().waitFor()
}

/** Picks a word in the nth choice of a dialog. */
export const choose = async (page, dialog, nth, word) => {
  await dialog.locator('input[role="combobox"]').nth(nth).click()
  const options = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
  await options.getByText(word, { exact: true }).first().click()
}
