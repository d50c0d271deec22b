// Pictures of a portal page with a widget of every type, in four looks and on a phone. Only with SHOTS:
//   SHOTS=docs/screenshots node --test ui/e2e/portal-pictures.test.mjs
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { browserPath, openPage, root, signIn, startBrowser, startServer } from './server.mjs'

const folder = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
const skip = !folder ? 'with SHOTS' : browserPath() ? false : 'no Chromium: apt-get install chromium'
const looks = {
  'zh-light': {},
  'zh-dark': { dark: true },
  'en-light': { locale: 'en' },
  'en-dark': { locale: 'en', dark: true },
  'phone-en': { width: 390, height: 844, locale: 'en' },
}

const named = (zh, en) => ({ title: zh, title_i18n: { en } })
const lots = {
  schemaCode: 'inspection',
  displayField: ['lotNo', 'part', 'checkDate'],
  sortField: 'checkDate',
  sortRule: 'descending',
}
const links = [
  { ...named('检验批', 'Inspection lots'), icon: 'check', actionType: 'bizModel', schemaCode: 'inspection' },
  { ...named('合同', 'Contracts'), icon: 'file', actionType: 'bizModel', schemaCode: 'contract' },
  { ...named('图纸', 'Drawings'), icon: 'book', actionType: 'bizModel', schemaCode: 'drawing' },
  {
    ...named('全部应用', 'All applications'),
    icon: 'grid',
    actionType: 'portalPage',
    portalCode: 'defaultApplicationList',
  },
]
const text = (zh, en) => ({ text: zh, text_i18n: { en } })
const photos = [
  { name: '上闸首清晨', name_i18n: { en: 'The upper head' }, picUrl: 'lock-morning.jpg', gotoType: 'none' },
  { name: '闸室施工', name_i18n: { en: 'The chamber' }, picUrl: 'chamber-works.jpg', gotoType: 'none' },
]
const figure = { reportCode: 'progress', dataSet: 'byMonth', measure: 'total' }
const part = (...widgets) => ({ widgets })

/** Widgets of every type, by rows of the grid: the height of a row, and what is in it with its columns. */
const rows = [
  [
    7,
    [
      12,
      {
        type: 'Notice',
        kind: 'info',
        closable: true,
        ...text('上游引航道今日通航。', 'The upper approach is open today.'),
      },
    ],
  ],
  [7, [12, { type: 'RowMenu', navigator: links }]],
  [
    20,
    [3, { type: 'ColMenu', navigator: links }],
    [
      3,
      { type: 'GridNavigation', navigator: links, componentTitle: '导航', componentTitle_i18n: { en: 'Navigation' } },
    ],
    [3, { type: 'ShortcutList', ...named('最近访问', 'Recent') }],
    [3, { type: 'MyApplication', ...named('我的应用', 'My applications') }],
  ],
  [
    12,
    [4, { type: 'KeyFigure', ...figure, ...named('累计检验金额', 'Inspected to date') }],
    [
      4,
      {
        type: 'Progress',
        reportCode: 'progress',
        dataSet: 'schedule',
        measure: 'finished',
        target: 'tasks',
        ...named('工序完成', 'Tasks finished'),
      },
    ],
    [
      4,
      {
        type: 'RichText',
        ...named('说明', 'About'),
        ...text('**单级船闸**\n\n- 闸室 220 m', 'A **single lock**\n\n- Chamber of 220 m'),
      },
    ],
  ],
  [
    26,
    [4, { type: 'MyUnfinished', ...named('我的待办', 'My to-dos') }],
    [4, { type: 'TextList', dataSource: 'bizModel', ...lots, ...named('检验批', 'Inspection lots') }],
    [
      4,
      {
        type: 'TabTextList',
        tabs: [
          { dataSource: 'bizModel', ...lots, ...named('检验批', 'Lots') },
          { ...named('我发起的', 'Started by me'), dataSource: 'myStart' },
        ],
      },
    ],
  ],
  [
    28,
    [6, { type: 'Chart', reportCode: 'progress', chartCode: 'sCurve' }],
    [6, { type: 'RecordList', ...lots, ...named('检验批', 'Inspection lots') }],
  ],
  [
    30,
    [6, { type: 'Calendar', ...lots, startField: 'checkDate', ...named('检验日历', 'Calendar') }],
    [
      6,
      {
        type: 'Map',
        schemaCode: 'site',
        displayField: ['name', 'kind'],
        longitudeField: 'longitude',
        latitudeField: 'latitude',
        colorField: 'kind',
        picUrl: 'site-plan.png',
        bounds: { west: 119.006, east: 119.024, south: 33.019, north: 33.027 },
        ...named('工点分布', 'Sites'),
      },
    ],
  ],
  [
    20,
    [4, { type: 'Carousel', photos, autoplay: false }],
    [4, { type: 'Image', picUrl: 'gate-night.jpg', ...named('人字门', 'Mitre gate') }],
    [4, { type: 'Embed', address: 'https://example.com/', ...named('外部页面', 'Another site') }],
  ],
  [
    26,
    [
      12,
      {
        type: 'Layout',
        ...part(
          { type: 'LayoutSider', collapsible: true, ...part({ type: 'ColMenu', navigator: links.slice(0, 3) }) },
          {
            type: 'LayoutPanel',
            ...part({ type: 'TextList', dataSource: 'bizModel', ...lots, ...named('检验批', 'Inspection lots') }),
          },
        ),
      },
    ],
  ],
  [8, [12, { type: 'Unheard' }]],
]

