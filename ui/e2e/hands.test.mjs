// Lists at every width and by keyboard: what must stay in reach, what shows the focus, what Escape closes.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, signIn, startBrowser, startServer } from './server.mjs'

const SIZES = [
  [720, 450], // 1440 x 900 at 200 %
  [768, 1024],
  [1024, 768],
  [1366, 768],
  [1440, 900],
  [2560, 1440],
]
const HEADER = 48
const LIST = '/application/shiplock/application-list/inspection'

describe('hands', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('boss', 'administrator', '管理员')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })
  const opened = async (options, run) => {
    const { page, context, problems } = await openPage(browser, server.url, options)
    try {
      await signIn(page, server.url, 'boss')
      await page.goto(server.url + LIST)
      await page
        .locator(options.width < 720 ? 'main li a' : '.ag-row[row-id]')
        .first()
        .waitFor()
      await run(page)
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }

  /** What of the list is where; read when it has settled. */
  const placesOf = (page) =>
    page.evaluate(() => {
      const box = (e) => {
        const { left, right, top, bottom, width } = e.getBoundingClientRect()
        return { left, right, top, bottom, width, cut: e.scrollWidth > e.clientWidth + 1 }
      }
      const title = document.querySelector('main h1 span') ?? document.querySelector('main h1')
      const brush = document.createElement('canvas').getContext('2d')
      brush.font = getComputedStyle(title).font // whichever the machine has
      const grid = document.querySelector('.ag-root')
      const body = grid.querySelector('.ag-body, .ag-body-viewport, .ag-grid-viewport') ?? grid
      const rows = [...grid.querySelectorAll('.ag-row[row-id]:not(.ag-row-pinned)')].map(box)
      const heads = [...grid.querySelectorAll('.ag-header-cell')].map((e) => ({
        code: e.getAttribute('col-id'),
        fixed: e.closest('[class*="pinned-left"], [class*="pinned-right"]') !== null,
        ...box(e),
      }))
      return {
        title: { ...box(title), whole: brush.measureText(title.textContent).width },
        primary: box(document.querySelector('main .ant-btn-primary')),
        grid: box(grid),
        low: box(body).bottom,
        rows,
        heads,
        wide: document.documentElement.scrollWidth,
      }
    })

  // Each size in one language, the longest and the shortest in both; EVERY=1 takes all of them in both.
  for (const [at, locale] of ['zh', 'en'].entries())
    test(`the list is usable at every width, ${locale}`, () =>
      opened({ width: 1440, height: 900, locale }, async (page) => {
        const outermost = (i) => i === 0 || i === SIZES.length - 1
        for (const [width, height] of SIZES.filter((_, i) => process.env.EVERY || outermost(i) || i % 2 === at)) {
          await page.setViewportSize({ width, height })
          await page.goto(server.url + LIST)
          await page.locator('.ag-row[row-id]').first().waitFor()
          await page.locator('.ag-row-pinned').first().waitFor()
          // Parts come one after the other; the toolbar folds until it fits.
          await page.waitForFunction(
            () => document.querySelector('main .ant-btn-primary').getBoundingClientRect().right <= window.innerWidth,
          )
          const at = await placesOf(page)
          const here = `${width} x ${height}: `
          assert.ok(at.wide <= width, `${here}the page is ${at.wide} wide`)
          const { whole, width: wide, cut } = at.title
          assert.ok(whole > 0 && wide >= whole - 1 && !cut, `${here}the title is cut: ${JSON.stringify(at.title)}`)
          assert.ok(at.primary.left > at.title.right, `${here}Add covers the title`)
          const seen = at.rows.filter((row) => row.top >= at.grid.top && row.bottom <= Math.min(at.grid.bottom, height))
          assert.ok(seen.length >= 5, `${here}${seen.length} rows are seen`)
          const fixed = at.heads.filter((head) => head.fixed).reduce((sum, head) => sum + head.width, 0)
          assert.ok(fixed <= at.grid.width / 2, `${here}fixed columns take ${fixed} of ${at.grid.width}`)
          const first = at.heads.toSorted((a, b) => a.left - b.left)[0]
          assert.match(first.code, /selection/i, `${here}${first.code} is before the boxes`)
          if (width < 1024) {
            assert.ok(at.grid.top - HEADER < 60, `${here}${at.grid.top - HEADER} px before the data`)
            assert.equal(await page.locator('main nav').count(), 0)
          }
          // The bar of ticked rows takes room of its own.
          await page.locator('.ag-row[row-id] input[type="checkbox"]').first().check()
          const bar = await page.locator('[role="toolbar"]:has([aria-live])').boundingBox()
          const sums = await page.locator('.ag-row-pinned').first().boundingBox()
          assert.ok(
            sums.y + sums.height <= bar.y + 1 || bar.y + bar.height <= sums.y + 1,
            `${here}the bar of ticked rows covers the figures: ${JSON.stringify({ bar, sums })}`,
          )
          assert.ok(sums.y + sums.height <= height, `${here}the figures are out of sight`)
          await page.locator('.ag-row[row-id] input[type="checkbox"]').first().uncheck()
        }
      }))

  test('menu and filters are drawers where there is no room', () =>
    opened({ width: 720, height: 450 }, async (page) => {
      await page.getByRole('button', { name: '打开菜单' }).click()
      const menu = page.getByRole('dialog')
      await menu.getByRole('link', { name: '合同' }).first().waitFor()
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: '筛选', exact: true }).click()
      const filters = page.getByRole('dialog')
      await filters.locator('input').first().waitFor()
      await filters.locator('#filter-part').fill('闸首')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: '筛选，已设 1 个条件' }).waitFor({ state: 'attached' })
      await page.keyboard.press('Escape')
      await filters.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: '筛选，已设 1 个条件' }).waitFor()
      await page.getByRole('button', { name: '打开菜单' }).click()
      await menu.getByRole('link', { name: '施工计划' }).click()
      await page.waitForURL(/application-list\/(?!inspection)/)
      await menu.waitFor({ state: 'hidden' })
    }))

  test('cards wear what the script of the list says, and Add is in reach', () =>
    opened({ width: 390, height: 844 }, async (page) => {
      const marked = page.locator('main li [data-marked="error"]').first()
      await marked.waitFor()
      const colour = (of) => of.evaluate((e) => getComputedStyle(e).backgroundColor)
      const plain = page.locator('main li > div:not([data-marked]) > a').first()
      assert.notEqual(await colour(marked.locator('a')), await colour(plain))
      const add = await page.getByRole('button', { name: '新增' }).boundingBox()
      assert.ok(add && add.x + add.width <= 390)
    }))

  test('every stop of Tab is seen, and the way back leads into the table', () =>
    opened({ width: 1440, height: 900 }, async (page) => {
      await page.getByText('更多条件').waitFor()
      const look = () =>
        page.evaluate(async () => {
          const of = document.activeElement
          if (!of || of === document.body) return null
          const style = (e) => {
            const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } =
              getComputedStyle(e)
            return [outlineStyle === 'none' ? '' : outlineWidth + outlineColor, boxShadow, borderColor, backgroundColor]
          }
          const around = []
          for (let at = of; at && around.length < 5; at = at.parentElement) around.push(at)
          const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
          await drawn()
          const on = JSON.stringify(around.map(style))
          of.blur()
          await drawn()
          const off = JSON.stringify(around.map(style))
          of.focus({ preventScroll: true })
          const text = of.getAttribute('aria-label') ?? of.textContent?.trim().slice(0, 30)
          return {
            seen: on !== off,
            name: `${of.tagName} ${text} ${of.className}`,
            grid: of.closest('.ag-root') !== null,
          }
        })
      const unseen = []
      let stops = 0
      for (; stops < 70; stops++) {
        await page.keyboard.press('Tab')
        const now = await look()
        if (!now) break
        if (!now.seen && !now.grid) unseen.push(now.name)
        if (now.name.includes('ant-pagination')) break
      }
      assert.ok(stops > 20, `${stops} stops`)
      assert.deepEqual(unseen, [])
      for (let i = 0; i < 6 && !(await look())?.grid; i++) await page.keyboard.press('Shift+Tab')
      assert.equal(
        await page.evaluate(() => document.activeElement?.closest('[role="row"], .ag-root') !== null),
        true,
        'the focus is in the table',
      )
    }))
})
