// The schedule of the example as a Gantt chart, in a real browser against the real program: part of `npm run e2e`.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, settled, signIn, sluice, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const chart = '/application/shiplock/application-list/activity'
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

describe('the schedule', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    sluice('user', 'add', '--data', server.data, '--role', 'administrator', '--full-name', '管理员', 'boss')
    sluice('user', 'add', '--data', server.data, '--role', 'viewer', '--full-name', '查阅员', 'reader')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  async function journey(options, run) {
    const { page, context, problems } = await openPage(browser, server.url, { motion: true, ...options })
    try {
      await signIn(page, server.url, options.user ?? 'boss')
      await run(page)
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }
  const shoot = async (page, name) => {
    if (!shots) return
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(shots, `${name}.png`) })
  }
  const open = async (page, query = '') => {
    await page.goto(server.url + chart + query)
    await page.locator('.gantt_task_line').first().waitFor()
  }
  const rowOf = (page, name) => page.locator('.gantt_row', { has: page.locator(`a[title="${name}"]`) }).first()
  const idOf = (page, name) => rowOf(page, name).getAttribute('data-task-id')
  const barOf = async (page, name) => page.locator(`.gantt_task_line[data-task-id="${await idOf(page, name)}"]`)
  const zoom = (page, name) => page.locator('.ant-segmented-item', { hasText: name }).last().click()
  const names = (page) => page.locator('.gantt_row .gantt-name a').allTextContents()
  const saved = (page) => page.waitForResponse((answer) => answer.url().endsWith('/form/save'))

  /** Drags with the mouse from a place in an element by so many pixels. */
  async function drag(page, target, [dx, dy], at = { x: 0.5, y: 0.5 }) {
    // What still slides to its place is not where it looks.
    await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'))
    const box = await target.boundingBox()
    const [x, y] = [box.x + box.width * at.x, box.y + box.height * at.y]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.waitForTimeout(130) // a shorter press is a click
    await page.mouse.move(x + Math.sign(dx), y + Math.sign(dy)) // where the first move comes to, the drag begins
    for (let step = 1; step <= 8; step++) await page.mouse.move(x + (dx * step) / 8, y + (dy * step) / 8)
    await page.mouse.up()
  }

  /** Moves the time so that the end of a bar is seen, in the middle of the chart. */
  async function scrollToEnd(page, bar) {
    await bar.evaluate((node) => {
      const scroll = [...document.querySelectorAll('.gantt_hor_scroll')].at(-1)
      const wide = document.querySelector('.gantt_task').clientWidth
      scroll.scrollLeft = Number.parseFloat(node.style.left) + node.offsetWidth - wide / 2
    })
    await page.waitForTimeout(150) // so are the bars that come into sight drawn
    await settled(page)
  }

  const record = (page, id) =>
    page.evaluate(async (objectId) => {
      const query = new URLSearchParams({ schemaCode: 'activity', objectId })
      const { data } = await (await fetch(`/api/runtime/form/load?${query}`)).json()
      return { ...data.data, version: data.version }
    }, id)

  test('on a tablet nothing of the bar above the chart is cut or covers another part of it', () =>
    journey({ locale: 'en', width: 768, height: 1024 }, async (page) => {
      await open(page)
      const faults = await page.locator('[class*="_bar_"]:has(.ant-segmented)').evaluate((bar) => {
        const edge = bar.getBoundingClientRect()
        const parts = [...bar.querySelectorAll('li, button, .ant-segmented')].map((e) => [e, e.getBoundingClientRect()])
        const found = parts.filter(([, box]) => box.right > edge.right + 1).map(([e]) => `cut: ${e.textContent}`)
        for (const [i, [e, a]] of parts.entries())
          for (const [other, b] of parts.slice(i + 1))
            if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
              found.push(`${e.textContent} over ${other.textContent || other.ariaLabel}`)
        return found
      })
      assert.deepEqual(faults, [])
    }))

  test('shows levels, states and today, in both languages, light and dark', async () => {
    await journey({}, async (page) => {
      await open(page)
      await rowOf(page, '上闸首').waitFor()
      assert.equal(await page.locator('.gantt-today').getAttribute('data-label'), '今天')
      await rowOf(page, '船闸主体土建').getByText('总进度').waitFor()
      await rowOf(page, '前期与临时工程').locator('.gantt-state').waitFor()
      await shoot(page, 'gantt-zh-light')
      await page.getByRole('button', { name: '展开下一级' }).click()
      await rowOf(page, '施工测量控制网').waitFor()
      await zoom(page, '月')
      await shoot(page, 'gantt-zh-month')
      await rowOf(page, '船闸主体土建').locator('[data-toggle]').click()
      await rowOf(page, '上闸首').waitFor({ state: 'detached' })
      const arranged = await names(page)
      await page.reload()
      // What is open and closed stays so: the rows below what was opened come level by level.
      await page.waitForFunction(
        (want) =>
          JSON.stringify([...document.querySelectorAll('.gantt_row .gantt-name a')].map((at) => at.textContent)) ===
          want,
        JSON.stringify(arranged),
      )
    })
    await journey({ locale: 'en', dark: true }, async (page) => {
      await open(page)
      await page.getByText('Construction schedule').first().waitFor()
      await rowOf(page, '上闸首')
        .getByText('In progress')
        .or(rowOf(page, '上闸首').getByText('Finished'))
        .first()
        .waitFor()
      assert.equal(await page.locator('.gantt-today').getAttribute('data-label'), 'Today')
      await shoot(page, 'gantt-en-dark')
      await zoom(page, 'Day')
      await page.locator('.gantt-weekend').first().waitFor()
      await shoot(page, 'gantt-en-dark-day')
    })
  })

  test('a bar, its end and its progress are dragged and saved', async () => {
    await journey({}, async (page) => {
      const name = '电缆敷设'
      await open(page, `?f.name=${name}`)
      await rowOf(page, name).waitFor()
      const id = await idOf(page, name)
      const before = await record(page, id)
      const bar = await barOf(page, name)
      await zoom(page, '周')
      await scrollToEnd(page, bar)
      const still = await bar.evaluate((node) => {
        const { left, top, width } = node.getBoundingClientRect()
        const event = (type, by, buttons) =>
          new MouseEvent(type, { bubbles: true, clientX: left + width * 0.9 + by, clientY: top + 10, buttons })
        const before = node.style.left
        // An event's time is that of its making: all of them are made before the first one costs any.
        const events = [
          event('mousedown', 0, 1),
          ...[10, 20, 40].map((by) => event('mousemove', by, 1)),
          event('mouseup', 40, 0),
        ]
        for (const one of events) node.querySelector('.gantt_task_content').dispatchEvent(one)
        return node.isConnected && node.style.left === before
      })
      assert.ok(still, 'no drag within 100 ms')
      const day = 64 / 7
      let answer = saved(page)
      await drag(page, bar, [day * 7.4, 0], { x: 0.9, y: 0.5 })
      assert.equal((await (await answer).json()).errcode, 0)
      const moved = await record(page, id)
      const days = (a, b) => Math.round((Date.parse(b) - Date.parse(a)) / 86_400_000)
      assert.equal(days(before.startOn, moved.startOn), 7)
      assert.equal(days(before.endOn, moved.endOn), 7)
      await page.waitForFunction(
        ([task, text]) => document.querySelector(`.gantt_row[data-task-id="${task}"]`)?.textContent?.includes(text),
        [id, moved.startOn],
      )

      await scrollToEnd(page, bar)
      answer = saved(page)
      await drag(page, bar.locator('.task_end_date'), [day * 3.4, 0])
      await answer
      const longer = await record(page, id)
      assert.equal(longer.startOn, moved.startOn)
      assert.equal(days(moved.endOn, longer.endOn), 3)

      await scrollToEnd(page, bar)
      answer = saved(page)
      await drag(page, bar.locator('.gantt_task_progress_drag'), [-30, 0])
      await answer
      const less = await record(page, id)
      assert.ok(Number(less.progress) < Number(longer.progress), `${less.progress} after ${longer.progress}`)
      assert.equal(less.endOn, longer.endOn)
    })
  })

  test('a refused change says why and the bar goes back; so does another version', async () => {
    await journey({}, async (page) => {
      const name = '施工准备'
      await open(page, `?f.name=${name}`)
      await rowOf(page, name).waitFor()
      const bar = await barOf(page, name)
      await zoom(page, '周')
      await scrollToEnd(page, bar)
      const place = await bar.evaluate((node) => node.style.left)
      await page.evaluate(() => {
        const animate = Element.prototype.animate
        window.slid = []
        Element.prototype.animate = function (...args) {
          window.slid.push({ bar: this.classList.contains('gantt_task_line'), ms: args[1].duration })
          return animate.apply(this, args)
        }
      })
      let answer = saved(page)
      await drag(page, bar, [-90, 0], { x: 0.9, y: 0.5 })
      assert.notEqual((await (await answer).json()).errcode, 0)
      await page.getByText('开工令 2024-01-08 生效').first().waitFor()
      assert.equal(await bar.evaluate((node) => node.style.left), place)
      await shoot(page, 'gantt-refused')
      const slid = await page.evaluate(() => window.slid.splice(0))
      assert.deepEqual(slid.at(-1), { bar: true, ms: 150 }, 'the bar slides back')
      await zoom(page, '月')
      assert.ok((await page.evaluate(() => window.slid.splice(0))).some((one) => one.bar))
      try {
        await page.emulateMedia({ reducedMotion: 'reduce' })
        await zoom(page, '周')
        await scrollToEnd(page, bar)
        assert.deepEqual(await page.evaluate(() => window.slid), [], 'no animation with reduced motion')
      } finally {
        await page.emulateMedia({ reducedMotion: 'no-preference' })
      }

      const id = await idOf(page, name)
      const { version } = await record(page, id)
      await page.evaluate(
        async ([objectId, at]) => {
          const body = { schemaCode: 'activity', id: objectId, version: at, data: { remark: 'x' } }
          const token = (
            await (
              await fetch('/api/runtime/form/save', {
                method: 'POST',
                headers: { 'Content-Type': 'application/json' },
                body: JSON.stringify(body),
              })
            ).json()
          ).errcode
          return token
        },
        [id, version],
      )
      answer = saved(page)
      await drag(page, bar, [64, 0], { x: 0.9, y: 0.5 })
      const said = (await (await answer).json()).errcode
      if (said !== 0) await page.getByText('刚被他人修改').first().waitFor()
      assert.equal(said, 302002)
      assert.equal((await record(page, id)).startOn, '2024-01-08')
    })
  })

  test('rows are put in order among their own level only', async () => {
    await journey({}, async (page) => {
      await open(page)
      await rowOf(page, '上闸首').waitFor()
      const order = await names(page)
      assert.deepEqual(order.slice(order.indexOf('上闸首')).slice(0, 3), ['上闸首', '闸室', '下闸首'])
      const cell = (name) => rowOf(page, name).locator('.gantt-name a')
      await drag(page, cell('上闸首'), [0, -80])
      await page.getByText('只允许同级拖拽').first().waitFor()
      await shoot(page, 'gantt-same-level')
      assert.deepEqual(await names(page), order)

      const answer = saved(page)
      await drag(page, cell('下闸首'), [0, -62])
      assert.equal((await (await answer).json()).errcode, 0)
      await page.waitForFunction(() => {
        const shown = [...document.querySelectorAll('.gantt_row .gantt-name a')].map((a) => a.textContent)
        return shown.indexOf('下闸首') < shown.indexOf('闸室')
      })
      await page.reload()
      await rowOf(page, '下闸首').waitFor()
      const again = await names(page)
      assert.deepEqual(again.slice(again.indexOf('上闸首')).slice(0, 3), ['上闸首', '下闸首', '闸室'])
    })
    // So they are in the tree of the same records.
    await journey({}, async (page) => {
      await page.goto(`${server.url}${chart}?queryCode=activity_table`)
      const row = (name) => page.locator('.ag-row', { has: page.locator(`a[title="${name}"]`) }).first()
      await row('船闸主体土建').locator('[aria-expanded="false"]').click()
      await row('下闸首').waitFor()
      const links = () => page.locator('.ag-cell[col-id="name"] a').allTextContents()
      const order = await links()
      await page.locator('[data-order]').waitFor()
      await drag(page, row('上闸首').locator('a'), [0, -64])
      await page.getByText('只允许同级拖拽').first().waitFor()
      await shoot(page, 'tree-same-level')
      assert.deepEqual(await links(), order)
      assert.match(page.url(), /application-list/, 'what is dragged is not opened')
      const answer = saved(page)
      await drag(page, row('下闸首').locator('a'), [0, 50])
      assert.equal((await (await answer).json()).errcode, 0)
      await page.waitForFunction(() => {
        const top = (name) => document.querySelector(`.ag-row a[title="${name}"]`).getBoundingClientRect().top
        return top('闸室') < top('下闸首')
      })
      await row('下闸首').locator('.ag-cell[col-id="code"]').click()
      await page.waitForURL(/form\/detail/)
    })
  })

  test('keys choose, open and move; a click opens the record', async () => {
    await journey({}, async (page) => {
      await open(page)
      const name = '供配电与控制'
      await rowOf(page, name).waitFor()
      const id = await idOf(page, name)
      const before = await record(page, id)
      await rowOf(page, name).click({ position: { x: 290, y: 18 } })
      const answer = saved(page)
      await page.keyboard.press('Alt+ArrowRight')
      await answer
      const moved = await record(page, id)
      assert.equal(Date.parse(moved.startOn) - Date.parse(before.startOn), 86_400_000)
      await page.keyboard.press('ArrowRight')
      await rowOf(page, '电缆敷设').waitFor()
      await rowOf(page, name).locator('a').click()
      await page.locator('.ant-drawer').getByRole('button', { name: '编辑' }).waitFor()
    })
  })

  test('filters apply, the table is one click away, an empty result says so', async () => {
    await journey({}, async (page) => {
      await open(page, '?f.name=灌注桩')
      await rowOf(page, '基础灌注桩').waitFor()
      assert.ok((await names(page)).every((name) => name.includes('灌注桩')))
      await page.locator('.ant-segmented').first().locator('.ant-segmented-item').first().click()
      await page.locator('.ag-row[row-id]').first().waitFor()
      assert.match(page.url(), /queryCode=activity_table/)
      await page.locator('.ag-row', { hasText: '灌注桩' }).first().waitFor()
      await page.goto(`${server.url}${chart}?f.name=没有这样的任务`)
      await page.getByText('未找到符合条件的施工计划').waitFor()
      await shoot(page, 'gantt-no-match')
    })
  })

  test('a mark at the edge leads to a bar that is not in sight', async () => {
    await journey({}, async (page) => {
      await open(page)
      const mark = page.locator('.gantt-edge-before').first()
      assert.equal(await mark.getAttribute('title'), '转到“前期与临时工程”')
      await mark.click()
      const bar = await barOf(page, '前期与临时工程')
      await bar.waitFor()
      const [chart, place] = [await page.locator('.gantt_task').boundingBox(), await bar.boundingBox()]
      assert.ok(place.x >= chart.x && place.x < chart.x + chart.width)
      await page.locator('.gantt-edge-after').first().waitFor()
      await page.getByRole('button', { name: '今天' }).click()
      await page.locator('.gantt-edge-before').first().waitFor()
    })
  })

  test('who may not edit drags nothing', async () => {
    await journey({ user: 'reader' }, async (page) => {
      let saves = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/form/save')) saves++
      })
      await open(page)
      const bar = page.locator('.gantt_task_line').first()
      await bar.evaluate((node) => node.scrollIntoView({ block: 'center', inline: 'center' }))
      const place = await bar.evaluate((node) => node.style.left)
      await drag(page, bar, [60, 0])
      await settled(page)
      assert.equal(
        await page
          .locator('.gantt_task_line')
          .first()
          .evaluate((node) => node.style.left),
        place,
      )
      assert.equal(saves, 0)
      assert.equal(await page.locator('.gantt-grip').count(), 0)
    })
  })

  test('a phone gets cards', async () => {
    await journey({ width: 390, height: 844 }, async (page) => {
      await page.goto(server.url + chart)
      await page.getByText('船闸主体土建').first().waitFor()
      assert.equal(await page.locator('.gantt_container').count(), 0)
      await shoot(page, 'gantt-phone')
    })
  })

  test('five thousand rows stay fluent', { skip: process.env.EVERY ? false : 'with EVERY=1' }, async () => {
    await journey({}, async (page) => {
      await page.route('**/api/runtime/query/list', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        const [row] = body.data.content
        body.data.content = Array.from({ length: 5000 }, (_, i) => ({
          ...row,
          id: `task-${i}`,
          leaf: true,
          data: {
            ...row.data,
            name: `任务 ${i}`,
            startOn: '2026-01-05',
            endOn: `2026-${String((i % 11) + 2).padStart(2, '0')}-20`,
          },
        }))
        body.data.totalElements = 5000
        await route.fulfill({ response: answer, json: body })
      })
      await open(page)
      const drawn = await page.locator('.gantt_row').count()
      assert.ok(drawn < 200, `${drawn} rows are drawn`)
      const slowest = await page.evaluate(async () => {
        const bar = document.querySelector('.gantt_ver_scroll')
        let worst = 0
        let last = performance.now()
        for (let i = 0; i < 60; i++) {
          bar.scrollTop += 900
          await new Promise(requestAnimationFrame)
          const now = performance.now()
          worst = Math.max(worst, now - last)
          last = now
        }
        return worst
      })
      console.log(`5,000 rows: the slowest of 60 frames took ${slowest.toFixed(0)} ms`)
      await page
        .getByText('任务 1500', { exact: true })
        .first()
        .or(page.locator('.gantt_row').first())
        .first()
        .waitFor()
      assert.ok(!(await names(page)).includes('任务 0'))
    })
  })
})
