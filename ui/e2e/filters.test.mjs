// The query panel in a real browser against the real program: every control, operators, remembered and saved filters.
import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, quiet, root, settled, signIn, startBrowser, startServer } from './server.mjs'

const ship = join(root, 'examples/ship-lock')
const lots = '/application/shiplock/application-list/inspection?queryCode=inspection'
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

describe('the query panel', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [ship] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('reader', 'viewer', '查阅员')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  const looks = {
    'zh-light': {},
    'zh-dark': { dark: true },
    'en-light': { locale: 'en' },
    phone: { width: 390, height: 844 },
  }
  const wanted = process.env.SHOTS ? (process.env.LOOKS?.split(',') ?? Object.keys(looks)) : []
  for (const look of wanted) {
    test(`pictures, ${look}`, async () => {
      const en = look.startsWith('en')
      const say = (zh, text) => (en ? text : zh)
      const named = (role, zh, text) => [role, { name: say(zh, text), exact: true }]
      await journey(
        'boss',
        async (page) => {
          const take = async (name) => {
            await quiet(page)
            await page.waitForTimeout(400)
            await page.screenshot({ path: join(resolve(root, process.env.SHOTS), `filters-${name}-${look}.png`) })
          }
          const set = '&f.result=OK&f.checkDate=2025&f.part=&o.part=IsNotNull'
          if (look === 'phone') {
            const cards = page.locator('ul li a[href*="/form/detail"]').first()
            await page.goto(`${server.url}${lots}&f.result=OK&q=JYP`)
            await cards.or(page.getByText('未找到符合条件')).first().waitFor()
            await take('keyword')
            await page.getByRole('button', { name: '筛选', exact: true }).click()
            await page.locator('#filter-photos').waitFor()
            await take('drawer')
            await page.getByRole('button', { name: '筛选方案' }).last().click()
            await take('saved')
            return
          }
          await open(page)
          await page.getByRole(...named('button', '更多条件', 'More filters')).click()
          await page.locator('#filter-quantity').waitFor()
          await take('panel')
          await page.locator('#filter-checkDate').click()
          await take('dates')
          await page.keyboard.press('Escape')
          await page.locator('#filter-inspector').click()
          await page.getByText(say('组织', 'Organization'), { exact: true }).click()
          await page.locator('.ant-tree-switcher_close').first().click()
          await page.locator('.ant-tree-treenode').nth(2).waitFor()
          await take('people')
          await page.keyboard.press('Escape')
          await page
            .getByRole(...named('button', '从列表中选择', 'Choose from list'))
            .nth(1)
            .click()
          await page.getByRole('dialog').locator('.ant-table-row').first().waitFor()
          await take('records')
          await page.keyboard.press('Escape')
          await open(page, set)
          await page.getByRole(...named('button', '筛选方案', 'Saved filters')).click()
          const name = say('2025 年合格', 'Passed in 2025')
          const kept = page.getByRole('button', { name, exact: true })
          await page.getByRole(...named('textbox', '方案名称', 'Name of the filter')).waitFor()
          if ((await page.getByRole('dialog').or(page.getByRole('tooltip')).getByText(name).count()) === 0) {
            await page.getByRole(...named('textbox', '方案名称', 'Name of the filter')).fill(name)
            await page.keyboard.press('Enter')
            await kept.last().waitFor()
            await page.getByRole('button', { name: say(`“${name}”的操作`, `Actions for “${name}”`) }).click()
            await page
              .getByRole('menuitem', {
                name: say('共享给所有可见此列表的人员', 'Share with everyone who can see this list'),
              })
              .click()
          }
          await page.getByText(say('共享', 'Shared'), { exact: true }).first().waitFor()
          await page.getByRole('alert').first().waitFor({ state: 'detached' })
          await page.waitForTimeout(2500)
          await take('saved')
          await page.keyboard.press('Escape')
          await page.goto(`${server.url}${lots}&f.checkDate=soon&f.gone=x&q=JYP`)
          await page.getByRole('alert').nth(1).waitFor()
          await take('lost')
          await page.goto(`${server.url}/application/shiplock/application-list/contract?queryCode=contract_active`)
          await page.locator('.ag-row[row-id]').first().waitFor()
          await page.locator('h1 button').click()
          await page.getByRole('menuitem').nth(1).waitFor()
          await take('views')
          await page.keyboard.press('Escape')
          await page.goto(`${server.url}${lots}&q=nothing-like-this`)
          await page.getByText(say('未找到符合条件', 'No inspection lots found')).first().waitFor()
          await take('nothing')
        },
        /status of 400/,
        looks[look],
      )
    })
  }

  async function journey(user, run, expected = /^$/, look = {}) {
    const { page, context, problems } = await openPage(browser, server.url, look)
    try {
      await signIn(page, server.url, user)
      await run(page)
      const others = problems.filter((problem) => !expected.test(problem))
      assert.deepEqual(others, [])
    } finally {
      await context.close()
    }
  }
  const open = async (page, query = '') => {
    await page.goto(server.url + lots + query)
    await page.locator('.ag-row[row-id]').first().waitFor()
  }
  const chip = (page, text) =>
    page.locator('ul[aria-label="筛选条件"] li span').filter({ hasText: text }).first().waitFor()
  const total = async (page) =>
    Number(
      (
        await page
          .getByText(/^共 [\d,]+ 条$/)
          .first()
          .textContent()
      ).replace(/\D/g, ''),
    )
  /** The old figure stays until the new rows are there. */
  const shows = (page, count) => page.getByText(`共 ${count.toLocaleString('en')} 条`, { exact: true }).waitFor()

  test('More, Collapse, operators, words for days, chips, reset', async () => {
    await journey('boss', async (page) => {
      await open(page)
      const all = await total(page)
      assert.equal(await page.locator('#filter-weather').count(), 0)
      await page.getByRole('button', { name: '更多条件' }).click()
      for (const code of [
        'weather',
        'unit',
        'contract',
        'inspector',
        'place',
        'pouredAt',
        'startTime',
        'photos',
        'quantity',
      ])
        await page.locator(`#filter-${code}`).waitFor()

      await page.locator('#filter-checkDate').click()
      await page.locator('.ant-picker-dropdown:not([class*="ant-slide"])').waitFor() // it has come to rest
      await page.getByRole('button', { name: '本年', exact: true }).click()
      await page.waitForURL(/f\.checkDate=thisYear/)
      await chip(page, '检查日期：本年')

      await page.getByRole('button', { name: '“部位”的比较方式' }).click()
      await page.getByRole('menuitem', { name: '不包含' }).click()
      await page.locator('#filter-part').fill('左侧')
      await page.locator('#filter-part').press('Enter')
      await page.waitForURL(/o\.part=NotContains/)
      await chip(page, '部位 不包含 左侧')
      await page.getByRole('button', { name: '移除条件“部位”' }).click()

      await page.getByRole('button', { name: '重置' }).click()
      await page.waitForURL((url) => !url.search.includes('f.'))
      await shows(page, all)
    })
  })

  test('people along the organisation, records in their list', async () => {
    await journey('boss', async (page) => {
      await open(page)
      await page.getByRole('button', { name: '更多条件' }).click()
      await page.locator('#filter-inspector').click()
      await page.getByText('组织', { exact: true }).click()
      await page.locator('.ant-tree-switcher').first().click()
      await page.locator('.ant-tree-treenode').nth(1).waitFor()
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: '从列表中选择' }).nth(1).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('.ant-table-row').first().waitFor()
      assert.ok(
        await dialog
          .getByRole('columnheader', { name: '未付' })
          .or(dialog.getByRole('columnheader', { name: '完工日期' }))
          .count(),
        'the list that the condition names',
      )
      const found = page.waitForResponse((answer) => answer.url().endsWith('/query/list'))
      await dialog.getByRole('searchbox').or(dialog.getByRole('textbox')).fill('土建')
      await found
      await settled(page) // a row that is replaced between the press and the release of the mouse is not clicked
      await dialog.locator('.ant-table-row', { hasText: '土建' }).first().click()
      await dialog.locator('.ant-table-row-selected').waitFor()
      await dialog.getByRole('button', { name: '确定' }).click()
      await page.waitForURL(/f\.contract=[^&]/)
      await chip(page, /^合同：/)
    })
  })

  test('one box searches names and marked texts: / goes there, Esc empties it', async () => {
    await journey('boss', async (page) => {
      await open(page)
      const all = await total(page)
      await page.keyboard.press('/')
      const box = page.getByRole('searchbox', { name: '搜索检验批' })
      assert.ok(await box.evaluate((input) => input === document.activeElement))
      const lot = await page.locator('.ag-row[row-id] a').first().textContent()
      await box.fill(lot)
      await page.waitForURL(/[?&]q=/)
      await shows(page, 1)
      await box.fill('没有这样的检验批')
      await page.getByText('没有记录符合条件“关键词”').waitFor()
      await page.reload()
      assert.equal(await box.inputValue(), '没有这样的检验批')
      await box.press('Escape')
      await page.waitForURL((url) => !url.searchParams.has('q'))
      await shows(page, all)
      assert.equal(await box.inputValue(), '')
    })
  })

  test('the palette finds records: Enter opens the one that is named, all results lead to the list', async () => {
    await journey('boss', async (page) => {
      await open(page)
      const lot = await page.locator('.ag-row[row-id] a').first().textContent()
      await page.goto(`${server.url}/app-list/applications`)
      await page.getByRole('heading', { name: '首页' }).waitFor({ state: 'attached' })
      await page.keyboard.press('Control+k')
      const box = page.getByRole('combobox', { name: '搜索页面、记录和操作' })
      await box.pressSequentially(lot)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/form\/detail\?schemaCode=inspection&key=/)
      await page.goto(`${server.url}/app-list/applications`)
      await page.getByRole('heading', { name: '首页' }).waitFor({ state: 'attached' })
      await page.keyboard.press('Control+k')
      await box.pressSequentially('JYP')
      await page.getByRole('option', { name: '查看“JYP”的全部结果' }).click()
      await page.waitForURL(/\/search\?q=JYP$/)
      const lots = page.getByRole('region', { name: '检验批' })
      await lots.locator('mark').first().waitFor()
      await lots.getByRole('link', { name: '在列表中查看更多检验批' }).click()
      await page.waitForURL(/application-list\/inspection\?.*q=JYP/)
      assert.equal(await page.getByRole('searchbox', { name: '搜索检验批' }).inputValue(), 'JYP')
      await page.goBack()
      await lots.locator('mark').first().waitFor()
    })
  })

  test('lists of one model: defaults, a hidden condition, both ends, a year', async () => {
    await journey('boss', async (page) => {
      await page.goto(`${server.url}/application/shiplock/application-list/contract?queryCode=contract`)
      await page.locator('.ag-row[row-id]').first().waitFor()
      await page.getByTitle('切换列表').click()
      await page.getByRole('menuitem', { name: '履约中合同' }).click()
      await page.waitForURL(/queryCode=contract_active/)
      await chip(page, /^合同金额：0 元 – 1,000,000,000 元$/)
      await page.locator('.ag-row[row-id]').first().waitFor()
      const open = await total(page)
      await page.locator('#filter-signedOn').click()
      await page.locator('#filter-signedOn').fill('2025')
      await page.locator('#filter-signedOn').press('Enter')
      await page.locator('#filter-signedOn-end').fill('2025')
      await page.locator('#filter-signedOn-end').press('Enter')
      await page.waitForURL(/f\.signedOn=2025/)
      await chip(page, '签订日期：2025')
      assert.ok((await total(page)) <= open)
      await page.goto(`${server.url}/application/shiplock/application-list/inspection?queryCode=inspection_mine`)
      await chip(page, '检查日期：最近 30 天')
    })
  })

  test('a filter whose property is gone, and one that was remembered, say so alone', async () => {
    await journey(
      'boss',
      async (page) => {
        await open(page)
        await page.locator('#filter-part').fill('闸')
        await page.locator('#filter-part').press('Enter')
        await page.waitForURL(/f\.part=/)
        await page.evaluate(() => {
          const memory = JSON.parse(localStorage.getItem('form-temp'))
          const [mine] = Object.values(memory)
          Object.assign(mine.inspection.filters, { gone: { value: 'x' }, result: { value: 'OK', operator: 'Between' } })
          localStorage.setItem('form-temp', JSON.stringify(memory))
        })
        await open(page)
        await page.getByRole('alert').filter({ hasText: '此列表已没有条件“gone”' }).waitFor()
        await page.getByRole('alert').filter({ hasText: '条件“结论”' }).waitFor()
        await chip(page, '部位：闸')
        await page.getByRole('alert').filter({ hasText: 'gone' }).getByRole('button').click()
        await page.waitForURL((url) => !url.searchParams.has('f.gone'))
        await page.goto(`${server.url}${lots.split('?')[0]}?sort=-gone&page=999`)
        await chip(page, '按“gone”排序')
        await page.locator('.ag-row[row-id]').nth(1).waitFor() // the last page there is
        await page.waitForURL((url) => Number(url.searchParams.get('page')) < 100)
      },
      /status of 400/,
    )
  })

  test('on a phone the filters stand in a drawer', async () => {
    await journey(
      'reader',
      async (page) => {
        await page.goto(server.url + lots)
        await page.locator('ul li a[href*="/form/detail"]').first().waitFor()
        await page.getByRole('button', { name: '筛选', exact: true }).click()
        const drawer = page.getByRole('dialog')
        await drawer.locator('#filter-part').fill('左侧')
        await drawer.locator('#filter-part').press('Enter')
        await drawer.getByRole('button', { name: '完成' }).click()
        await chip(page, '部位：左侧')
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
        await page.getByRole('searchbox', { name: '搜索检验批' }).fill('没有这样的')
        await page.getByText('没有记录符合条件“关键词、部位”').waitFor()
      },
      undefined,
      { width: 390, height: 844 },
    )
  })

  test('a wrong value says so, and the list is there', async () => {
    await journey(
      'boss',
      async (page) => {
        await open(page, '&f.checkDate=soon&f.result=OK')
        await page.getByRole('alert').filter({ hasText: '检查日期' }).waitFor()
        await page.getByRole('button', { name: '移除', exact: true }).click()
        await page.waitForURL(/f\.checkDate=(&|$)/)
        await page.getByRole('alert').waitFor({ state: 'detached' })
        await open(page, '&f.quantity=12345678901234567;')
        await page.getByRole('alert').filter({ hasText: '数字最多 16 位整数、8 位小数' }).waitFor()
        await page.goto(`${server.url}${lots}&f.part=nowhere`)
        await page.getByText('没有记录符合条件“部位”').waitFor()
        await page.getByRole('button', { name: '清除条件' }).last().click()
        await page.locator('.ag-row[row-id]').first().waitFor()
      },
      /status of 400/,
    )
  })

  test('the last filter comes back; a saved one is shared without what others may not read', async () => {
    await journey('boss', async (page) => {
      await open(page)
      await page.locator('#filter-part').fill('左侧')
      await page.locator('#filter-part').press('Enter')
      await page.waitForURL(/f\.part=/)
      await open(page)
      assert.match(page.url(), /f\.part=/, 'what was set last')
      await open(page, '&f.result=OK')
      assert.doesNotMatch(page.url(), /f\.part=/, 'the address wins')

      await open(page, '&f.result=OK&f.checkDate=lastDays:3650')
      await page.getByRole('button', { name: '筛选方案' }).click()
      await page.getByRole('textbox', { name: '方案名称' }).fill('十年合格')
      await page.getByRole('button', { name: '存为方案' }).click()
      await page.getByRole('button', { name: '“十年合格”的操作' }).click()
      await page.getByRole('menuitem', { name: '共享给所有可见此列表的人员' }).click()
      await page.getByText('共享', { exact: true }).first().waitFor()
      await page.getByRole('button', { name: '“十年合格”的操作' }).click()
      await page.getByRole('menuitem', { name: '设为默认' }).click()
      await page.getByText('默认', { exact: true }).waitFor()
      await open(page)
      assert.match(page.url(), /saved=/)
    })
    await journey('reader', async (page) => {
      await open(page)
      await page.getByRole('button', { name: '筛选方案' }).click()
      await page.getByRole('button', { name: '十年合格', exact: true }).click()
      await page.waitForURL(/saved=/)
      await chip(page, '检查日期：最近 3650 天')
    })
  })
})
