// The workbench of the example: drawn for those who may see it, in both languages and on a phone.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, signIn, startBrowser, startServer, tellPage } from './server.mjs'

const skip = browserPath() ? false : 'no browser'
const PAGE = '/portal-page/defaultPortalDashboard'

describe('portal', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')], kept: 'shiplock' })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('guest', 'viewer', '来宾')
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
    } catch (error) {
      await tellPage(page, error)
      throw error
    } finally {
      await context.close()
    }
  }
  const widgets = (page) => page.locator('[data-widget]').evaluateAll((boxes) => boxes.map((box) => box.dataset.widget))

  test('the start page is the workbench; what is on it leads on, and it can be arranged', () =>
    journey({}, 'boss', async (page) => {
      await page.goto(server.url)
      await page.getByRole('region', { name: '累计检验金额' }).getByText('元').waitFor()
      assert.equal(new URL(page.url()).pathname, '/')
      assert.equal(await page.title(), '项目经理工作台 - Sluice')
      await page.locator('[data-widget=curve] canvas, [data-widget=curve] svg').first().waitFor()
      const row = page.locator('[data-widget=lists]').getByRole('link', { name: /^JYP-/ }).first()
      const name = await row.textContent()
      await row.click()
      await page.getByRole('dialog').getByText(name).first().waitFor()
      await page.goBack()

      await page.goto(`${server.url}${PAGE}`)
      await page.getByRole('button', { name: '调整布局' }).click()
      await page.getByRole('button', { name: /^移动“我的待办”/ }).focus()
      await page.keyboard.press('ArrowUp')
      await page.getByRole('button', { name: '隐藏“检验结论”' }).click()
      await page.getByRole('button', { name: '保存布局' }).click()
      await page.getByRole('button', { name: '调整布局' }).waitFor()
      const mine = await widgets(page)
      assert.ok(!mine.includes('results') && mine.indexOf('todo') < mine.indexOf('inspected'), mine.join())
      await page.getByRole('navigation', { name: '菜单' }).getByRole('link', { name: '检验批' }).click()
      await page.waitForURL((at) => at.pathname === '/application/shiplock/application-list/inspection')
      await page.goto(`${server.url}/application/shiplock/app-portal-runtime`)
      await page.locator('[data-widget=inspected]').waitFor()
    }))

  test('somebody with fewer rights sees less, on a phone and in English', () =>
    journey({ width: 390, height: 844, locale: 'en' }, 'guest', async (page) => {
      await page.goto(server.url + PAGE)
      await page.getByRole('heading', { name: 'Pass rate' }).waitFor()
      const mine = await widgets(page)
      assert.ok(mine.includes('inspected') && !mine.includes('sites'), mine.join())
      assert.equal(await page.getByRole('link', { name: 'Payment requests' }).count(), 0)
      const boxes = await page
        .locator('[data-widget]')
        .evaluateAll((all) => all.map((box) => box.getBoundingClientRect().width))
      assert.ok(
        boxes.every((width) => width > 340 && width <= 390),
        boxes.join(),
      )
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    }))

  for (const look of [{}, { width: 390, height: 844 }])
    test(`a figure leads to as many records as it says, wherever its column is pressed, at ${look.width ?? 1440} px`, () =>
      journey(look, 'boss', async (page) => {
        const report = `${server.url}/application/shiplock/application-report/progress`
        const data = page.waitForResponse((answer) => answer.url().endsWith('/api/runtime/report/data'))
        await page.goto(report)
        const { dataSets } = (await (await data).json()).data
        const months = dataSets.find(({ code }) => code === 'byMonth').rows
        for (const height of [0.15, 0.5, 0.75]) {
          const chart = page.locator('[data-chart=months] canvas')
          await chart.waitFor()
          await chart.scrollIntoViewIfNeeded()
          const box = await chart.boundingBox()
          await page.mouse.click(box.x + box.width * 0.35, box.y + box.height * height)
          await page.waitForURL((at) => at.pathname.endsWith('/application-list/inspection'))
          const search = new URL(page.url()).searchParams
          const [first, last] = search.get('f.checkDate').split(';')
          const within = months.filter(({ groups: [month] }) => month.value >= first && month.until <= last)
          // The running total opens everything up to its month.
          if (search.get('behind').endsWith('/total')) assert.equal(first, months[0].groups[0].value)
          else assert.equal(within.length, 1)
          const lots = within.reduce((sum, { values: [count] }) => sum + Number(count), 0)
          await page.getByText(new RegExp(`^共 ${lots} 条`)).waitFor()
          await page.getByText('来自报表“每月检验”的数据').waitFor()
          await page.goBack()
        }
        const cell = page.locator('[data-chart=units]').getByRole('link').first()
        const lots = await cell.textContent()
        await cell.click()
        await page.getByText(new RegExp(`^共 ${lots} 条`)).waitFor()
        await page.getByRole('button', { name: '不再限于该报表的数据' }).click()
        await page.getByText('来自报表“各单位检验情况”的数据').waitFor({ state: 'detached' })
      }))

  test('the public page is read without an account', async () => {
    const { page, context, problems } = await openPage(browser, server.url, {})
    try {
      await page.goto(`${server.url}/NewPortal`)
      await page.getByRole('heading', { name: '示范船闸工程' }).waitFor()
      await page.getByText('单线单级船闸').waitFor()
      await page.waitForFunction(() => {
        const picture = document.querySelector('main img')
        return picture?.complete && picture.naturalWidth > 0
      })
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  })
})
