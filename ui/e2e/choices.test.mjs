// Choices that depend on other values: a list is narrowed while the form is filled in, choosing a record fills in other
// fields, also in a sub-table, and what no longer fits is refused at its field.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { browserPath, openPage, signIn, startBrowser, startServer } from './server.mjs'

const text = (code, name, more = {}) => ({ code, propertyType: 'ShortText', name, ...more })
const radio = (code, name, options, more = {}) => ({
  code,
  propertyType: 'Radio',
  name,
  options: options.map((option) => ({ code: option, name: option })),
  ...more,
})
const documents = {
  'pack.json': { code: 'yard', name: '料场', version: '1.0.0', requires: ['organisation'] },
  'app.json': { name: '料场', menu: [{ code: 'lot', type: 'BizModel' }] },
  'models/supplier.json': {
    name: '供方',
    digest: '{title}',
    properties: [
      text('title', '名称', { unique: true }),
      text('region', '地区'),
      { code: 'rate', propertyType: 'Number', name: '费率', scale: 2 },
    ],
  },
  'models/lot.json': {
    name: '批',
    properties: [
      radio('region', '地区', ['北', '南']),
      radio('grade', '等级', ['甲', '乙'], { condition: "code == '甲' or form.region == '南'" }),
      { code: 'rate', propertyType: 'Number', name: '费率', scale: 2 },
      {
        code: 'supplier',
        propertyType: 'RelevanceForm',
        name: '供方',
        relativeCode: 'supplier',
        condition: 'region == form.region',
        fill: { rate: 'rate' },
      },
      {
        code: 'items',
        propertyType: 'Sheet',
        name: '明细',
        properties: [
          { code: 'price', propertyType: 'Number', name: '单价', scale: 2 },
          {
            code: 'source',
            propertyType: 'RelevanceForm',
            name: '来源',
            relativeCode: 'supplier',
            fill: { price: 'rate' },
          },
        ],
      },
    ],
  },
  'data/supplier.json': {
    key: ['title'],
    rows: [
      { title: '北一', region: '北', rate: '3' },
      { title: '南一', region: '南', rate: '8.5' },
    ],
  },
}

test('choices', { skip: browserPath() ? false : 'no Chromium' }, async () => {
  const pack = mkdtempSync(join(tmpdir(), 'sluice-choices-'))
  for (const [name, value] of Object.entries(documents)) {
    mkdirSync(dirname(join(pack, name)), { recursive: true })
    writeFileSync(join(pack, name), JSON.stringify(value))
  }
  const server = await startServer({ packs: [pack] })
  const browser = await startBrowser()
  try {
    server.addUser('boss', 'administrator', '管理员')
    const { page, problems } = await openPage(browser, server.url)
    await signIn(page, server.url, 'boss')
    await page.goto(`${server.url}/form/detail?schemaCode=lot&sheetCode=lot`)
    const field = (code) => page.locator(`[data-field="${code}"]`)
    const offered = () => page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')

    await field('region').getByText('北', { exact: true }).click()
    await field('grade').getByText('乙').waitFor({ state: 'detached' })
    await field('supplier').getByRole('combobox').click()
    await offered().first().waitFor()
    assert.deepEqual(await offered().allInnerTexts(), ['北一'])
    await offered().first().click()
    await page.waitForFunction(() => document.querySelector('[data-field="rate"] input')?.value === '3.00')

    await field('region').getByText('南', { exact: true }).click()
    await field('grade').getByText('乙').click()
    await field('items').locator('[data-add]').click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await field('items').getByRole('combobox').click()
    await offered().filter({ hasText: '南一' }).click()
    await field('items').getByRole('gridcell').filter({ hasText: '8.50' }).waitFor()

    await offered().first().waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+s')
    await field('supplier').getByText('不相符').waitFor()
    await field('supplier').getByRole('combobox').click()
    await offered().filter({ hasText: '南一' }).click()
    await page.waitForFunction(() => document.querySelector('[data-field="rate"] input')?.value === '8.50')
    await page.keyboard.press('Control+s')
    await page.waitForURL((at) => at.searchParams.has('key'))
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
    await server.stop()
    rmSync(pack, { recursive: true, force: true })
  }
})
