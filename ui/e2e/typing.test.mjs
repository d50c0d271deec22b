// What only a browser has, with the real controls: its keys, a composition, a clipboard, the order of the focus, its question for files.
// What texts mean, and what becomes of each of them, component tests show (typed-dates, unread-dates, choice-keys, grid-keys). No
// server: the page is ui/testing/typing.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { controls, copyPicture, names, takeFiles } from './controls.mjs'
import { browserPath } from './server.mjs'

/** While one looks at a part: ONLY=sheet node --test ui/e2e/typing.test.mjs */
const only = (part) => (process.env.ONLY && process.env.ONLY !== part ? 'another part is asked for' : false)

/** The browser's question for files after Enter on a button. It is listened for before the press. */
async function asked(page, button) {
  page.on('filechooser', () => {})
  await page.locator(button).first().focus()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  return chooser
}

describe('typing', { skip: browserPath() ? false : 'no Chromium' }, () => {
  const open = controls()

  test('each kind of box by its keys; overtyped, in part, pasted, composed', { skip: only('boxes') }, () =>
    open('boxes', async ({ page, cdp, keys, value, shown, marked, press }) => {
      const box = page.locator('#date')
      const put = (name, stored) => page.evaluate(([of, next]) => window.set(of, next), [name, stored])
      for (const [name, text, want] of [
        ['date', '1125', '2026-11-25'],
        ['month', '202612', '2026-12-01'],
        ['year', '2027', '2027-01-01'],
        ['monthDay', '11-25', '2000-11-25'],
        ['moment', '1125 915', '2026-11-25T01:15:00.000Z'],
        ['time', '0830', '08:30:00'],
      ]) {
        await page.locator(`#${name}`).focus()
        await keys(text)
        assert.equal(await shown(name), text)
        await press('Tab')
        assert.equal(await value(name), want, text)
        await page.locator(`#${name}`).click() // selects what is there
        await keys('25:99x')
        await press('Tab')
        assert.deepEqual(await value(name), { unread: '25:99x' })
        assert.deepEqual([await shown(name), await marked(name)], ['25:99x', 'true'])
      }
      // A figure is grouped when it is left; Tab selects all of it, and the first key replaces it.
      await page.locator('#number').focus()
      await keys('1234567.89')
      await press('Tab')
      assert.equal(await shown('number'), '1,234,567.89')
      await press('Shift+Tab')
      await page.waitForFunction(() => {
        const { value, selectionStart, selectionEnd } = document.activeElement
        return value === '1234567.89' && selectionStart === 0 && selectionEnd === value.length
      })
      await keys('5')
      assert.equal(await shown('number'), '5')
      await put('date', '2026-01-05')
      await box.click()
      await press('ControlOrMeta+A')
      await page.keyboard.type('2026-11-25', { delay: 40 })
      await press('Tab')
      assert.equal(await value('date'), '2026-11-25', 'as a person types')
      await put('date', '2026-01-05')
      await page.locator('#date').focus()
      await box.evaluate((input) => input.setSelectionRange(5, 7))
      await page.keyboard.type('12')
      assert.equal(await shown('date'), '2026-12-05')
      assert.equal(await value('date'), '2026-01-05', 'nothing is read before the box is left')
      await press('Enter')
      assert.equal(await value('date'), '2026-12-05')

      for (const [name, text, want] of [
        ['date', ' 2026/11/25 ', '2026-11-25'],
        ['moment', '20261125 0915', '2026-11-25T01:15:00.000Z'],
      ]) {
        await put(name, null)
        await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
        await page.locator(`#${name}`).focus()
        await press('ControlOrMeta+V')
        assert.equal(await shown(name), text)
        await press('Tab')
        assert.equal(await value(name), want, text)
      }

      await put('date', null)
      await box.focus()
      await cdp.send('Input.imeSetComposition', { text: '２０２６', selectionStart: 4, selectionEnd: 4 })
      assert.equal(await shown('date'), '２０２６')
      await cdp.send('Input.insertText', { text: '２０２６－１１－２５' })
      await press('Tab')
      assert.equal(await value('date'), '2026-11-25')

      // Emptied; given back; left for another window.
      await box.click()
      await press('ControlOrMeta+A')
      await press('Delete')
      await press('Escape')
      assert.equal(await shown('date'), '2026-11-25')
      await press('ControlOrMeta+A')
      await press('Delete')
      await press('Tab')
      assert.equal(await value('date'), null)

      // The calendar picks, and leaves what is typed alone.
      const popup = page.locator('.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)')
      await page.locator('#date').click()
      await popup.getByTitle('2026-11-05', { exact: true }).click()
      assert.equal(await value('date'), '2026-11-05')
      await popup.waitFor({ state: 'hidden' })
      assert.equal(await page.evaluate(() => document.activeElement.id), 'date')

      await page.locator('#date').click()
      await popup.getByTitle('2026-11-05', { exact: true }).waitFor()
      await press('ControlOrMeta+A')
      await page.keyboard.type('2026-12-15')
      await popup.getByTitle('2026-12-15', { exact: true }).waitFor() // it follows what can be read
      await press('Enter')
      assert.equal(await value('date'), '2026-12-15')
      await popup.waitFor({ state: 'hidden' })

      await page.locator('#moment').click()
      await popup.getByTitle('2026-11-05', { exact: true }).click()
      await popup.locator('.ant-picker-time-panel-column').nth(0).getByText('09', { exact: true }).click()
      await popup.locator('.ant-picker-time-panel-column').nth(1).getByText('15', { exact: true }).click()
      assert.equal(await shown('moment'), '2026-11-05 09:15')
      await popup.getByRole('button', { name: 'OK' }).click()
      assert.equal(await value('moment'), '2026-11-05T01:15:00.000Z')
      await press('Alt+ArrowDown')
      await popup.waitFor()
      await press('Escape')
      await popup.waitFor({ state: 'hidden' })
      assert.equal(await shown('moment'), '2026-11-05 09:15')

      await page.locator('#month').click()
      await popup.getByTitle('2026-03', { exact: true }).click()
      assert.equal(await value('month'), '2026-03-01')
      await page.locator('[data-box="month"]').hover()
      await page.locator('[data-box="month"]').getByRole('button', { name: 'Clear' }).click()
      assert.equal(await value('month'), null)
    }),
  )

  test('cells keep the first key; Enter goes down, Tab right, Esc back', { skip: only('sheet') }, () =>
    open('sheet', async ({ page, keys, press }) => {
      const rows = 3
      await page.evaluate(
        (n) =>
          window.set(
            'items',
            Array.from({ length: n }, (_, i) => ({ id: `r${i}` })),
          ),
        rows,
      )
      const cell = (row, column) => page.locator(`[data-at="${row}:${column}"]`)
      const active = () => page.locator('[role="gridcell"][data-active]').getAttribute('data-at')
      const items = () => page.evaluate(() => window.values.items)
      const columns = [
        ['date', '2026-11-25', '2026-11-25'],
        ['month', '202612', '2026-12-01'],
        ['moment', '2026-11-25 9:15', '2026-11-25T01:15:00.000Z'],
        ['time', '0830', '08:30:00'],
        ['number', '1234.5', '1234.5'],
        ['text', 'abc', 'abc'],
      ]
      for (const [column, [code, text, want]] of columns.entries()) {
        await cell(0, column).click()
        for (let row = 0; row < rows - 1; row++) {
          assert.equal(await active(), `${row}:${column}`)
          await keys(text)
          await press('Enter')
        }
        const got = (await items()).slice(0, rows - 1).map((one) => one[code])
        assert.deepEqual(got, Array(rows - 1).fill(want), code)
      }
      // Across, with Tab.
      await cell(rows - 1, 0).click()
      for (const [, text] of columns.slice(0, 5)) {
        await keys(text)
        await press('Tab')
      }
      assert.equal(await active(), `${rows - 1}:5`)
      const last = (await items())[rows - 1]
      for (const [code, , want] of columns.slice(0, 5)) assert.equal(last[code], want, code)

      // F2 and overtyping; Esc; a click elsewhere; what cannot be read.
      await cell(0, 0).click()
      await press('F2')
      await keys('2026-12-15')
      await press('Enter')
      assert.equal((await items())[0].date, '2026-12-15')
      await cell(0, 0).click()
      await keys('2027-01-01')
      await press('Escape')
      assert.equal((await items())[0].date, '2026-12-15')
      await keys('11-21')
      await cell(1, 3).click()
      assert.equal((await items())[0].date, '2026-11-21')
      await keys('garbage')
      await press('Enter')
      assert.deepEqual((await items())[1].time, { unread: 'garbage' })
      assert.equal(await cell(1, 3).textContent(), 'garbage')
      await page.evaluate(() => navigator.clipboard.writeText('2026/1/2\t2026年3月\t1125 0915\t3pm\t1,234.50\nsoon'))
      await cell(1, 0).click()
      await press('ControlOrMeta+V')
      await page.waitForFunction(() => window.values.items[2].date?.unread === 'soon')
      const { date, month, moment, time, number } = (await items())[1]
      assert.deepEqual(
        [date, month, moment, time, number],
        ['2026-01-02', '2026-03-01', '2026-11-25T01:15:00.000Z', '15:00:00', '1234.5'],
      )
    }),
  )

  const CHOSEN = [
    ['keeper', ['wangfang', 'ln'], '王芳'],
    ['crew', ['wf', 'lina'], ['王芳', '李娜']],
  ]

  test(
    'people and departments in cells, as fast as one types; what finds nothing takes nothing away',
    {
      skip: only('people'),
    },
    () =>
      open('people', async ({ page, press }) => {
        await takeFiles(page)
        const cell = (row, column) => page.locator(`[data-at="${row}:${column}"]`)
        const active = () => page.locator('[role="gridcell"][data-active]').getAttribute('data-at')
        const column = async (code) => (await page.evaluate(() => window.values.people)).map((row) => names(row[code]))
        const becomes = async (code, row, want) => {
          const got = () =>
            page.evaluate(([at, of]) => JSON.stringify(window.values.people[at][of] ?? null), [row, code])
          const end = Date.now() + 10_000
          while (JSON.stringify(names(JSON.parse(await got()))) !== JSON.stringify(want) && Date.now() < end)
            await page.waitForTimeout(20)
          assert.deepEqual(names(JSON.parse(await got())), want, code)
        }
        await page.evaluate(() =>
          window.set(
            'people',
            Array.from({ length: 6 }, (_, i) => ({ id: `r${i}` })),
          ),
        )
        for (const [i, [code, words, want]] of CHOSEN.entries()) {
          await cell(0, i + 1).click()
          for (const word of words) {
            await page.keyboard.type(word)
            await press('Enter')
          }
          await press('Tab')
          await becomes(code, 0, want)
          // Of one, Enter goes on to the next row.
          if (!Array.isArray(want))
            await page.waitForFunction((of) => window.values.people[1][of] != null, code, { timeout: 10_000 })
          assert.equal(await active(), `${Array.isArray(want) ? 0 : 2}:${i + 2}`)
        }

        await cell(0, 2).click()
        await page.keyboard.type('zzz')
        await press('Tab')
        await becomes('crew', 0, { unread: 'zzz', kept: ['王芳', '李娜'] })
        assert.equal(await cell(0, 2).textContent(), '王芳; 李娜; zzz')

        // A picture goes where the selection is, and arrives after people have gone on.
        await copyPicture(page)
        await cell(4, 6).click()
        await press('ControlOrMeta+V')
        await page.locator('[data-editor]').waitFor()
        await press('Tab')
        assert.equal(await active(), '5:0')
        await becomes('files', 4, ['p.png'])
        await cell(4, 6).click()
        await press('F2')
        await page.locator('[data-editor] [data-choose]').waitFor()
        const chooser = await asked(page, '[data-editor] [data-choose]')
        await chooser.setFiles({ name: 'p.png', mimeType: 'image/png', buffer: Buffer.from('p') })
        await becomes('files', 4, ['p.png', 'p.png'])
        await press('Shift+Tab')
        await press('Enter') // takes one off
        await becomes('files', 4, ['p.png'])
        await press('Escape') // and gives all of it up
        await becomes('files', 4, ['p.png'])

        await cell(4, 0).click()
        await page.keyboard.type('one')
        await press('Alt+Enter')
        await page.keyboard.type('two')
        await press('Enter')
        assert.equal((await column('note'))[4], 'one\ntwo')

        const rows = ['第一行', '王芳', '王芳；李娜', '质检部', '质检部;王家渡项目部', '王芳、质检部']
        await page.evaluate(
          (text) => navigator.clipboard.writeText(text),
          `${rows.join('\t')}\n"a\nb"\t无名\t王芳；无名`,
        )
        await cell(3, 0).click()
        await press('ControlOrMeta+V')
        await becomes('mixed', 3, ['王芳', '质检部'])
        await becomes('crew', 3, ['王芳', '李娜'])
        await becomes('unit', 3, '质检部')
        await becomes('units', 3, ['质检部', '王家渡项目部'])
        await becomes('note', 4, 'a\nb')
        await becomes('keeper', 4, { unread: '无名' })
        await becomes('crew', 4, { unread: '王芳；无名' })
      }),
  )

  test('people, departments, long texts and files in fields', { skip: only('chosen') }, () =>
    open('chosen', async ({ page, value, shown, press }) => {
      await takeFiles(page)
      const becomes = async (name, want) => {
        const end = Date.now() + 10_000
        while (JSON.stringify(names(await value(name))) !== JSON.stringify(want) && Date.now() < end)
          await page.waitForTimeout(20)
        assert.deepEqual(names(await value(name)), want, name)
      }
      await page.locator('#note').click()
      await page.keyboard.type('一', { delay: 20 })
      await press('Enter')
      await page.keyboard.type('two')
      await press('Home')
      await page.keyboard.type('and ')
      await press('Tab')
      assert.equal(await value('note'), '一\nand two')
      await page.locator('#note').click()
      await press('ControlOrMeta+A')
      await page.keyboard.type('   ')
      await press('Tab')
      assert.equal(await value('note'), null, 'blanks are nothing')

      for (const [name, words, want] of CHOSEN) {
        await page.locator(`#${name}`).click()
        for (const word of Array.isArray(want) ? words : words.slice(0, 1)) {
          await page.keyboard.type(word)
          await press('Enter')
        }
        await press('Tab')
        await becomes(name, want)
      }
      // Overtyped; taken back by its last; found nothing.
      await page.locator('#keeper').click()
      await page.keyboard.type('ln')
      await press('Tab')
      await becomes('keeper', '李娜')
      // A part of a name takes nobody, though it finds one; the whole name or its sound does.
      const longer = page.getByText('Nothing is called exactly “王”').first().waitFor()
      await page.locator('#keeper').click()
      await page.keyboard.type('王', { delay: 20 })
      await press('Tab')
      await longer
      await becomes('keeper', '李娜')
      await page.locator('#keeper').click()
      await page.keyboard.type('王芳', { delay: 20 })
      await press('Tab')
      await becomes('keeper', '王芳')
      await page.locator('#keeper').click()
      await page.keyboard.type('ln')
      await press('Tab')
      await becomes('keeper', '李娜')
      await page.locator('#crew').click()
      await press('Backspace')
      await becomes('crew', ['王芳'])
      await press('Escape')
      await page.locator('#crew').click()
      const told = page.getByText('Nothing was selected for “nobody”').waitFor() // it is seen for seconds, which a busy machine can miss
      await page.keyboard.type('nobody')
      await press('Enter')
      await press('Tab')
      await told
      await becomes('crew', ['王芳'])
      assert.equal(await shown('crew'), '')

      await copyPicture(page)
      await page.locator('#files').focus()
      await press('ControlOrMeta+V')
      await becomes('files', ['p.png'])
      const chooser = await asked(page, '#files')
      await chooser.setFiles({ name: 'p.png', mimeType: 'image/png', buffer: Buffer.from('p') })
      await becomes('files', ['p.png', 'p.png'])
      await page.getByRole('button', { name: 'Remove p.png' }).first().focus()
      await press('Enter')
      await becomes('files', ['p.png'])
      await page.evaluate(() => navigator.clipboard.writeText('a text'))
      await page.locator('#files').focus()
      await press('ControlOrMeta+V')
      await becomes('files', ['p.png'])
    }),
  )
})
