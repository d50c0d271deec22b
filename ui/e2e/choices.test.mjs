// Choices that depend on other values: a list is narrowed while the form is filled in, choosing a record fills in other
// fields, also in a sub-table, and what is not offered any more is emptied.
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
    await field('supplier').getByText('北一').waitFor({ state: 'detached' }) // it is not offered any more
    await field('grade').getByText('乙').click()
    await field('items').locator('[data-add]').click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await field('items').getByRole('combobox').click()
    await offered().filter({ hasText: '南一' }).click()
    await field('items').getByRole('gridcell').filter({ hasText: '8.50' }).waitFor()

    await offered().first().waitFor({ state: 'hidden' })
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

const grade = (code) => ({
  code,
  propertyType: 'Dropdown',
  name: '等级',
  options: [
    { code: 'A', name: '甲' },
    { code: 'B', name: '乙' },
    { code: 'C', name: '丙' },
  ],
})
const keyed = {
  'pack.json': { code: 'keyed', name: '料场', version: '1.0.0', requires: ['organisation'] },
  'app.json': { name: '料场', menu: [{ code: 'lot', type: 'BizModel' }] },
  'models/lot.json': {
    name: '批',
    properties: [
      grade('grade'),
      { code: 'ok', propertyType: 'Logic', name: '合格', required: true },
      {
        code: 'items',
        propertyType: 'Sheet',
        name: '明细',
        properties: [grade('g'), { code: 'n', propertyType: 'Number', name: '数' }],
      },
    ],
  },
}

test('short lists by keys, three states, paste', { skip: browserPath() ? false : 'no Chromium' }, async () => {
  const pack = mkdtempSync(join(tmpdir(), 'sluice-choices-'))
  for (const [name, value] of Object.entries(keyed)) {
    mkdirSync(dirname(join(pack, name)), { recursive: true })
    writeFileSync(join(pack, name), JSON.stringify(value))
  }
  const server = await startServer({ packs: [pack] })
  const browser = await startBrowser()
  try {
    server.addUser('boss', 'administrator', '管理员')
    const { page, context, problems } = await openPage(browser, server.url)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, server.url, 'boss')
    await page.goto(`${server.url}/form/detail?schemaCode=lot&sheetCode=lot`)
    const field = (code) => page.locator(`[data-field="${code}"]`)
    const box = field('grade').getByRole('combobox')

    await box.click()
    await page.keyboard.type('yi', { delay: 30 })
    await page.keyboard.press('Enter')
    await field('grade').locator('.ant-select').getByText('乙').waitFor()
    await page.keyboard.type('zzz', { delay: 30 })
    await page.keyboard.press('Enter')
    assert.equal(await box.inputValue(), 'zzz')
    await page.keyboard.press('Escape')
    await field('grade').locator('.ant-select').getByText('乙').waitFor()

    assert.equal(await field('ok').locator('input:checked').count(), 0, 'empty is neither')
    await field('ok').getByText('否', { exact: true }).click()
    assert.equal(await field('ok').locator('input:checked').count(), 1)

    await page.evaluate(() => navigator.clipboard.writeText('甲\t1\n丙\t2\n'))
    await field('items').getByText('复制后粘贴').click()
    await page.keyboard.press('Control+v')
    await field('items').locator('[data-at="1:1"]').getByText('2').waitFor()
    await field('items').locator('[data-at="0:0"]').click()
    await page.keyboard.type('yi', { delay: 30 })
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.dataset.keys === '1:0')
    await field('items').locator('[data-at="0:0"]').getByText('乙').waitFor()

    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/form/save')),
      page.keyboard.press('Control+s'),
    ])
    const { data } = request.postDataJSON()
    assert.deepEqual(
      [data.grade, data.ok, data.items.map(({ g, n }) => [g, n])],
      [
        'B',
        false,
        [
          ['B', '1'],
          ['C', '2'],
        ],
      ],
    )
    await page.waitForURL((at) => at.searchParams.has('key'))
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
    await server.stop()
    rmSync(pack, { recursive: true, force: true })
  }
})

