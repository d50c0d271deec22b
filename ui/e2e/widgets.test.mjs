// Every widget of a form, filled in as people do: by keyboard and mouse, saved, read, edited, and looked at where it is stored.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { faultsOf } from './faults.mjs'
import { call } from './parts.mjs'
import { browserPath, openPage, quiet, root, signIn, sluice, someOf, startBrowser, startServer } from './server.mjs'
import { PARTS, widgetsPack } from './widgets.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })

const words = {
  zh: {
    save: '保存',
    edit: '编辑',
    mark: '记号写作 AB-123',
    recent: '最近选择',
    required: '请填写出厂编号',
    organisation: '组织',
    table: '从列表中选择',
    confirm: '确定',
    create: '新增其他配件',
    part: { second: '第 2 页' },
    south: '南方',
    rivers: ['长江', '珠江'],
    north: '北方',
    first: '一等',
    labels: ['红', '绿'],
    kind: '乙',
    detail: '文三路 1 号',
    division: ['浙江省', '杭州市', '西湖区'],
    noOpinion: '审批意见由流程填写，办理时自动出现在这里',
    read: {
      title: '第一张单子',
      mark: 'AB-123',
      price: '1,013.50 元',
      rate: '13.00%',
      words: '壹仟零贰拾肆元伍角',
      day: '2026-03-05',
      month: '2026-03',
      year: '2026',
      moment: '2026-03-05 14:30',
      half: '2026-03-05 下午 02:30',
      awake: '06:30',
      done: '是',
      level: '一等',
      marks: '红绿',
      area: '南方',
      river: '珠江',
      rivers: '长江珠江',
      place: '浙江省杭州市西湖区文三路 1 号',
    },
    row: '浙江省杭州市西湖区文二路 2 号',
  },
  en: {
    save: 'Save',
    edit: 'Edit',
    mark: 'Write the mark as AB-123',
    recent: 'Chosen recently',
    required: 'Serial number is required',
    organisation: 'Organization',
    table: 'Choose from list',
    confirm: 'Choose',
    create: 'Add other parts',
    south: 'South',
    rivers: ['Yangtze', 'Pearl River'],
    north: 'North',
    first: 'First',
    labels: ['Red', 'Green'],
    kind: 'Two',
    detail: '1 Wensan Road',
    division: ['Zhejiang', 'Hangzhou', 'Xihu District'],
    read: {
      title: 'The first sheet',
      mark: 'AB-123',
      price: '1,013.50 元',
      rate: '13.00%',
      words: '壹仟零贰拾肆元伍角',
      day: '2026-03-05',
      month: '2026-03',
      year: '2026',
      moment: '2026-03-05 14:30',
      half: '2026-03-05 下午 02:30',
      awake: '06:30',
      done: 'Yes',
      level: 'First',
      marks: 'RedGreen',
      area: 'South',
      river: 'Pearl River',
      rivers: 'YangtzePearl River',
      place: '浙江省杭州市西湖区1 Wensan Road',
    },
    row: '浙江省杭州市西湖区文二路 2 号',
  },
}

const looks = { phone: { width: 390, height: 844 }, en: { locale: 'en', dark: true }, zh: {} }

