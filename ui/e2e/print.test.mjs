// Records on paper in a real browser against the real program: from a list and from a form to the preview, which has the words of the record
// and of the PDF; what the printer gets; who cannot print; a phone. Chinese and English in one run. A template is made from nothing, and printed with.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { axeFaults, faultsOf } from './faults.mjs'
import { bar, call, openList, rowsOf, tick } from './parts.mjs'
import { browserPath, JOB, openPage, root, said, signIn, someOf, startBrowser, startServer } from './server.mjs'

const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
const shots = process.env.SHOTS
if (shots) mkdirSync(shots, { recursive: true })
const take = (page, name) => (shots ? page.screenshot({ path: join(shots, `${name}.png`) }) : null)
const LIST = '/application/shiplock/application-list/inspection'

/** Words without white space, in which painters differ. */
const bare = (text) => text.replace(/\s+/g, '')

/** What poppler reads in a PDF, or null where it is not installed. */
function textOf(file) {
  if (!existsSync('/usr/bin/pdftotext')) return null
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
}

/** The texts on the sheets that are drawn. */
const texts = (page) => page.locator('section svg text').allTextContents()
const sheets = (page) => page.locator('section[aria-label]')
const ready = (page) => sheets(page).first().waitFor()

/** What the printer would get, in pages of a size. */
async function printed(page, name) {
  const pdf = await page.pdf({ preferCSSPageSize: true })
  if (shots) writeFileSync(join(shots, `${name}.pdf`), pdf)
  return [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, ...size]) =>
    size.map((points) => Math.round((Number(points) * 25.4) / 72)),
  )
}

