// Pages of lists as their definitions lay them out, and their states, in a real browser against the real program.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { browserPath, quiet, someOf } from './server.mjs'
import { columnNames, shot, tables } from './tables.mjs'

describe('layouts of lists', { skip: browserPath() ? false : 'no Chromium' }, () => {
  const { own, session, list } = tables()

  test('a page is laid out by its definition: a note, filters beside the table, columns that stay', async () => {
    for (const locale of ['zh', 'en']) {
      const { page, problems } = await session(locale)
      await list(page, 'site', '?queryCode=site_board')
      await page.locator('.ag-row[row-id]').first().waitFor()
      await page.getByText(locale === 'zh' ? '每周一由各工点负责人' : 'Every Monday, the people in charge').waitFor()
      const aside = await page.locator('aside').last().boundingBox()
      const grid = await page.locator('.ag-root-wrapper').boundingBox()
      assert.equal(Math.round(aside.width), 260)
      assert.ok(aside.x + aside.width <= grid.x + 1, 'beside the table')
      const columns = await columnNames(page)
      assert.equal(columns.includes('#'), false, 'rowOrdinal: false')
      assert.equal(await page.locator('.ag-header-cell[col-id="kind"] .ag-header-cell-resize:visible').count(), 0)
      const keeper = await page.locator('.ag-header-cell[col-id="keeper"]').boundingBox()
      assert.ok(Math.abs(keeper.x + keeper.width - grid.x - grid.width) < 20, 'fixed at the right')
      assert.equal(await page.locator('.ag-row input[type="checkbox"]').count(), 0, 'nothing takes ticked rows')
      await shot(page, `layout-${locale}`)
      assert.deepEqual(problems, [])
    }
  })

  test('a list is reloaded with few requests, and asks for nothing twice', async () => {
    const { page, problems } = await session('zh')
    const context = page.context()
    await page.evaluate(() => {
      const now = Date.now() / 1000
      localStorage.setItem('expireTime', JSON.stringify({ exp: now + 7200, refreshAt: now + 3600 }))
    })
    const drawn = () => page.locator('.ag-row[row-id] .ag-cell').first().waitFor()
    await list(page, 'inspection')
    await drawn()
    const asked = []
    context.on('request', (request) => asked.push(new URL(request.url())))
    await page.reload()
    await drawn()
    await quiet(page)
    await page.waitForTimeout(3000) // what the idle page still asks for
    const said = asked.map(({ pathname, search }) => pathname + search)
    assert.ok(said.some((one) => one.startsWith('/api/runtime/query/script?')))
    assert.deepEqual(
      said.filter((one, at) => said.indexOf(one) < at),
      [],
    )
    assert.ok(said.length <= 41, `${said.length} requests:\n${said.join('\n')}`)
    assert.deepEqual(problems, [])
  })

  test('a layout that cannot be used says why, and the usual page is there; a header that is not fixed goes with its rows', async () => {
    for (const locale of someOf(['zh', 'en'])) {
      const { page, problems } = await session(locale)
      await page.route('**/api/runtime/query/list', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        const states = ['DRAFT', 'PROCESSING', 'COMPLETED', 'CANCELED'] // the states come with workflows
        for (const [i, state] of states.entries()) {
          body.data.content[i].sequenceStatus = state
          body.data.content[i].data.sequenceStatus = state
        }
        await route.fulfill({ response: answer, json: body })
      })
      await list(page, 'thing', '?queryCode=thing_plain&size=100', 'hostile')
      await page.locator('.ag-row[row-id]').first().waitFor()
      const fault = page.getByRole('alert').first()
      assert.match(
        await fault.textContent(),
        locale === 'zh' ? /未知的页面部分 "fliter"/ : /unknown page part "fliter"/,
      )
      await page.locator('#filter-name').waitFor()
      assert.equal(await page.locator('.ag-row input[type="checkbox"]').count(), 0, 'rowSelectable: false')
      const grounds = await page.evaluate(() =>
        [0, 1, 2, 3].map((i) => getComputedStyle(document.querySelector(`.ag-row[row-index="${i}"]`)).backgroundColor),
      )
      assert.notEqual(grounds[0], grounds[2], 'a draft is marked')
      assert.equal(grounds[0], grounds[1], 'so is what is in progress')
      assert.equal(grounds[2], grounds[3])
      await shot(page, `layout-fault-${locale}`)

      const header = page.locator('.ag-header').first()
      const before = (await header.boundingBox()).y
      await page.locator('[data-scrolls="all"]').evaluate((box) => box.scrollBy({ top: 200 }))
      await page.waitForFunction(
        (top) => document.querySelector('.ag-header').getBoundingClientRect().top < top - 100,
        before,
      )
      await page.unroute('**/api/runtime/query/list')

      // The labels of states are codes on the wire.
      await page.locator('[data-scrolls="all"]').evaluate((box) => box.scrollTo({ top: 0 }))
      const asked = page.waitForRequest(
        (request) => request.url().endsWith('/query/list') && (request.postData() ?? '').includes('"PROCESSING"'),
      )
      await page.locator('#filter-sequenceStatus').click()
      await page
        .locator('.ant-select-item-option')
        .getByText(locale === 'zh' ? '进行中' : 'In progress')
        .click()
      await page.keyboard.press('Escape')
      await asked
      await page.waitForURL(/f\.sequenceStatus=PROCESSING/)
      assert.deepEqual(problems, [])
    }
  })

  test('scroll bars that hide come when the pointer is over the table; a fixed header stays', async () => {
    const { page, problems } = await session('zh')
    const opacity = () =>
      page
        .locator('.ag-body-horizontal-scroll, .ag-body-vertical-scroll')
        .first()
        .evaluate((bar) => getComputedStyle(bar).opacity)
    await list(page, 'site', '?queryCode=site_board')
    await page.locator('.ag-row[row-id]').first().waitFor()
    await page.mouse.move(5, 5)
    assert.equal(await opacity(), '0')
    await page.locator('.ag-row[row-id]').first().hover()
    assert.equal(await opacity(), '1')
    await list(page, 'thing', '?size=100', 'hostile')
    await page.locator('.ag-row[row-id]').first().waitFor()
    assert.equal(await page.locator('[data-bars], [data-scrolls]').count(), 0)
    const header = page.locator('.ag-header').first()
    const before = (await header.boundingBox()).y
    const row = await page.locator('.ag-row[row-id]').first().getAttribute('row-id')
    await page.locator('.ag-grid-viewport').evaluate((box) => box.scrollBy({ top: 3000 }))
    await page.locator(`.ag-row[row-id="${row}"]`).waitFor({ state: 'detached' })
    assert.equal((await header.boundingBox()).y, before)
    assert.deepEqual(problems, [])
  })

  test('300 tags and 10,000 characters stay small; markup says that it is not shown', async () => {
    const { page, problems } = await session('zh')
    await list(page, 'thing', '', 'hostile')
    await page.locator('.ag-row[row-id]').first().waitFor()
    const lengths = await page
      .locator('.ag-cell')
      .evaluateAll((cells) => cells.map((one) => one.textContent?.length ?? 0))
    assert.ok(Math.max(...lengths) < 400, `${Math.max(...lengths)} characters in a cell`)
    const tags = page.locator('.ag-cell[col-id="tags"] [role="note"]').first()
    await tags.scrollIntoViewIfNeeded()
    await tags.hover()
    const popover = page.locator('.ant-popover:visible').last()
    await popover.getByText('…').waitFor()
    await popover.getByRole('button', { name: '查看更多' }).waitFor()
    await shot(page, 'tags')
    await page.mouse.move(5, 5)
    await page.locator('.ag-grid-viewport').evaluate((box) => box.scrollBy({ left: 2000 }))
    await page.locator('.ag-cell[col-id="body"]').getByText('此内容无法显示').waitFor()
    assert.deepEqual(problems, [])
  })

  // list-state.test.tsx sees the same; this takes the pictures.
  const pictures = { skip: process.env.SHOTS || process.env.EVERY ? false : 'with EVERY=1 or SHOTS' }
  test('a list that is coming, that failed, that is empty and that found nothing', pictures, async () => {
    const { page, problems } = await session('zh')
    const LIST = '**/api/runtime/query/list'
    let answer
    await page.route(LIST, async (route) => {
      await answer
      await route.fulfill({ status: 500, json: { errcode: 100001, errmsg: '数据库没有回应', data: null } })
    })
    answer = page.waitForEvent('console', { predicate: (one) => one.text() === 'go on' })
    await list(page, 'site')
    await page.locator('[data-rows-come]').waitFor()
    await shot(page, 'state-loading')
    await page.evaluate(() => console.log('go on'))
    const failed = page.getByRole('alert').filter({ hasText: '工点加载失败' })
    await failed.getByText('数据库没有回应').waitFor()
    assert.equal(await page.locator('.ag-row').count(), 0)
    await shot(page, 'state-failed')
    await page.unroute(LIST)
    await failed.getByRole('button', { name: /重\s*试/ }).click()
    await page.locator('.ag-row[row-id]').first().waitFor()
    assert.equal(await failed.count(), 0)
    await list(page, 'site', '?f.name=%E6%B2%A1%E6%9C%89')
    await page.getByText('未找到符合条件的工点').waitFor()
    await shot(page, 'state-no-match')
    // The row of conditions offers it too.
    await page.getByRole('button', { name: '清除条件' }).last().click()
    await page.locator('.ag-row[row-id]').first().waitFor()
    await list(page, 'nothing', '', 'hostile')
    await page.getByText('暂无空模型').waitFor()
    await page.getByRole('button', { name: '新增' }).nth(1).waitFor()
    await shot(page, 'state-empty')
    assert.deepEqual(
      problems.filter((one) => !/status of 500/.test(one)),
      [],
    )
  })

  test('both test addresses of lists answer', async () => {
    const { page, problems } = await session('zh')
    await page.goto(`${own.server.url}/test-specific-model-list1/site`)
    await page.getByText('占位列表').waitFor()
    await shot(page, 'placeholder')
    await page.goto(`${own.server.url}/test-specific-model-list2/site`)
    await page.locator('.ag-row[row-id]').first().waitFor()
    // Changes are told of where the list has the action only.
    await page.getByRole('button', { name: '列设置' }).waitFor()
    assert.equal(await page.getByRole('button', { name: '变更记录' }).count(), 0)
    // A list that only `code` names.
    await page.goto(`${own.server.url}/application/shiplock/application-list?code=site&f.name=`)
    await page.waitForURL((url) => url.pathname === '/application/shiplock/application-list/site')
    await page.locator('.ag-row[row-id]').first().waitFor()
    assert.deepEqual(problems, [])
  })

  test('for a person who wants no motion nothing moves while a list comes and while its rows come anew', async () => {
    const { page, problems } = await session('zh')
    let answer
    await page.route('**/api/runtime/query/list', async (route) => {
      await answer
      await route.continue()
    })
    const moving = () =>
      page.evaluate(() => {
        const endless = ({ playState, effect }) =>
          playState === 'running' && effect.getComputedTiming().endTime === Infinity
        return document.getAnimations().filter(endless).length
      })
    const held = () => {
      answer = page.waitForEvent('console', { predicate: (one) => one.text() === 'go on' })
    }
    held()
    await list(page, 'site')
    await page.locator('[data-rows-come]').waitFor()
    assert.equal(await moving(), 0)
    await page.evaluate(() => console.log('go on'))
    await page.locator('.ag-row[row-id]').first().waitFor()
    held()
    await page.getByRole('button', { name: '刷新' }).click()
    const fetching = page.locator('[data-fetching]')
    await fetching.waitFor()
    assert.equal(await moving(), 0)
    const bar = await fetching.evaluate((table) => [getComputedStyle(table, '::before').width, table.clientWidth])
    assert.equal(Number.parseFloat(bar[0]), bar[1], 'a line that stands says it instead')
    await page.evaluate(() => console.log('go on'))
    await fetching.waitFor({ state: 'detached' })
    await page.unroute('**/api/runtime/query/list')
    assert.deepEqual(problems, [])
  })
})