describe('every widget', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  let folder
  before(async () => {
    folder = widgetsPack()
    assert.doesNotMatch(sluice('check', folder), /error/)
    server = await startServer({ packs: [folder] })
    server.addUser('boss', 'administrator', '管理员')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  for (const name of someOf(Object.keys(looks).filter((one) => one !== 'phone')))
    test(`filled in, read, edited (${name})`, async () => {
      const w = words[name]
      const { page, context, problems } = await openPage(browser, server.url, looks[name])
      const take = async (what) => {
        if (!shots) return
        await page.waitForTimeout(300)
        await page.screenshot({ path: join(shots, `widgets-${what}-${name}.png`) })
      }
      const field = (code) => page.locator(`form [data-field="${code}"]`).first()
      const input = (code) => field(code).locator('input, textarea').first()
      const shows = (code, text) =>
        page.waitForFunction(
          ([at, wanted]) => document.querySelector(`[data-field="${at}"] input`)?.value === wanted,
          [code, text],
        )
      const dropdown = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, .ant-slide-up-leave)')
      const options = dropdown.locator('.ant-select-item-option')
      const open = async (code) => {
        await field(code).getByRole('combobox').first().click()
        await dropdown.waitFor()
      }
      const shut = async () => {
        await page.keyboard.press('Escape')
        await dropdown.waitFor({ state: 'hidden' })
      }
      const pick = async (code, ...texts) => {
        await open(code)
        for (const text of texts) await dropdown.locator(`.ant-select-item-option[title="${text}"]`).first().click()
        await shut()
      }
      const typed = async (code, text) => {
        await input(code).click()
        await page.keyboard.type(text)
        await page.keyboard.press('Enter')
      }
      try {
        await signIn(page, server.url, 'boss')
        await page.goto(`${server.url}/form/detail?schemaCode=every&sheetCode=every`)
        await input('title').waitFor()
        await quiet(page)

        // Texts: how much room is left, and a pattern that is said at its field.
        await page.keyboard.type('123456789012345678')
        await field('title').getByText('18 / 20').waitFor()
        await input('title').fill(w.read.title)
        await input('mark').fill('x1')
        await input('story').fill('s'.repeat(40))
        await field('story').getByText('40 / 40').waitFor()
        await page.keyboard.press('Control+s')
        await field('mark').getByText(w.mark).waitFor()
        assert.equal(new URL(page.url()).searchParams.get('key'), null)
        await input('mark').fill('AB-123')

        // Figures are typed plainly and shown with their marks when the field is left; percentages as people say them.
        await input('price').fill('1234567.5')
        await input('rate').fill('13')
        await input('words').fill('1024.5')
        await input('title').focus()
        await shows('price', '1,234,567.50')
        await shows('rate', '13.00')

        // Dates as people type them.
        await typed('day', '2026/3/5')
        await typed('month', '2026-03')
        await typed('year', '2026')
        await typed('moment', '2026-03-05 14:30')
        await typed('half', '2026-03-05 14:30')
        await typed('awake', '06:30')
        await shows('half', w.read.half)
        await field('words').getByText(w.read.words).waitFor()
        await take('texts')

        // Choices; those of the rivers depend on the area.
        await field('done').getByRole('radio').first().focus()
        await page.keyboard.press('Space')
        await field('level').getByText(w.first, { exact: true }).click()
        for (const label of w.labels) await field('marks').getByText(label, { exact: true }).click()
        await pick('area', w.south)
        await open('river')
        assert.deepEqual(await options.allInnerTexts(), w.rivers)
        await take('rivers')
        await options.nth(1).click()
        await pick('rivers', ...w.rivers)

        // People: by initials; those of before first; along the organisation; and with departments.
        await open('keeper')
        await page.keyboard.type('zw')
        await options.filter({ hasText: '张伟' }).first().click()
        await open('guard')
        await dropdown.getByText(w.recent).waitFor()
        assert.equal(await dropdown.getByText(w.organisation, { exact: true }).count(), 0)
        await take('recent')
        await options.filter({ hasText: '张伟' }).first().click()
        const tree = dropdown.locator('.ant-tree-treenode')
        const unfold = (text) => tree.filter({ hasText: text }).locator('.ant-tree-switcher').click()
        await open('team')
        await unfold('总部')
        await unfold('工程部')
        for (const person of ['张伟', '李娜'])
          await tree.filter({ hasText: person }).locator('.ant-tree-checkbox').click()
        await take('tree')
        await shut()
        await open('unit')
        await dropdown.getByText(w.organisation, { exact: true }).click()
        await unfold('总部')
        await tree.filter({ hasText: '质量部' }).locator('.ant-tree-title').click()
        await field('unit').getByTitle('质量部').waitFor() // its text is read out to those who cannot see too
        await pick('parties', '工程部', '质量部')
        await pick('informed', '王芳', '总部')

        // Files.
        const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('ok\n') }
        await field('papers').locator('input[type="file"]').first().setInputFiles(file)
        await field('papers').getByText('note.txt').first().waitFor()

        // An address by typing, and its free line.
        await open('place')
        await page.keyboard.type(w.division.slice(1).join(' '))
        await options.getByText(w.division.join(' / '), { exact: true }).waitFor()
        await take('cascade')
        await page.keyboard.press('Enter')
        await field('place').locator('input').last().fill(w.detail)

        assert.equal(await field('serial').count(), 0)
        // A relation: only what its condition lets, from the drop-down and from the table; choosing fills in the price.
        await open('part')
        await options.filter({ hasText: '配件 02' }).first().waitFor()
        assert.equal(await options.getByText('配件 01', { exact: true }).count(), 0)
        await options.filter({ hasText: '配件 02' }).first().click()
        await shows('price', '1,001.50')
        await field('part').getByRole('button', { name: w.table }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('row', { name: /P-02/ }).waitFor()
        assert.equal(await dialog.getByText('P-01', { exact: true }).count(), 0)
        await take('table')
        await dialog.locator('.ant-pagination-item-2').click()
        await dialog.getByRole('row', { name: new RegExp(`P-${PARTS}`) }).click()
        await dialog.getByRole('button', { name: w.confirm, exact: true }).click()
        await shows('price', `1,0${PARTS - 1}.50`)

        // What this one asks for: rules that read the related record follow the choice.
        await field('serial').waitFor()
        await page.keyboard.press('Control+s')
        await field('serial').getByText(w.required).waitFor()
        await input('serial').fill('S-1')

        // A record that does not exist yet is made over the form, and chosen.
        await pick('others', '配件 03')
        await open('others')
        await dropdown.getByRole('button', { name: w.create }).click()
        const made = page.locator('.ant-drawer form')
        await made.locator('[data-field="name"] input').fill(`新件 ${name}`)
        await made.locator('[data-field="code"] input').fill(`P-${name}`)
        await take('create')
        await page.keyboard.press('Control+s')
        await made.waitFor({ state: 'detached' })
        await field('others').getByTitle(`新件 ${name}`).waitFor()
        assert.equal(await input('title').inputValue(), w.read.title)

        // Rows by keyboard and from a spreadsheet.
        const at = (row, column) => field('items').locator(`[data-at="${row}:${column}"]`)
        await field('items').locator('[data-add]').click()
        await page.keyboard.type('Pump')
        await page.keyboard.press('Tab')
        await page.keyboard.type('3')
        await page.keyboard.press('Tab')
        await page.evaluate(
          ([text]) => {
            const data = new DataTransfer()
            data.setData('text/plain', text)
            const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
            document.activeElement.dispatchEvent(event)
          },
          [`${w.kind}\t浙江省 杭州市 西湖区 文二路 2 号`],
        )
        await at(0, 3).getByText(w.row).waitFor()
        await at(0, 3).dblclick()
        await take('items')
        await page.keyboard.press('Escape')
        await take('filled')
        const head = await page.locator('main h1').boundingBox()
        assert.ok(head.y >= 0, `the page was scrolled away: its head stands at ${head.y}`)
        assert.deepEqual(await faultsOf(page), [])

        await page.keyboard.press('Control+s')
        await page.waitForURL((to) => to.searchParams.has('key'))
        const id = new URL(page.url()).searchParams.get('key')
        await call(page, '/api/runtime/form/save', { schemaCode: 'visit', data: { note: `查过 ${name}`, about: id } })
        await page.reload()
        const shown = (code) => page.locator(`[data-field="${code}"]`)
        await shown('title').getByText(w.read.title).waitFor()
        const read = {}
        for (const [code, text] of Object.entries(w.read)) {
          const said = ((await shown(code).textContent()) ?? '').replaceAll('\n', '')
          read[code] = said.endsWith(text) ? text : said // its name is before it
        }
        assert.deepEqual(read, w.read)
        for (const [code, text] of Object.entries({
          keeper: '张伟',
          guard: '张伟',
          team: '李娜',
          unit: '质量部',
          parties: '工程部',
          informed: '总部',
          part: `配件 ${PARTS}`,
          others: `新件 ${name}`,
          papers: 'note.txt',
          items: w.row,
        }))
          await shown(code).getByText(text).first().waitFor()
        await page.getByText(`查过 ${name}`).waitFor() // the list of those that refer to it
        await take('read')
        assert.deepEqual(await faultsOf(page), [])

        const stored = async () =>
          (await call(page, `/api/runtime/form/load?schemaCode=every&sheetCode=every&objectId=${id}`)).data.data
        const one = await stored()
        const names = (entries) => entries.map((entry) => entry.name)
        assert.deepEqual(
          [one.price, one.rate, one.words, one.day, one.month, one.year, one.moment, one.awake, one.done],
          ['1013.5', '0.13', '1024.5', '2026-03-05', '2026-03-01', '2026-01-01', one.half, '06:30:00', true],
        )
        assert.deepEqual(
          [one.level, one.marks, one.area, one.river, one.rivers],
          ['A', ['x', 'z'], 'S', 'S2', ['S1', 'S2']],
        )
        assert.deepEqual(
          [one.keeper.name, one.guard.name, one.unit.name, one.part.name],
          ['张伟', '张伟', '质量部', `配件 ${PARTS}`],
        )
        assert.deepEqual(names(one.team).sort(), ['张伟', '李娜'].sort())
        assert.deepEqual(names(one.parties), ['工程部', '质量部'])
        assert.deepEqual(
          one.informed.map((entry) => [entry.name, entry.type]),
          [
            ['王芳', 3],
            ['总部', 1],
          ],
        )
        assert.deepEqual(names(one.others), ['配件 03', `新件 ${name}`])
        assert.deepEqual([one.place.code, one.place.detail], ['330106', w.detail])
        assert.deepEqual([one.papers.length, one.papers[0].size, one.opinions], [1, 3, null])
        const [row] = one.items
        assert.deepEqual(
          [row.what, row.count, row.kind, row.where.code, row.where.detail],
          ['Pump', '3', 'K2', '330106', '文二路 2 号'],
        )

        // Edited: emptied, and changed so that a choice above takes those below with it.
        await page.getByRole('button', { name: w.edit, exact: true }).click()
        await input('title').waitFor()
        await input('mark').fill('')
        await field('done').locator('label').last().click()
        await pick('area', w.north)
        await open('river')
        assert.ok(!(await options.allInnerTexts()).includes(w.rivers[0]), 'rivers of the other area are not offered')
        await options.first().click()
        await open('rivers')
        await page.keyboard.press('Backspace')
        await page.keyboard.press('Backspace')
        await shut()
        await page.keyboard.press('Control+s')
        await page.getByRole('button', { name: w.edit, exact: true }).waitFor()
        const two = await stored()
        assert.deepEqual([two.mark, two.done, two.area, two.river, two.rivers], [null, false, 'N', 'N1', null])
        assert.deepEqual(problems, [])
      } finally {
        await context.close()
      }
    })

  if (shots)
    test('on a phone', async () => {
      const { page, context } = await openPage(browser, server.url, looks.phone)
      await signIn(page, server.url, 'boss')
      const { data } = await call(page, '/api/runtime/query/list', { schemaCode: 'every', filters: [] })
      await page.goto(`${server.url}/form/detail?schemaCode=every&sheetCode=every&key=${data.content[0].id}`)
      await page.locator('[data-field="items"]').waitFor()
      await page.waitForTimeout(500)
      await page.screenshot({ path: join(shots, 'widgets-read-phone.png'), fullPage: true })
      await page.goto(`${page.url()}&edit=1`)
      await page.locator('[data-field="items"]').waitFor()
      await page.waitForTimeout(500)
      for (const code of ['title', 'done', 'keeper', 'part', 'papers', 'items']) {
        await page.locator(`[data-field="${code}"]`).scrollIntoViewIfNeeded()
        await page.screenshot({ path: join(shots, `widgets-${code}-phone.png`) })
      }
      assert.deepEqual(await faultsOf(page), [])
      await context.close()
    })
})