describe('print', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')], kept: 'shiplock' })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('guest', 'viewer', '来宾')
    server.addUser('second', 'administrator', '王二')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  async function journey(look, who, run) {
    const { page, context, problems } = await openPage(browser, server.url, look)
    try {
      await signIn(page, server.url, who)
      await run(page)
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }

  test('two ticked rows, as a preview that has the words of the PDF', () =>
    journey({}, 'boss', async (page) => {
      await openList(page, server.url + LIST)
      await page.getByRole('button', { name: '打印', exact: true, disabled: true }).waitFor() // nothing is ticked
      await tick(page, 0)
      await tick(page, 1)
      await bar(page).getByRole('button', { name: '打印', exact: true }).click()
      await ready(page)
      const address = new URL(page.url())
      assert.equal(address.pathname, '/print')
      const { content } = await rowsOf(page, 'inspection')
      assert.equal(address.searchParams.get('objectIds'), `${content[0].id},${content[1].id}`)
      assert.equal(await page.title(), '检验批质量检验记录 - Sluice')
      await page.getByText('2 条记录').waitFor()
      const on = bare((await texts(page)).join(''))
      for (const row of content.slice(0, 2))
        for (const value of [row.data.lotNo, row.data.part]) assert.ok(on.includes(bare(value)), value)
      await take(page, 'zh-light-1440')

      // The place follows the keys; zoom keeps the sheet.
      const total = await sheets(page).count()
      await page.getByRole('status', { name: `第 1 页，共 ${total} 页` }).waitFor()
      await page.keyboard.press('PageDown')
      await page.getByRole('status', { name: `第 2 页，共 ${total} 页` }).waitFor()
      await page.getByRole('button', { name: '放大' }).click()
      await page.getByRole('button', { name: '缩放比例 125%' }).waitFor()
      await page.getByRole('status', { name: `第 2 页，共 ${total} 页` }).waitFor()

      // The file has the words of the preview, in their order or another one.
      const saving = page.waitForEvent('download')
      await page.keyboard.press('Control+s')
      const saved = await saving
      assert.match(saved.suggestedFilename(), /^检验批质量检验记录 \d{8}-\d{6}\.pdf$/)
      const file = await saved.path()
      assert.equal(readFileSync(file).subarray(0, 5).toString(), '%PDF-')
      if (shots) await saved.saveAs(join(shots, 'saved.pdf'))
      const read = textOf(file)
      if (read !== null) {
        const inFile = bare(read)
        for (const text of await texts(page)) assert.ok(inFile.includes(bare(text)), `not in the PDF: ${text}`)
      }

      // The same as a spreadsheet.
      const writing = page.waitForEvent('download')
      await page.getByRole('button', { name: '更多操作' }).click()
      await page.getByRole('menuitem', { name: '下载为 Excel' }).click()
      const book = await writing
      assert.match(book.suggestedFilename(), /^检验批质量检验记录 \d{8}-\d{6}\.xlsx$/)
      assert.equal(
        readFileSync(await book.path())
          .subarray(0, 2)
          .toString(),
        'PK',
      )

      // The printer gets the sheets alone, each on a page of its size.
      await page.evaluate(() => {
        window.print = () => {
          window.pressed = document.body.lastElementChild.children.length
        }
      })
      await page.keyboard.press('Control+p')
      await page.waitForFunction(() => window.pressed > 0)
      assert.equal(await page.evaluate(() => window.pressed), total)
      await page.evaluate(() => dispatchEvent(new Event('afterprint')))
      assert.deepEqual(
        await printed(page, 'printed'),
        Array.from({ length: total }, () => [210, 297]),
      )
      await page.keyboard.press('Escape')
      await page.locator('.ag-row[row-id]').first().waitFor()
      assert.equal(new URL(page.url()).pathname, LIST)
      await page.waitForFunction(() => document.querySelectorAll('.ag-row-selected[row-id]').length > 0) // still ticked
      const kept = await page.evaluate(() =>
        [...document.querySelectorAll('.ag-row-selected[row-id]')].map((row) => row.getAttribute('row-id')),
      )
      assert.deepEqual([...new Set(kept)].sort(), [content[0].id, content[1].id].sort())
    }))

  test('the record of a form, in English and dark; addresses that name nothing', () =>
    journey({ locale: 'en', dark: true }, 'boss', async (page) => {
      await openList(page, server.url + LIST)
      const { content } = await rowsOf(page, 'inspection')
      const [row] = content
      await page.goto(`${server.url}/form/detail?schemaCode=inspection&key=${row.id}`)
      await page.getByRole('button', { name: 'Print', exact: true }).click()
      await ready(page)
      await page.getByText('1 record', { exact: true }).waitFor()
      const words = await texts(page)
      assert.ok(words.includes('Inspection lot record'), words.join('|'))
      assert.ok(bare(words.join('')).includes(bare(row.data.lotNo)))
      await take(page, 'en-dark-1440')

      const { searchParams } = new URL(page.url())
      const print = (more) =>
        page.goto(`${server.url}/print?${new URLSearchParams({ ...Object.fromEntries(searchParams), ...more })}`)
      await print({ code: 'nothing' })
      await page.getByText("This print template doesn't exist").waitFor()
      await take(page, 'en-dark-unknown')
      await page.getByRole('button', { name: 'Use the default template' }).click()
      await ready(page)
      await print({ objectIds: `${row.id},00000000-0000-7000-8000-000000000000` })
      await page.getByText(/^1 of 2 records is not printed/).waitFor()
      await print({ objectIds: '' })
      await page.getByText('No records to print').waitFor()
    }))

  test('who has no right has no button and no paper; many records', async () => {
    let ids = []
    await journey({}, 'boss', async (page) => {
      await openList(page, server.url + LIST)
      ids = (await rowsOf(page, 'inspection')).content.map(({ id }) => id)
      await page.goto(`${server.url}/print?schemaCode=inspection&objectIds=${ids.join()}`)
      await ready(page)
      const drawn = await sheets(page).count()
      const last = await page.evaluate(() => document.querySelector('[class*="view"]').scrollHeight / 1123)
      assert.ok(last < 20 || drawn < last / 2, `${drawn} of ${last} sheets are drawn`)
      await page.keyboard.press('End')
      await page.getByRole('status', { name: /^第 (\d+) 页，共 \1 页$/ }).waitFor()
    })
    await journey({}, 'guest', async (page) => {
      await openList(page, server.url + LIST)
      const button = page.getByRole('button', { name: '打印', exact: true })
      assert.equal(await button.count(), 0)
      const [own] = (await rowsOf(page, 'inspection')).content // what this person sees
      await page.goto(`${server.url}/form/detail?schemaCode=inspection&key=${own.id}`)
      await page.locator('[data-field="lotNo"]').waitFor()
      assert.equal(await button.count(), 0)
      const { errcode } = await call(page, '/api/runtime/print/pages', {
        schemaCode: 'inspection',
        objectIds: ids.slice(0, 1),
      })
      assert.ok(errcode > 0)
      await page.goto(`${server.url}/print?schemaCode=inspection&objectIds=${ids[0]}`)
      await page.getByRole('alert').waitFor()
    })
  })

  test('labels with codes, of the size and with the caption that were chosen', () =>
    journey({}, 'boss', async (page) => {
      await openList(page, server.url + LIST)
      await tick(page, 0)
      await tick(page, 2)
      await bar(page).getByRole('button', { name: '打印二维码标签' }).click()
      const dialog = page.getByRole('dialog', { name: '打印二维码标签' })
      await dialog.getByLabel('标签宽度').fill('70')
      await dialog.getByLabel('标签高度').fill('-5')
      await dialog.getByLabel('标签文字').click()
      await page.keyboard.type('检验批编号')
      await page.keyboard.press('Enter')
      await dialog.locator('.ant-modal-title').click() // closes the list
      assert.equal(await dialog.getByLabel('标签高度').inputValue(), '0') // negative sizes become 0
      await dialog.getByRole('button', { name: '预览' }).click()
      await page.getByText('70 × 0 毫米的标签放不下二维码和标签文字').waitFor()
      await page.keyboard.press('Escape')
      await bar(page).getByRole('button', { name: '打印二维码标签' }).click() // both rows are still ticked
      await dialog.getByLabel('标签宽度').fill('70')
      await dialog.getByLabel('标签文字').click()
      await page.keyboard.type('检验批编号')
      await page.keyboard.press('Enter')
      await dialog.locator('.ant-modal-title').click()
      await take(page, 'labels-dialog')
      await dialog.getByRole('button', { name: '预览' }).click()
      await ready(page)
      const { content } = await rowsOf(page, 'inspection')
      assert.deepEqual(await texts(page), [content[0].data.lotNo, content[2].data.lotNo])
      assert.equal(await sheets(page).count(), 2)
      await take(page, 'labels')
      assert.deepEqual(await printed(page, 'labels'), [[70, 60], [70, 60]]) // biome-ignore format: sizes
    }))

  test('all records that a list finds become one file, by a job with its progress', () =>
    journey({}, 'boss', async (page) => {
      await openList(page, server.url + LIST)
      await page.locator('.ag-header .ag-checkbox-input').first().click()
      const all = bar(page).getByRole('button', { name: /^选择全部/ })
      const total = Number((await all.textContent()).replace(/\D/g, ''))
      await all.click()
      await bar(page).getByRole('button', { name: '打印', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: '批量打印' })
      await dialog.getByText('打印符合筛选条件的全部记录').waitFor()
      await take(page, 'batch')
      const saving = page.waitForEvent('download', { timeout: JOB })
      await dialog.getByRole('button', { name: '开始生成' }).click()
      await page.getByRole('dialog', { name: '打印进度' }).getByText('检验批质量检验记录').first().waitFor()
      await take(page, 'batch-progress')
      const saved = await saving
      assert.match(saved.suggestedFilename(), /^检验批质量检验记录 \d{14}\.pdf$/)
      const read = textOf(await saved.path())
      if (read !== null) assert.ok(read.split('\f').length > total, `a page each for ${total}`)
    }))

  const readers = ['/usr/bin/pdftoppm', '/usr/bin/zbarimg'].every((path) => existsSync(path))
  test(
    'the code on a saved payment certificate says that it is genuine, and what has changed since',
    {
      skip: readers ? false : 'needs pdftoppm and zbarimg: apt-get install poppler-utils zbar-tools',
    },
    () =>
      journey({}, 'boss', async (page) => {
        await page.goto(`${server.url}/application/shiplock/application-list/payment`)
        const [row] = (await rowsOf(page, 'payment')).content
        await page.goto(`${server.url}/print?schemaCode=payment&code=payment&objectIds=${row.id}`)
        await ready(page)
        const saving = page.waitForEvent('download')
        await page.keyboard.press('Control+s')
        const file = await (await saving).path()
        execFileSync('pdftoppm', ['-r', '300', '-f', '1', '-l', '1', '-png', '-singlefile', file, `${file}.page`])
        const code = execFileSync('zbarimg', ['--raw', '-q', '-Sdisable', '-Sqrcode.enable', `${file}.page.png`], {
          encoding: 'utf8',
        }).trim()
        assert.ok(code.startsWith(`${server.url}/print/verify?code=`), code)
        await page.goto(code)
        await page.getByRole('heading', { name: '打印件真实' }).waitFor()
        await page.getByText('打印后记录未修改').waitFor()
        await take(page, 'verify-genuine')

        const changed = await call(page, '/api/runtime/form/save', {
          schemaCode: 'payment',
          id: row.id,
          version: row.version,
          data: { reason: '打印后改动' },
        })
        assert.equal(changed.errcode, 0, changed.errmsg)
        await page.goto(code)
        await page.getByText('打印后改动').waitFor()
        await take(page, 'verify-changed')
        assert.deepEqual(await axeFaults(page), [])

        await page.goto(`${code.slice(0, -4)}aaaa`)
        await page.getByRole('heading', { name: '不是本系统的打印件' }).waitFor()
      }),
  )

  test('axe finds nothing on the page, in every look', async () => {
    const looks = [{}, { width: 390, height: 844 }, { width: 768, locale: 'en' }, { locale: 'en', dark: true }]
    let id = ''
    for (const look of looks)
      await journey(look, 'boss', async (page) => {
        if (!id) {
          await openList(page, server.url + LIST)
          id = (await rowsOf(page, 'inspection')).content[0].id
        }
        await page.goto(`${server.url}/print?schemaCode=inspection&objectIds=${id}`)
        await ready(page)
        assert.deepEqual(await axeFaults(page), [])
      })
  })

  test('the dialog of labels and its sheets, in both languages and two widths', async () => {
    for (const look of [{}, { locale: 'en', dark: true }])
      await journey(look, 'boss', async (page) => {
        const say = (zh, en) => (look.locale ? en : zh)
        await openList(page, server.url + LIST)
        await tick(page, 0)
        const button = bar(page).getByRole('button', { name: say('打印二维码标签', 'Print QR code labels') })
        const dialog = page.getByRole('dialog')
        await button.focus()
        await page.keyboard.press('Enter')
        await page.waitForFunction(() => document.activeElement?.id === 'labels-paper') // keys reach the first field
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
        await page.waitForFunction((name) => document.activeElement?.textContent === name, await button.textContent())
        await button.click()
        await dialog.getByLabel(say('纸张', 'Paper')).click()
        await page.locator('.ant-select-item-option', { hasText: say('2 列 × 5 行', '2 × 5 labels') }).click()
        await dialog.getByLabel(say('标签宽度', 'Label width')).waitFor({ state: 'hidden' }) // the sheet says how large they are
        await page.locator('.ant-select-dropdown').first().waitFor({ state: 'hidden' })
        for (const width of [1440, 768]) {
          await page.setViewportSize({ width, height: 844 })
          await take(page, `labels-${look.locale ?? 'zh'}-${width}`)
          assert.deepEqual(await axeFaults(page, '.ant-modal'), [])
        }
        await dialog.getByRole('button', { name: say('预览', 'Preview') }).click()
        await ready(page)
        await page.setViewportSize({ width: 1440, height: 900 })
        await take(page, `labels-${look.locale ?? 'zh'}-sheet`)
        assert.deepEqual(await printed(page, 'sheet'), [[210, 297]])
      })
  })

  test('on a phone the sheet is as wide as the screen', () =>
    journey({ width: 390, height: 844 }, 'boss', async (page) => {
      await page.goto(server.url + LIST)
      const { content } = await rowsOf(page, 'inspection')
      await page.goto(`${server.url}/print?schemaCode=inspection&objectIds=${content[0].id}`)
      await ready(page)
      const { x, width } = await sheets(page).first().boundingBox()
      assert.deepEqual([x, width], [8, 374])
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
      await take(page, 'zh-phone')
      await page.getByRole('button', { name: '更多操作' }).click()
      await page.getByRole('menuitem', { name: '150%' }).waitFor()
      const small = () =>
        [...document.querySelectorAll('header button, [role=menuitem]')].filter((one) => {
          const { width, height } = one.getBoundingClientRect()
          return width > 0 && (width < 44 || height < 44)
        }).length
      assert.equal(await page.evaluate(small), 0, 'thumbs meet every button')
      await page.getByRole('menuitem', { name: '150%' }).click()
      await page.waitForFunction(
        () => document.querySelector('section[aria-label]').getBoundingClientRect().width > 1000,
      )
    }))

  const element = (page, at) => page.locator(`[data-element="0/${at}"]`)
  const button = (of, name) => of.getByRole('button', { name: new RegExp(`^${[...name].join('\\s?')}$`) })
  /** What the element says of its place: left, top, width and height. */
  const placeOf = async (page, at) =>
    [...(await element(page, at).textContent()).matchAll(/(?:左|上|宽|高) ([\d.]+)/g)].map(([, n]) => Number(n))
  const count = (page) => page.locator('[data-element^="0/"]').count()
  const clean = async (page, name) => {
    await take(page, name)
    assert.deepEqual([...(await axeFaults(page)), ...(await faultsOf(page))], [], name)
  }

  test('a template is made from nothing, with mouse and keys, and a record is printed with it', () =>
    journey({}, 'boss', async (own) => {
      await own.goto(`${server.url}/admin/applications/shiplock`)
      const link = own.getByRole('link', { name: '新增打印模板' })
      await link.waitFor()
      await take(own, 'design-application')
      const [page] = await Promise.all([own.context().waitForEvent('page'), link.click()])
      const faults = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('dialog', (dialog) => void dialog.accept())
      try {
        await page.getByLabel('数据模型').click()
        await page.keyboard.type('合同')
        await page.keyboard.press('Enter')
        await page.getByLabel('中文名称').fill('合同登记卡')
        await page.getByLabel('英文名称').fill('Contract card')
        await page.getByLabel('编码').fill('contractCard')
        await clean(page, 'design-new')
        await button(page, '开始设计').click()

        // The fields of the form are there at once, and the newest record with them.
        await element(page, 3).waitFor()
        const begun = await count(page)
        assert.ok(begun > 10, `${begun} elements`)
        const preview = page.getByRole('region', { name: '预览' })
        await preview.locator('svg text').first().waitFor()
        await preview.getByText('预览与打印结果一致').waitFor()
        assert.ok((await preview.locator('svg text').allTextContents()).includes('合同登记卡'))
        await clean(page, 'design-begun')

        // A text is dragged onto the paper, and written.
        const sheet = await page.locator('[data-page="0"]').boundingBox()
        const tool = await page.getByRole('button', { name: '文字', exact: true }).boundingBox()
        await page.mouse.move(tool.x + 20, tool.y + 10)
        await page.mouse.down()
        await page.mouse.move(sheet.x + sheet.width / 2, sheet.y + sheet.height - 130, { steps: 4 })
        await page.mouse.up()
        await element(page, begun).waitFor()
        assert.equal(await element(page, begun).getAttribute('aria-selected'), 'true')
        const panel = page.getByRole('complementary', { name: '属性' })
        await panel.getByLabel('中文文字').fill('')
        await panel.getByLabel('中文文字').pressSequentially('登记编号：{contractNo}')
        await panel.getByLabel('英文文字').fill('Number: {contractNo}')

        // Dragged again, resized by a handle, moved by keys.
        const before = await placeOf(page, begun)
        const text = await element(page, begun).boundingBox()
        await page.mouse.move(text.x + 20, text.y + text.height / 2)
        await page.mouse.down()
        await page.mouse.move(text.x - 20, text.y + text.height / 2 + 15, { steps: 5 })
        await page.mouse.up()
        const dragged = await placeOf(page, begun)
        assert.ok(dragged[0] < before[0] && dragged[1] > before[1], `${before} ${dragged}`)
        const handle = await page.locator('[data-handle="e"]').boundingBox()
        await page.mouse.move(handle.x + 4, handle.y + 4)
        await page.mouse.down()
        await page.mouse.move(handle.x + 64, handle.y + 4, { steps: 5 })
        await page.mouse.up()
        const wide = await placeOf(page, begun)
        assert.ok(wide[2] > dragged[2] + 15, `${dragged} ${wide}`)
        await element(page, begun).focus()
        // Keys within a moment are one step: the clock waits, as a busy machine may let more than that go by.
        await page.evaluate(() => {
          const { now } = Date
          const at = now()
          Date.now = () => at
          window.clockGoesOn = () => Object.assign(Date, { now })
        })
        await page.keyboard.press('Shift+ArrowRight')
        await page.keyboard.press('Alt+ArrowDown')
        assert.deepEqual(await placeOf(page, begun), [
          wide[0] + 5,
          Math.round((wide[1] + 0.1) * 100) / 100,
          wide[2],
          wide[3],
        ])
        await page.evaluate(() => void window.clockGoesOn())
        await page.keyboard.press('Control+z')
        assert.deepEqual(await placeOf(page, begun), wide)
        await page.keyboard.press('Control+y')

        // A field is found by pinyin and put by Enter; both are aligned; the log goes.
        await page.getByLabel('查找元素').pressSequentially('djh')
        const found = page.getByRole('button', { name: '单据号', exact: true })
        await found.focus()
        await page.keyboard.press('Enter')
        await element(page, begun + 1).waitFor()
        await element(page, begun).click({ modifiers: ['Shift'] })
        await button(page, '左对齐').click()
        const [a, b] = [await placeOf(page, begun), await placeOf(page, begun + 1)]
        assert.equal(a[0], b[0])
        await element(page, 0).focus()
        await page.keyboard.press('Tab')
        assert.equal(await page.evaluate(() => document.activeElement.dataset.element), '0/1')
        await page.waitForFunction(() =>
          [...document.querySelectorAll('section[aria-label="预览"] svg text')].some((one) =>
            one.textContent.startsWith('登记编号：'),
          ),
        )

        // It is published, and what is printed is what the preview has.
        await page.getByText('没有问题').waitFor()
        await preview.getByText('预览与打印结果一致').waitFor()
        const shown = await preview.locator('svg text').allTextContents()
        await button(page, '发布').click()
        await clean(page, 'design-publish')
        await page.keyboard.press('Escape')
        await page.waitForFunction(() => document.activeElement?.textContent.replace(/\s/g, '') === '发布')
        await page.keyboard.press('Enter')
        await button(page.getByRole('dialog'), '发布').click()
        await said(page, '已发布')
        assert.deepEqual(faults, [])
        const [row] = (await rowsOf(own, 'contract')).content
        await own.goto(`${server.url}/print?schemaCode=contract&code=contractCard&objectIds=${row.id}`)
        await ready(own)
        assert.equal(await own.title(), '合同登记卡 - Sluice')
        assert.deepEqual(await texts(own), shown)
        const saving = own.waitForEvent('download')
        await own.keyboard.press('Control+s')
        const read = textOf(await (await saving).path())
        if (read !== null) {
          const inFile = bare(read)
          for (const one of shown) assert.ok(inFile.includes(bare(one)), `not in the PDF: ${one}`)
          assert.ok(inFile.includes(bare(`登记编号：${row.data.contractNo}`)))
        }

        // Another tab with the same draft is told, and another person takes it over and publishes.
        const second = await own.context().newPage()
        second.on('dialog', (dialog) => void dialog.accept())
        await second.goto(`${server.url}/print-design/shiplock/contractCard`)
        await element(second, 0).waitFor()
        await element(page, 0).focus()
        await page.keyboard.press('ArrowDown')
        await second.getByText('此草稿刚在另一个标签页中修改过', { exact: false }).waitFor()
        await take(second, 'design-other-tab')
        await second.close({ runBeforeUnload: false })
        await journey({}, 'second', async (other) => {
          const of = { kind: 'print', appCode: 'shiplock', code: 'contractCard' }
          const asked = `/api/design/document?${new URLSearchParams(of)}`
          const { text, seen } = (await call(other, asked)).data
          await call(other, '/api/design/takeover', of)
          const body = { ...of, seen, text: text.replace('合同登记卡', '合同卡') }
          const answer = await call(other, '/api/design/publish', body)
          assert.equal(answer.errcode, 0, answer.errmsg)
        })
      } finally {
        await page.close({ runBeforeUnload: false })
      }
    }))

  test('the designer is clean in every width and look, and for administrators only', async () => {
    const looks = [
      ['zh', {}],
      ['en-dark', { locale: 'en', dark: true }],
      ['tablet', { width: 768, height: 1024 }],
      ['phone', { width: 390, height: 844 }],
    ]
    for (const [name, look] of someOf(looks))
      await journey(look, 'boss', async (page) => {
        await page.goto(`${server.url}/print-design/shiplock/inspection`)
        await element(page, 3).waitFor()
        await page.getByText(look.locale === 'en' ? 'No problems' : '没有问题').waitFor()
        await clean(page, `design-${name}`)
        await element(page, 3).click()
        const panel = page.getByRole('complementary', { name: look.locale === 'en' ? 'Properties' : '属性' })
        if (look.width) await button(page, '属性').click()
        await panel.waitFor()
        await clean(page, `design-element-${name}`)
        if (!look.width) {
          await element(page, 9).click()
          await clean(page, `design-table-${name}`)
        } else {
          const small = () =>
            [...document.querySelectorAll('[class*="_bar_"] button')].filter((one) => one.offsetHeight < 44).length
          if (look.width === 390) assert.equal(await page.evaluate(small), 0, 'thumbs meet every button')
          await panel.getByLabel('宽', { exact: true }).fill('80')
          await page.keyboard.press('Escape')
          await panel.waitFor({ state: 'detached' })
          assert.equal((await placeOf(page, 3))[2], 80)
        }
      })
    await journey({}, 'guest', async (page) => {
      await page.goto(`${server.url}/print-design/shiplock/inspection`)
      await page.getByRole('alert').waitFor()
      assert.equal(await element(page, 0).count(), 0)
    })
  })
})
