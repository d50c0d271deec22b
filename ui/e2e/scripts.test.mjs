// Author scripts in a real browser against the real program: what they may do shows, and what they may not does no harm.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, said, signIn, startBrowser, startServer, visit } from './server.mjs'

const options = "options: { version: '1.1' }"
const hook = (name, body) => `export default { ${options}, hooks: { async ${name}(event, page) { ${body} } } }`

/** What a script did that it should not do is said in a cell. */
const say = 'return { rows: event.rows.map(({ id }) => ({ id, cells: { code: { text: String(found) } } })) }'

/** Each is a list of sites with a script of its own: code → script. */
const scripts = {
  old: `export default { options: { version: '1.0' }, hooks: { onLoad: ({ rows }) => ({
    rows: rows.map(({ id, data }) => ({ id, tone: 'warning', className: 'late', cells: { code: { text: 'v1 ' + data.code, hint: 'from 1.0' } } })) }) } }`,
  combine: `export default { ${options}, hooks: {}, apis: { getQueryList: async (page, http) => {
    const own = await http.post('/api/runtime/query/list', { schemaCode: 'site', size: 1 })
    return { content: [{ id: own.content[0].id, data: { code: 'known row' } }, { id: 'extra', data: { code: 'added row', name: page.i18n({ zh: '外部', en: 'outside' }) } }] } } } }`,
  replace: `export default { ${options}, hooks: {}, apis: { getQueryList: { mode: 'replace', request: () => ({ content: [{ id: 'x', data: { code: 'only row' } }], totalElements: 1 }) } } }`,
  filter: hook(
    'onPreLoad',
    "return { filters: [{ propertyCode: 'code', propertyValue: 'NOTHING-LIKE-IT', queryFilterType: 'Equal' }] }",
  ),
  block: hook('onPreAction', "await page.message('blocked ' + event.action, 'warning'); return false"),
  life: `const log = []
    export default { ${options}, hooks: { onPreLoad: () => { log.push('onPreLoad') }, onLoad: () => { log.push('onLoad') }, onRendered: () => { log.push('onRendered') },
      onPreAction: ({ action }) => { log.push('onPreAction ' + action) },
      onActionDone: ({ action, result }, page) => page.message(log.join(', ') + ', onActionDone ' + action + ' ' + JSON.stringify(result?.successCount)) } }`,
  columns: hook('onRendered', "await page.setColumnVisible('name', false)"),
  network: hook(
    'onLoad',
    `const found = []
    for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'importScripts', 'indexedDB', 'caches', 'Worker', 'navigator', 'location', 'postMessage', 'self', 'document', 'window', 'eval', 'Function', 'WebAssembly', 'BroadcastChannel', 'addEventListener', 'close', 'Request', 'cookieStore'])
      if (typeof globalThis[name] !== 'undefined') found.push(name)
    for (const maker of [() => {}, async () => {}, function* () {}])
      try { maker.constructor('return 1'); found.push('constructor') } catch {}
    ${say}`,
  ),
  evaluate: hook('onLoad', "const found = eval('1 + 1')"),
  forever: hook('onLoad', 'for (;;);'),
  never: hook('onLoad', 'await new Promise(() => {})'),
  atonce: `for (;;);\n${hook('onLoad', '')}`,
  large: hook('onLoad', "return { rows: [{ id: 'x'.repeat(100_000_000) }] }"),
  shape: hook('onLoad', "return { rows: [{ id: '1', html: '<img src=x>' }] }"),
  cookies: hook('onLoad', 'const found = document.cookie'),
  account: hook('onLoad', "await page.http.get('/api/organization/user/info')"),
  saves: hook('onLoad', "await page.http.post('/api/runtime/form/save', {})"),
  flood: hook('onLoad', "for (;;) page.message('x')"),
  action: hook('onRendered', 'await page.callAction()'),
  onPreLoad: hook('onPreLoad', "throw new Error('thrown before the call')"),
  onLoad: hook('onLoad', "throw new Error('thrown after the call')"),
  onRendered: hook('onRendered', "throw new Error('thrown when drawn')"),
  request: `export default { ${options}, hooks: {}, apis: { getQueryList: { mode: 'replace', request() { throw new Error('thrown instead') } } } }`,
  version: `const made = () => ({ hooks: {} }); export default made()`,
  first: 'const made = () => () => 1; export default made()',
  mode: `export default { ${options}, hooks: {}, apis: { getQueryList: { request() {}, mode: ['a', 'b'].join() } } }`,
}

