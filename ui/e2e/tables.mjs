// What journeys of tables share: a server with the example and the hostile pack, a signed-in page a language, and how to look at a
// grid. SHOTS=docs/screenshots keeps the pictures.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before } from 'node:test'
import { hostilePack, seedHostile } from './hostile.mjs'
import { call } from './parts.mjs'
import { openPage, root, signIn, startBrowser, startServer } from './server.mjs'

const folder = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (folder) mkdirSync(folder, { recursive: true })

/** A call that succeeds; answers its data. */
export async function done(page, path, body) {
  const answer = await call(page, path, body)
  assert.equal(answer.errcode, 0, JSON.stringify(answer))
  return answer.data
}

/** Within describe(): starts and stops the server, whose records `seed` completes. */
export function tables(seed = async () => {}) {
  const own = {}
  const opened = {}
  before(async () => {
    own.server = await startServer({ packs: [join(root, 'examples/ship-lock'), hostilePack()], kept: 'hostile' })
    own.server.addUser('boss', 'administrator', '管理员')
    own.server.addUser('visitor', 'viewer', '来访者')
    own.browser = await startBrowser()
    const { page } = await session('zh')
    await seedHostile(page)
    await done(page, '/api/runtime/form/save', { schemaCode: 'thing', data: { name: '标记', body: '<p>粗体</p>' } })
    await seed(page)
  })
  after(async () => {
    await own.browser?.close()
    await own.server?.stop()
  })
  /** One signed-in page a language. */
  async function session(locale) {
    if (!opened[locale]) {
      opened[locale] = await openPage(own.browser, own.server.url, { locale })
      await signIn(opened[locale].page, own.server.url, 'boss')
    }
    opened[locale].problems.length = 0
    return opened[locale]
  }
  const list = (page, code, query = '', app = 'shiplock') =>
    page.goto(`${own.server.url}/application/${app}/application-list/${code}${query}`)
  return { own, session, list }
}

export async function shot(page, name) {
  if (!folder) return
  await page.waitForTimeout(350)
  await page.screenshot({ path: join(folder, `table-${name}.png`) })
}

/** Where an element has come to rest: at the same place in two frames after each other. */
export const atRest = (found) =>
  found.evaluate(async (box) => {
    const drawn = () => new Promise((go) => requestAnimationFrame(go))
    const place = () => JSON.stringify(box.getBoundingClientRect())
    for (let last = ''; last !== place(); await drawn()) last = place()
  })

export const columnNames = (page) =>
  page.locator('.ag-header-cell[col-id]').evaluateAll((all) => all.map((one) => one.getAttribute('col-id')))

export const cell = (page, id, code) => page.locator(`.ag-row[row-id="${id}"] .ag-cell[col-id="${code}"]`)

/** Scrolls the grid until a cell is drawn. */
export async function reach(page, id, code) {
  const found = cell(page, id, code)
  for (let i = 0; i < 20 && (await found.count()) === 0; i++) {
    const view = page.locator('.ag-grid-viewport')
    await view.evaluate((box) => box.scrollBy({ left: 300 }))
    await atRest(page.locator('.ag-header-cell[col-id]').last())
  }
  await found.scrollIntoViewIfNeeded()
  await atRest(found) // a grid that scrolls closes what is open over it
  return found
}

/** Without the dialog's coming in. */
export const width = (dialog) => dialog.evaluate((box) => box.closest('.ant-modal')?.offsetWidth ?? box.offsetWidth)
