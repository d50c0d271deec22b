// The workbench of the example: drawn for those who may see it, in both languages and on a phone.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, signIn, signInByForm, startBrowser, startServer } from './server.mjs'
import { done } from './tables.mjs'

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
      assert.equal(await page.title(), '船闸工程工作台 - Sluice')
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

  test('who signs in at the door is on the workbench', async () => {
    const { page, context, problems } = await openPage(browser, server.url, { fresh: true })
    try {
      await signInByForm(page, server.url, 'guest')
      await page.locator('[data-widget=rate]').waitFor()
      assert.equal(new URL(page.url()).pathname, '/')
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  })

  test('somebody with fewer rights sees less, on a phone and in English', () =>
    journey({ width: 390, height: 844, locale: 'en' }, 'guest', async (page) => {
      await page.goto(server.url + PAGE)
      await page.getByRole('heading', { name: 'Pass rate' }).waitFor()
      const mine = await widgets(page)
      // The amount that was inspected is money, which they don't see.
      assert.ok(mine.includes('rate') && !mine.includes('inspected') && !mine.includes('sites'), mine.join())
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

  test('a finger reads a chart with its first tap and opens with the second', () =>
    journey({ width: 390, height: 844, locale: 'en', fresh: true }, 'boss', async (page) => {
      const devices = await page.context().newCDPSession(page)
      await devices.send('Emulation.setTouchEmulationEnabled', { enabled: true })
      // Both ends of a tap bear its time, 50 ms apart: a page judges by that how long a finger stayed.
      const tap = (x, y) => {
        const timestamp = Date.now() / 1000
        return Promise.all([
          devices.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }], timestamp }),
          devices.send('Input.dispatchTouchEvent', {
            type: 'touchEnd',
            touchPoints: [],
            timestamp: timestamp + 0.05,
          }),
        ])
      }
      const report = '/application/shiplock/application-report/progress'
      await page.goto(server.url + report)
      const chart = page.locator('[data-chart=months] canvas')
      await chart.waitFor()
      await chart.scrollIntoViewIfNeeded()
      const box = await chart.boundingBox()
      const at = (x) => [box.x + box.width * x, box.y + box.height * 0.5]
      const hint = page.locator('[data-chart=months]').getByText('Tap again to open the list')
      const shown = () => hint.locator('xpath=preceding-sibling::b').textContent()
      await tap(...at(0.35))
      await hint.waitFor()
      const first = await shown()
      await tap(...at(0.6))
      await page.waitForFunction(
        ([was]) => ![...document.querySelectorAll('[data-chart=months] b')].some((one) => one.textContent === was),
        [first],
      )
      assert.equal(new URL(page.url()).pathname, report)
      await tap(...at(0.6))
      await page.waitForURL((address) => address.pathname !== report)
      assert.match(new URL(page.url()).pathname, /\/application-list\/inspection$/)
      await devices.detach() // the next to get this page have a mouse
    }))

  /** A bulletin with a picture and a file. */
  async function bulletin(page, title, shown) {
    const [photo, file] = await page.evaluate(async () => {
      const upload = async (name, content) => {
        const body = new FormData()
        body.append('file', new File([content], name))
        return (await (await fetch('/api/aliyun/upload', { method: 'POST', body })).json()).data.refId
      }
      const canvas = new OffscreenCanvas(320, 240)
      canvas.getContext('2d').fillRect(0, 0, 320, 240)
      return [await upload('现场.png', await canvas.convertToBlob()), await upload('须知.txt', '请佩戴安全帽')]
    })
    const body = '<b>欢迎参观</b>\n\n请从东门进入'
    const data = {
      title,
      kind: 'NEWS',
      publishedOn: '2025-11-20',
      shown,
      body,
      photos: [{ refId: photo }],
      files: [{ refId: file }],
    }
    return (await done(page, '/api/runtime/form/save', { schemaCode: 'bulletin', data })).id
  }

  test('the public page is read without an account: lists, documents, pictures and files', async () => {
    let hidden
    await journey({}, 'boss', async (page) => {
      await bulletin(page, '工程开放日', true)
      hidden = await bulletin(page, '尚未公开', false)
    })
    for (const look of [
      { width: 1440, height: 900 },
      { width: 390, height: 844, locale: 'en' },
    ]) {
      const say = (zh, en) => (look.locale === 'en' ? en : zh)
      const { page, context, problems } = await openPage(browser, server.url, { fresh: true, ...look })
      const drawn = (within) =>
        page.waitForFunction((at) => {
          const pictures = [...document.querySelectorAll(at)]
          return pictures.length > 0 && pictures.every((one) => one.complete && one.naturalWidth > 0)
        }, within)
      try {
        await page.goto(`${server.url}/NewPortal`)
        await page.getByRole('heading', { name: say('示范船闸工程', 'Model ship lock') }).waitFor()
        await page.getByText(say('单线单级船闸', 'single lock')).waitFor()
        await drawn('main [data-widget] .slick-active img, main img')
        await page.getByText('电气设备采购招标公告').waitFor()
        assert.equal(await page.getByText('尚未公开').count(), 0)
        await page.getByRole('tab', { name: say('通航通告', 'Navigation notices') }).click()
        await page.getByText('下游引航道疏浚施工的通告').waitFor()
        await page.getByRole('tab', { name: say('工程动态', 'News') }).click()

        await page.getByRole('link', { name: '工程开放日', exact: true }).click()
        const document = page.getByRole('dialog', { name: '工程开放日' })
        await document.getByText('<b>欢迎参观</b>').waitFor()
        await drawn('[role=dialog] img')
        const download = page.waitForEvent('download')
        await document.getByRole('link', { name: '须知.txt' }).click()
        assert.equal((await download).suggestedFilename(), '须知.txt')
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), look.width)
        const shown = new URL(page.url())
        await page.keyboard.press('Escape')
        await document.waitFor({ state: 'detached' })

        // An address of a document opens it; one of a record that is not public opens nothing.
        await page.goto(shown.href)
        await document.getByText('请从东门进入').waitFor()
        shown.searchParams.set('doc', shown.searchParams.get('doc').replace(/[^/]+$/, hidden))
        await page.goto(shown.href)
        await page.getByRole('dialog').getByRole('alert').waitFor()
        assert.equal(await page.getByText('欢迎参观').count(), 0)

        await page.goto(`${server.url}/NewPortal?code=defaultPortalDashboard`)
        await page.getByRole('heading', { name: say('页面不存在', "This page doesn't exist") }).waitFor()
        await page.getByRole('link', { name: say('到工程首页', 'To the first page') }).click()
        await page.getByText('电气设备采购招标公告').waitFor()
        assert.deepEqual(problems, [])
      } finally {
        await context.close()
      }
    }
  })
})
