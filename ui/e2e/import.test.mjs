// Records from a spreadsheet, in a real browser against the real program: a file is checked, its refused rows are corrected in the grid and
// imported again, and the whole import is undone. SHOTS=docs/screenshots keeps pictures.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { axeFaults, faultsOf } from './faults.mjs'
import { call, openList, rowsOf } from './parts.mjs'
import { browserPath, JOB, openPage, root, said, settled, signIn, startBrowser, startServer } from './server.mjs'
import { workbook } from './workbook.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
const csv = (...lines) => ({
  name: '工点.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFF${['编号,名称,类型,负责人,占地', ...lines].join('\r\n')}`),
})

describe('imports', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('lin.one', 'viewer', '林双木')
    server.addUser('lin.two', 'viewer', '林双木')
    server.addUser('tan', 'viewer', '谭言')
    server.addUser('he', 'viewer', '何离')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  async function journey(options, run) {
    const { page, context, problems } = await openPage(browser, server.url, options)
    try {
      await signIn(page, server.url, 'boss')
      await run(page)
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }
  /** Looks at a dialog, and keeps its picture. */
  async function look(page, name) {
    await settled(page)
    assert.deepEqual([...(await faultsOf(page)), ...(await axeFaults(page))], [], name)
    if (shots) await page.screenshot({ path: join(shots, `import-${name}.png`) })
  }
  /** The browser takes so many times as long for everything. */
  const slowly = async (page) => {
    const debug = await page.context().newCDPSession(page)
    return { debug, slow: (rate) => debug.send('Emulation.setCPUThrottlingRate', { rate }) }
  }
  const top = (page) => page.getByRole('dialog').last()
  const press = (page, name) => top(page).getByRole('button', { name, exact: true }).click()

  test('a file is checked, corrected, imported and undone', async () => {
    await journey({}, async (page) => {
      await openList(page, `${server.url}/application/shiplock/application-list/site`)
      const before = Number((await page.getByText(/^共 \d+ 条$/).textContent()).replace(/\D/g, ''))
      await page.getByRole('button', { name: '导入', exact: true }).click()
      const file = top(page).locator('input[type="file"]')
      await file.waitFor({ state: 'attached' })
      await look(page, 'start')
      const template = page.waitForEvent('download')
      await top(page).getByRole('button', { name: '下载导入模板' }).click()
      assert.match((await template).suggestedFilename(), /^工点.*\d{14}\.xlsx$/)
      await file.setInputFiles({ name: '合同.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') })
      await top(page).getByText('只能导入 .xlsx、.xls 或 .csv 文件').waitFor()
      await file.setInputFiles(
        csv(
          'IMP-1,上游围堰,场地,谭言,120.5',
          'IMP-2,下闸首,作业面,林双木,80',
          'IMP-3,,作业面,谭言,一百多',
          'IMP-4,弃土场,场地,谭言言,15',
        ),
      )
      await top(page).getByText('工点.csv').waitFor()
      await press(page, '先检查')
      await top(page).getByText('新增 1 条，更新 0 条，未变 0 条，失败 3 行').waitFor({ timeout: JOB })
      await top(page).getByText('上游围堰').first().waitFor()
      await look(page, 'check')
      await press(page, '导入')

      // What was refused opens by itself.
      await top(page).getByText('还有 2 个人员或部门需要选择').waitFor()
      const confirm = top(page).getByRole('button', { name: '确认导入', exact: true })
      assert.equal(await confirm.isDisabled(), true)
      const row = (id) => top(page).locator(`.ag-row[row-index="${id}"]`)
      const cell = (id, code) => row(id).locator(`[col-id="${code}"]`)
      await cell(0, 'keeper').getByText('多个匹配').waitFor()
      await look(page, 'correct')
      // One of several of the same name, by one press.
      await cell(0, 'keeper').click()
      await page.locator('.ant-popover').getByRole('button', { name: '林双木' }).nth(1).click()
      await top(page).getByText('还有 1 个人员或部门需要选择').waitFor()
      // Typed over. A slow browser loses nothing of what is typed as soon as a cell was pressed, also by an input method.
      const { debug, slow } = await slowly(page)
      try {
        await slow(6)
        await cell(1, 'name').click()
        await page.keyboard.type('左岸码头')
        await page.keyboard.press('Tab')
        await cell(1, 'area').click()
        await page.keyboard.type('100')
        await page.keyboard.press('Enter')
        await cell(1, 'area').locator('[data-wrong]').waitFor({ state: 'detached' })
        await page.locator('[data-editor]').waitFor({ state: 'detached' })
      } finally {
        await slow(1)
        await debug.detach()
      }
      await cell(1, 'name').getByText('左岸码头', { exact: true }).waitFor()
      await cell(1, 'area').getByText('100', { exact: true }).waitFor()
      // A person, found as one types.
      await cell(2, 'keeper').click()
      await page.keyboard.type('谭言')
      await page.locator('.ant-select-item-option', { hasText: '谭言' }).first().waitFor()
      await page.keyboard.press('Enter')
      await top(page).getByText('需要选择').waitFor({ state: 'detached' })
      await confirm.click()
      await said(page, '导入成功', JOB)
      await look(page, 'done')
      await press(page, '确定')
      await page.getByText(`共 ${before + 4} 条`).waitFor()

      // The history of a record says where it came from.
      await page.locator('.ag-row[row-id]', { hasText: 'IMP-4' }).locator('a').first().click()
      await page.getByRole('button', { name: '变更记录' }).click()
      await page.getByText('工点.csv，第 5 行').waitFor()
      await page.keyboard.press('Escape')
      await page.goBack()

      // The whole import is taken back.
      await page.getByRole('button', { name: '更多', exact: true }).click()
      await page.getByRole('menuitem', { name: '我的导入' }).click()
      await look(page, 'mine')
      await top(page)
        .getByRole('button', { name: /撤销此次导入/ })
        .click()
      await page.getByRole('dialog').last().getByRole('button', { name: '撤销此次导入', exact: true }).click()
      await page.getByText('导入已撤销').first().waitFor({ timeout: JOB })
      await page.keyboard.press('Escape')
      await page.getByText(`共 ${before} 条`).waitFor()
    })
  })

  /** A file of somebody else: a title above the headings, units in them, and a name for the number that nobody here has. */
  const foreign = (...lines) => ({
    name: '外来.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `\uFEFF${['某标段工点一览,,,', '', '工点代号,名称：,占地（公顷）,施工内部备注', ...lines].join('\r\n')}`,
    ),
  })
  const choose = async (page, label, option) => {
    await top(page).getByLabel(label, { exact: true }).click()
    await page.keyboard.type(option)
    await page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option', { hasText: option })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
  }

  for (const [width, locale] of [
    [1440, 'zh'],
    [390, 'en'],
    ...(process.env.EVERY
      ? [
          [768, 'zh'],
          [1440, 'en'],
          [390, 'zh'],
        ]
      : []),
  ])
    test(`columns are assigned and proposed again, ${width} ${locale}`, async () => {
      await journey({ width, height: 900, locale }, async (page) => {
        const t = (zh, en) => (locale === 'en' ? en : zh)
        const phone = width < 720
        const shot = (name) => (width === 1440 && locale === 'zh' ? name : `${name}-${width}-${locale}`)
        await page.goto(`${server.url}/application/shiplock/application-list/site`)
        await page
          .locator(phone ? 'ul li a[href*="/form/detail"]' : '.ag-row[row-id]')
          .first()
          .waitFor()
        const begin = (...lines) => beginWith(foreign(...lines))
        const beginWith = async (chosen) => {
          if (phone)
            await page
              .getByRole('button', { name: t('更多操作', 'More actions') })
              .first()
              .click()
          await page.getByRole('button', { name: t('导入', 'Import'), exact: true }).click()
          const file = top(page).locator('input[type="file"]')
          await file.waitFor({ state: 'attached' })
          await file.setInputFiles(chosen)
        }
        const number = `FGN-${width}-${locale}`
        await begin(`${number}-1,上游码头,3,甲`, `${number}-2,下游码头,4,乙`)
        await top(page)
          .getByText(t(/表头在第 3 行/, /Headings in row 3/))
          .waitFor()
        await look(page, shot('found'))
        await press(page, t('指定列', 'Assign columns'))
        await top(page).getByText('某标段工点一览', { exact: true }).waitFor()
        await look(page, shot('assign'))
        await choose(page, '工点代号', t('编号', 'Number'))
        if (
          await top(page)
            .getByText(t(/需要指定/, /need/))
            .count()
        )
          await choose(page, '占地（公顷）', t('不导入', 'Leave out'))
        await press(page, t('先检查', 'Check first'))
        await top(page).getByText('上游码头').first().waitFor({ timeout: JOB })
        await look(page, shot('assigned'))
        await press(page, t('导入', 'Import'))
        await said(page, t('导入成功', 'Import complete'), JOB)
        await press(page, t('确定', 'Done'))
        await begin(`${number}-3,左岸码头,5,丙`)
        await top(page)
          .getByText(t(/部分列沿用上次的指定/, /as last time/))
          .waitFor()
        await press(page, t('导入', 'Import'))
        await said(page, t('导入成功', 'Import complete'), JOB)
        await press(page, t('确定', 'Done'))

        // Several worksheets of a workbook are one import, and refused rows are found by their worksheet.
        const head = ['编号', '名称', '经度']
        await beginWith(
          workbook('三个月.xlsx', {
            说明: [['每月一张']],
            一月: [head, [`${number}-4`, '一号', 100.5]],
            二月: [
              ['二月份工点'],
              ['经度', '编号', '名称'],
              [101.12345678, `${number}-5`, '二号'],
              ['东经', `${number}-6`, '三号'],
            ],
            三月: [head, [`${number}-7`, '四号', 102], ['', '缺编号', 103]],
            汇总: [
              ['编号', '名称'],
              ['x', 'y'],
            ],
          }),
        )
        const all = top(page).getByRole('checkbox', { name: t('全部（另外 2 个）', 'All (2 more)') })
        await all.check()
        assert.equal(await top(page).getByRole('checkbox', { name: '三月' }).isChecked(), true)
        await top(page).getByText(t('2 个工作表不能一起导入', '2 sheets can’t be imported with it')).click()
        await top(page)
          .getByText(/汇总.*经度/)
          .waitFor()
        await look(page, shot('sheets'))
        await press(page, t('先检查', 'Check first'))
        await top(page).getByRole('row', { name: /二月/ }).first().waitFor({ timeout: JOB })
        await look(page, shot('sheets-check'))
        await press(page, t('导入', 'Import'))
        await top(page).getByText('二月!4').first().waitFor({ timeout: JOB })
        await top(page).getByText('三月!3').first().waitFor()
        await look(page, shot('sheets-correct'))
      })
    })

  /** A person who left. */
  const leaves = async (page, name) => {
    const { id } = (await rowsOf(page, 'user')).content.find(({ data }) => data.username === name)
    const { data } = await call(page, `/api/runtime/form/load?schemaCode=user&objectId=${id}`)
    const saved = await call(page, '/api/runtime/form/save', {
      schemaCode: 'user',
      id,
      version: data.version,
      data: { disabled: true },
    })
    assert.equal(saved.errcode, 0, saved.errmsg)
  }

  for (const [width, locale] of [
    [1440, 'zh'],
    [390, 'en'],
    ...(process.env.EVERY
      ? [
          [1440, 'en'],
          [390, 'zh'],
        ]
      : []),
  ])
    test(`refused cells are rounded, replaced, told apart and left out, ${width} ${locale}`, async () => {
      await journey({ width, height: 900, locale }, async (page) => {
        const t = (zh, en) => (locale === 'en' ? en : zh)
        const phone = width < 720
        const shot = (name) => `mend-${name}-${width}-${locale}`
        await page.goto(`${server.url}/application/shiplock/application-list/site`)
        await page
          .locator(phone ? 'ul li a[href*="/form/detail"]' : '.ag-row[row-id]')
          .first()
          .waitFor()
        await leaves(page, 'he')
        if (phone)
          await page
            .getByRole('button', { name: t('更多操作', 'More actions') })
            .first()
            .click()
        await page.getByRole('button', { name: t('导入', 'Import'), exact: true }).click()
        const file = top(page).locator('input[type="file"]')
        await file.waitFor({ state: 'attached' })
        const number = `MND-${width}-${locale}`
        await file.setInputFiles({
          name: '测量数据.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(
            `\uFEFF${[
              '编号,名称,类型,负责人,占地,经度',
              `${number}-1,上游围堰,场地,林双木,120.5,111.123456789`,
              `${number}-2,下闸首,作业面,谭言,约80,111.5`,
              `${number}-3,弃土场,场地,何离,15,111.7`,
              `${number}-4,,场地,谭言,15,111.7`,
              `${number}-5,左岸码头,场地,谭言,15,-111.2234567`,
              `${number}-6,右岸码头,场地,谭言,约95.5,111`,
            ].join('\r\n')}`,
          ),
        })
        await top(page).getByText('测量数据.csv').waitFor()
        await press(page, t('导入', 'Import'))
        await top(page)
          .getByText(t('还有 2 个人员或部门需要选择', /2 people or departments/))
          .waitFor({ timeout: JOB })
        await look(page, shot('refused'))
        const replace = async (way, column, more) => {
          await press(page, t('批量替换', 'Replace'))
          const form = page.locator('.ant-popover form')
          await form.getByText(way, { exact: true }).click()
          await form.getByLabel(t('替换列', 'Column to replace'), { exact: true }).click()
          await page.keyboard.type(column)
          await page
            .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option', {
              hasText: column,
            })
            .first()
            .waitFor()
          await page.keyboard.press('Enter')
          await more?.(form)
          return form
        }

        // Numbers with more decimals than the property has are rounded, and the dialog says first to what.
        const rounding = await replace(t('调整格式', 'Adjust'), t('经度', 'Longitude'))
        await rounding.getByText('111.123457', { exact: true }).waitFor()
        await rounding.getByText('-111.223457', { exact: true }).waitFor()
        await look(page, shot('round'))
        await rounding.getByRole('button', { name: t('调整', 'Adjust'), exact: true }).click()
        await said(page, t('已替换 2 个单元格', '2 cells replaced'))
        await rounding.waitFor({ state: 'detached' })

        if (phone) await top(page).getByLabel(t('经度', 'Longitude')).first().waitFor({ state: 'detached' }) // nothing is wrong with them any more

        // A part of the texts of a column is replaced.
        const finding = await replace(t('查找替换', 'Find in cells'), t('占地', 'Area'), (form) =>
          form.getByLabel(t('查找', 'Find'), { exact: true }).fill('约'),
        )
        await finding.locator('ins', { hasText: '95.5' }).waitFor()
        await look(page, shot('find'))
        await finding.getByRole('button', { name: t('替换', 'Replace'), exact: true }).click()
        await said(page, t('已替换 2 个单元格', '2 cells replaced'))
        await finding.waitFor({ state: 'detached' })

        // Of two people of one name each is told apart, before one is chosen and afterwards; of a person who left it is said that they did.
        if (phone) {
          await top(page)
            .getByText(
              t('“何离”的账号已停用，请选择其他人员', 'The account of “何离” is disabled. Choose someone else.'),
            )
            .waitFor()
          await look(page, shot('people'))
          await top(page)
            .getByRole('button', { name: /林双木.*lin\.two/ })
            .click()
        } else {
          const cell = (id) => top(page).locator(`.ag-row[row-index="${id}"] [col-id="keeper"]`)
          await cell(2).click()
          await page
            .locator('.ant-popover')
            .getByText(
              t('“何离”的账号已停用，请选择其他人员', 'The account of “何离” is disabled. Choose someone else.'),
            )
            .waitFor()
          await look(page, shot('disabled'))
          await page.keyboard.press('Escape')
          await cell(0).click()
          const one = page.locator('.ant-popover').getByRole('button', { name: /林双木.*lin\.two/ })
          await one.waitFor()
          await look(page, shot('people'))
          await one.click()
          await cell(0).getByText('lin.two').waitFor()
        }
        await top(page)
          .getByText(t('还有 1 个人员或部门需要选择', /1 person or department/))
          .waitFor()

        // Rows that are left out do not come in; the others do.
        if (phone)
          for (const row of [4, 5])
            await top(page)
              .getByRole('checkbox', { name: new RegExp(`\\b${row}\\b`) })
              .first()
              .check()
        else
          for (const row of [2, 3])
            await top(page).locator(`.ag-row[row-index="${row}"] input[type="checkbox"]`).check()
        await look(page, shot('ticked'))
        await press(page, t('跳过所选 2 行', 'Skip 2 rows'))
        await top(page).getByText(t('已跳过 2 条', '2 rows skipped')).waitFor()
        await look(page, shot('left'))
        await press(page, t('确认导入', 'Import'))
        await said(page, t('导入成功', 'Import complete'), JOB)
        await look(page, shot('done'))
        await press(page, t('确定', 'Done'))
        const shown = { queryDisplayType: 1, customDisplayColumns: ['code', 'area', 'longitude'] }
        const held = (await rowsOf(page, 'site', { options: shown })).content
          .filter(({ data }) => data.code.startsWith(number))
          .map(({ data }) => [data.code.slice(number.length + 1), Number(data.area), Number(data.longitude)])
          .sort()
        assert.deepEqual(held, [
          ['1', 120.5, 111.123457],
          ['2', 80, 111.5],
          ['5', 15, -111.223457],
          ['6', 95.5, 111],
        ])
      })
    })
})