const prefix = 'ListEventHooksHandler Error: '
/** Those that must say something, and what. */
const faults = {
  evaluate: `${prefix}execution error（页面脚本出错：ReferenceError: eval is not defined）`,
  forever: `${prefix}execution error（页面脚本 2 秒未响应，已停止；重新打开页面后恢复：onLoad）`,
  never: `${prefix}execution error（页面脚本 2 秒未响应，已停止；重新打开页面后恢复：onLoad）`,
  atonce: `${prefix}execution error（页面脚本 2 秒未响应，已停止；重新打开页面后恢复）`,
  large: `${prefix}execution error`, // too long, or too slow about it
  shape: `${prefix}execution error（页面脚本返回的内容不符合要求：rows.html）`,
  cookies: `${prefix}execution error（页面脚本出错：ReferenceError: document is not defined）`,
  account: `${prefix}execution error（页面脚本出错：Error: ${prefix}execution error: http: /api/organization/user/info is not allowed）`,
  saves: `${prefix}execution error（页面脚本出错：Error: ${prefix}execution error: http: /api/runtime/form/save is not allowed）`,
  flood: `${prefix}execution error`,
  action: `${prefix}execution error（页面脚本出错：Error: ${prefix}action required）`,
  onPreLoad: `${prefix}execution error（页面脚本出错：Error: thrown before the call）`,
  onLoad: `${prefix}execution error（页面脚本出错：Error: thrown after the call）`,
  onRendered: `${prefix}execution error（页面脚本出错：Error: thrown when drawn）`,
  request: `${prefix}execution error（页面脚本出错：Error: thrown instead）`,
  version: `${prefix}version not found（options.version 须为 1.0 或 1.1）`,
  mode: `${prefix}mode is not allowed（mode 须为 combine 或 replace：a,b）`,
}

const style = `.late { font-style: italic }
header, main, nav, body, html, :root { display: none !important; visibility: hidden }
.late { position: absolute; --where: fixed; position: var(--where); top: 0; left: 0; width: 100vw; height: 100vh; z-index: 99999 }`