function widgets() {
  let y = 0
  return rows.flatMap(([height, ...cells]) => {
    let x = 0
    const placed = cells.map(([width, widget]) => {
      const one = { ...widget, code: `w${y}x${x}`, x, y, width, height }
      x += width
      return one
    })
    y += height
    return placed
  })
}

/** The example with the page. */
function pack() {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-portal-'))
  cpSync(join(root, 'examples/ship-lock'), dir, { recursive: true })
  const page = { name: '组件', name_i18n: { en: 'Widgets' }, appCode: 'shiplock', widgets: widgets() }
  writeFileSync(join(dir, 'portals/gallery.json'), JSON.stringify(page))
  const about = JSON.parse(readFileSync(join(dir, 'pack.json'), 'utf8'))
  writeFileSync(
    join(dir, 'pack.json'),
    JSON.stringify({ ...about, links: [...(about.links ?? []), 'https://example.com'] }),
  )
  return dir
}

test('pictures of widgets', { skip }, async (t) => {
  mkdirSync(folder, { recursive: true })
  const types = new Set(
    JSON.stringify(rows)
      .match(/"type":"\w+"/g)
      .map((one) => one.slice(8, -1).toLowerCase()),
  )
  const all = readdirSync(join(root, 'plugins/core/widget')).filter((name) => name !== 'shared')
  assert.deepEqual(
    all.filter((name) => !types.has(name)),
    [],
    'types without a picture',
  )
  const server = await startServer({ packs: [pack()] })
  const browser = await startBrowser()
  try {
    for (const [look, options] of Object.entries(looks)) await t.test(look, () => take(server, browser, look, options))
  } finally {
    await browser.close()
    await server.stop()
  }
})

async function take(server, browser, look, options) {
  const user = `keeper.${look}`
  server.addUser(user, 'administrator', '张主管')
  const { page, context, problems } = await openPage(browser, server.url, { ...options, fresh: true })
  try {
    await signIn(page, server.url, user)
    await page.goto(`${server.url}/portal-page/gallery`)
    await page.locator('main canvas').first().waitFor()
    await page.locator('.ant-skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' })
    await page.mouse.move(0, 0)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${look} scrolls sideways`)
    // The page scrolls inside: a window that is as high as all of it shows all of it.
    const height = await page.evaluate(() =>
      Math.max(...[...document.querySelectorAll('main, main *')].map((one) => one.scrollHeight)),
    )
    await page.setViewportSize({ width: options.width ?? 1440, height: Math.min(height + 200, 12_000) })
    await page.waitForTimeout(2500) // charts and maps are drawn anew
    await page.screenshot({ path: join(folder, `portal-widgets-${look}.png`) })
    assert.deepEqual(
      problems.filter((one) => !/https:\/\/example\.com\/|'localStorage' property/.test(one)),
      [],
    )
  } finally {
    await context.close()
  }
}