const named = {
  'pack.json': { code: 'named', name: '料场', version: '1.0.0', requires: ['organisation'] },
  'app.json': { name: '料场', menu: [{ code: 'lot', type: 'BizModel' }] },
  'models/part.json': { name: '部位', digest: '{title}', properties: [text('title', '名称')] },
  'models/lot.json': {
    name: '批',
    properties: [
      { code: 'part', propertyType: 'RelevanceForm', name: '部位', relativeCode: 'part' },
      {
        code: 'items',
        propertyType: 'Sheet',
        name: '明细',
        properties: [{ code: 'at', propertyType: 'RelevanceForm', name: '位置', relativeCode: 'part' }, grade('g')],
      },
    ],
  },
  'data/part.json': {
    key: ['title'],
    rows: ['三峡银行', '银行', '地基灌注桩', 'A-10', 'A-1'].map((title) => ({ title })),
  },
}

test('a name beside a longer one, by keys and pasted', { skip: browserPath() ? false : 'no Chromium' }, async () => {
  const pack = mkdtempSync(join(tmpdir(), 'sluice-choices-'))
  for (const [name, value] of Object.entries(named)) {
    mkdirSync(dirname(join(pack, name)), { recursive: true })
    writeFileSync(join(pack, name), JSON.stringify(value))
  }
  const server = await startServer({ packs: [pack] })
  const browser = await startBrowser()
  try {
    server.addUser('boss', 'administrator', '管理员')
    const { page, context, problems } = await openPage(browser, server.url)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, server.url, 'boss')
    await page.goto(`${server.url}/form/detail?schemaCode=lot&sheetCode=lot`)
    const field = (code) => page.locator(`[data-field="${code}"]`)
    const cell = (at) => field('items').locator(`[data-at="${at}"]`)

    await field('part').getByRole('combobox').click()
    await page.keyboard.type('银行')
    await page.keyboard.press('Enter') // before the answer
    await field('part').locator('.ant-select').getByText('银行', { exact: true }).waitFor()

    await page.evaluate(() => navigator.clipboard.writeText('银 行\t甲\nａ－１\t ＡＢ \n灌注桩\ta\nyinhang\tb\n'))
    await field('items').getByText('复制后粘贴').click()
    await page.keyboard.press('Control+v')
    await cell('0:0').getByText('银行', { exact: true }).waitFor()
    await cell('1:0').getByText('A-1', { exact: true }).waitFor()
    await cell('2:1').getByText('甲').waitFor()
    await cell('3:1').getByText('乙').waitFor()
    // What names nothing stays as it was pasted, is told, and cannot be saved.
    for (const [at, pasted] of [
      ['1:1', 'ＡＢ'],
      ['2:0', '灌注桩'],
      ['3:0', 'yinhang'],
    ])
      await cell(at).getByText(pasted, { exact: true }).waitFor()

    // Where somebody types, a sound counts.
    await cell('3:0').click()
    await page.keyboard.type('yinhang', { delay: 30 })
    await page.keyboard.press('Enter')
    await cell('3:0').getByText('银行', { exact: true }).waitFor()
    await cell('2:0').click()
    await page.keyboard.type('A-1')
    await page.keyboard.press('Enter')
    await cell('2:0').getByText('A-1', { exact: true }).waitFor()
    await cell('1:1').click()
    await page.keyboard.type('bing', { delay: 30 })
    await page.keyboard.press('Enter')
    await cell('1:1').getByText('丙').waitFor()
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/form/save')),
      page.keyboard.press('Control+s'),
    ])
    const { data } = request.postDataJSON()
    assert.equal(new Set([data.part, data.items[0].at, data.items[3].at].map((one) => one.id ?? one)).size, 1)
    assert.deepEqual(
      data.items.map(({ g }) => g),
      ['A', 'C', 'A', 'B'],
    )
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
    await server.stop()
    rmSync(pack, { recursive: true, force: true })
  }
})