describe('author scripts', { skip: browserPath() ? false : 'no Chromium' }, () => {
  let server
  let browser
  let folder
  let shared
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-scripts-'))
    const pack = join(folder, 'ship-lock')
    cpSync(join(root, 'examples/ship-lock'), pack, { recursive: true })
    const list = JSON.parse(readFileSync(join(pack, 'lists/site.json'), 'utf8'))
    for (const [code, text] of Object.entries(scripts)) {
      const presentation = {
        presentationType: 'table',
        script: `s_${code}.js`,
        ...(code === 'old' ? { style: 's_old.css' } : {}),
      }
      writeFileSync(
        join(pack, `lists/s_${code}.json`),
        JSON.stringify({ ...list, name: code, queryPresentation: presentation }),
      )
      writeFileSync(join(pack, `lists/s_${code}.js`), text)
    }
    writeFileSync(join(pack, 'lists/s_old.css'), style)
    server = await startServer({ packs: [pack] })
    server.addUser('boss', 'administrator', '管理员')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const row = (page) => page.locator('.ag-row[row-id]').first()
  const cell = (page, text) => page.locator('.ag-cell', { hasText: text }).first()
  /** Opens the list with a script: as the menu does, where the application is already. */
  async function open(page, code) {
    const path = `/application/shiplock/application-list/site?queryCode=s_${code}`
    if (page.url().includes('/application/'))
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
    else await visit(page, server.url + path)
    await page.locator(`[data-list="s_${code}"]`).waitFor()
    if (code !== 'filter') await page.locator(`[data-list="s_${code}"] .ag-row[row-id]`).first().waitFor()
  }
  /** One signed-in page for all of them, as a person has it. Returns what went wrong outside of the script. */
  async function onPage(run, options) {
    if (options) {
      const { page, context, problems } = await openPage(browser, server.url, options)
      await signIn(page, server.url, 'boss')
      await run(page)
      await context.close()
      return problems
    }
    shared ??= await openPage(browser, server.url)
    if (!shared.signedIn) await signIn(shared.page, server.url, 'boss')
    shared.signedIn = true
    shared.problems.length = 0
    await run(shared.page)
    return [...shared.problems]
  }

  test('of version 1.0 mark rows and cells; a style reaches the list only', async () => {
    const problems = await onPage(async (page) => {
      await open(page, 'old')
      await cell(page, 'v1 ').waitFor()
      assert.equal(
        await page
          .locator('.ag-row.late')
          .count()
          .then((n) => n > 0),
        true,
      )
      assert.equal(
        await page
          .locator('.ag-row.late')
          .first()
          .evaluate((at) => getComputedStyle(at).fontStyle),
        'italic',
      )
      for (const shell of ['html', 'body', 'header', 'main', 'nav'])
        for (const at of await page.locator(shell).all())
          assert.notEqual(await at.evaluate((one) => getComputedStyle(one).display), 'none', shell)
      const [list, late] = await Promise.all([
        page.locator('[data-list="s_old"]').boundingBox(),
        page
          .locator('header')
          .first()
          .evaluate((at) => {
            const { x, y, width, height } = at.getBoundingClientRect()
            return at.contains(document.elementFromPoint(x + width / 2, y + height / 2))
          }),
      ])
      assert.ok(list.y > 0)
      assert.equal(late, true, 'a row covers the header of the application')
    })
    assert.deepEqual(problems, [])
  })

  test('of version 1.1 add to the list call or stand in its place', async () => {
    const problems = await onPage(async (page) => {
      await open(page, 'combine')
      await cell(page, 'known row').waitFor()
      await cell(page, 'added row').waitFor()
      await cell(page, '外部').waitFor()
      await open(page, 'replace')
      await cell(page, 'only row').waitFor()
      assert.equal((await page.locator('.ag-row[row-id="x"]').count()) > 0, true)
      await page.getByText('共 1 条').first().waitFor()
    })
    assert.deepEqual(problems, [])
  })

  test('change the request, block an action, hide a column', async () => {
    const problems = await onPage(async (page) => {
      await open(page, 'filter')
      await page.getByText('共 0 条').first().waitFor()
      await open(page, 'columns')
      await page.locator('.ag-header-cell[col-id="name"]').waitFor({ state: 'detached' })
      await open(page, 'block')
      await page.getByRole('button', { name: '新增' }).first().click()
      await page.getByText('blocked add').waitFor()
      assert.equal(await page.locator('.ant-drawer-open').count(), 0)
    })
    assert.deepEqual(problems, [])
  })

  test('hear of a list from its call to its rows, and of an action from its press to its result', async () => {
    const problems = await onPage(async (page) => {
      const answers = { delete_check: [{ resultCode: 1000 }], delete: { successCount: 1, errorCount: 0, errors: [] } }
      for (const [call, data] of Object.entries(answers))
        await page.route(`**/api/runtime/query/${call}`, (route) =>
          route.fulfill({ json: { errcode: 0, errmsg: '', data } }),
        )
      await open(page, 'life')
      await row(page).locator('input[type="checkbox"]').click()
      await page.getByRole('toolbar').getByRole('button', { name: '删除' }).click()
      await page
        .locator('.ant-modal-confirm')
        .getByRole('button', { name: /删\s*除/ })
        .click()
      await page.getByText(/^onPreLoad, onLoad, onRendered, onPreAction delete.*, onActionDone delete 1$/).waitFor()
      for (const call of Object.keys(answers)) await page.unroute(`**/api/runtime/query/${call}`)
    })
    assert.deepEqual(problems, [])
  })

  test('find no network, no page, no storage and no way to make code', async () => {
    const problems = await onPage(async (page) => {
      await open(page, 'network')
      await row(page).locator('.ag-cell[col-id="code"]').waitFor()
      assert.equal(await row(page).locator('.ag-cell[col-id="code"]').textContent(), '')
    })
    assert.deepEqual(problems, [])
  })

  for (const [code, words] of Object.entries(faults))
    test(`that go wrong say so and harm nothing: ${code}`, async () => {
      const problems = await onPage(async (page) => {
        await open(page, code)
        await said(page, words)
        if (process.env.SHOTS && code === 'onLoad')
          await page.screenshot({ path: join(root, process.env.SHOTS, 'script-fault.png') })
        assert.notEqual(await page.locator(`[data-list="s_${code}"] .ag-row[row-id]`).count(), 0)
      })
      assert.deepEqual(
        problems.filter((one) => !/Worker|worker/.test(one)),
        [],
      )
    })

  test('of the first version are passed over in silence', async () => {
    await onPage(async (page) => {
      await open(page, 'old')
      await cell(page, 'v1 ').waitFor()
      await page.locator('.ant-message-notice').waitFor({ state: 'detached' }) // of the one before
      const ended = page.waitForEvent('worker').then((worker) => worker.waitForEvent('close'))
      await open(page, 'first')
      await ended // it was read, found to be of the first version, and ended
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      assert.equal(await page.locator('.ant-message-notice').count(), 0)
    })
  })

  test('that were stopped start again with the next page', async () => {
    await onPage(async (page) => {
      await open(page, 'forever')
      await said(page, '2 秒未响应')
      await page.getByRole('button', { name: '刷新' }).click()
      await row(page).waitFor()
      await open(page, 'old')
      await cell(page, 'v1 ').waitFor()
    })
  })

  test('of the example point out unqualified lots and ask before a qualified one goes', async () => {
    const problems = await onPage(
      async (page) => {
        await visit(page, `${server.url}/application/shiplock/application-list/inspection?f.result=BAD`)
        await row(page).waitFor()
        await page.locator('.ag-cell [title="Failed: corrective action required"]').first().waitFor()
        if (process.env.SHOTS) await page.screenshot({ path: join(root, process.env.SHOTS, 'script-marks.png') })
        await visit(page, `${server.url}/application/shiplock/application-list/inspection?f.result=OK`)
        await row(page).waitFor()
        await page
          .locator('.ag-row[row-index="0"] .ag-selection-checkbox, .ag-row[row-index="0"] input[type="checkbox"]')
          .first()
          .click()
        await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
        await page.getByText(/acceptance evidence/).waitFor()
        let checks = 0
        page.on('request', (request) => {
          if (request.url().endsWith('/query/delete_check')) checks++
        })
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        assert.equal(checks, 0)
        assert.equal(await page.getByText(/You can't undo this/).count(), 0)
      },
      { locale: 'en' },
    )
    assert.deepEqual(problems, [])
  })

  test('are sent to whoever may see the list, and with a policy of their own', async () => {
    await onPage(async (page) => {
      const [script, style] = await page.evaluate(async (url) => {
        const config = await fetch(`${url}/api/runtime/query/config?schemaCode=site&queryCode=s_old`).then((a) =>
          a.json(),
        )
        return [config.data.queryPresentation.script, config.data.queryPresentation.style]
      }, server.url)
      for (const path of [script, style]) {
        const answer = await page.request.get(server.url + path)
        assert.equal(answer.status(), 200)
        assert.equal(answer.headers()['content-security-policy'], "default-src 'none'; script-src 'self'")
        assert.match(answer.headers()['cache-control'], /private.*immutable/)
        assert.equal((await fetch(server.url + path)).status, 401)
      }
      const worker = await page.evaluate(async () => {
        const manifest = await fetch('/.vite/manifest.json').then((a) => a.text())
        return manifest.match(/assets\/script-worker-[\w-]+\.js/)?.[0] ?? null
      })
      if (worker) {
        const answer = await page.request.get(`${server.url}/${worker}`)
        assert.equal(answer.headers()['content-security-policy'], "default-src 'none'; script-src 'self'")
      }
    })
  })
})
