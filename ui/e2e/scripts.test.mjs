// Author scripts in a real browser against the real program: what they may do shows, and what they may not does no harm.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, root, said, signIn, startBrowser, startServer } from './server.mjs'

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
  atonce: `for (;;);\n${hook('onLoad', '')}`,
  large: hook('onLoad', "return { rows: [{ id: 'x'.repeat(100_000_000) }] }"),
  cookies: hook('onLoad', 'const found = document.cookie'),
  flood: hook('onLoad', "for (;;) page.message('x')"),
  onLoad: hook('onLoad', "throw new Error('thrown after the call')"),
  version: `const made = () => ({ hooks: {} }); export default made()`,
  first: 'const made = () => () => 1; export default made()',
}

const prefix = 'ListEventHooksHandler Error: '
/** Those that must say something, and what. */
const faults = {
  evaluate: `${prefix}execution error（页面脚本出错：ReferenceError: eval is not defined）`,
  atonce: `${prefix}execution error（页面脚本 2 秒未响应，已停止；重新打开页面后恢复）`,
  large: `${prefix}execution error`, // too long, or too slow about it
  cookies: `${prefix}execution error（页面脚本出错：ReferenceError: document is not defined）`,
  flood: `${prefix}execution error`,
  onLoad: `${prefix}execution error（页面脚本出错：Error: thrown after the call）`,
  version: `${prefix}version not found（options.version 须为 1.0 或 1.1）`,
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
    else await page.goto(server.url + path)
    await page.locator(`[data-list="s_${code}"]`).waitFor()
    await page.locator(`[data-list="s_${code}"] .ag-row[row-id]`).first().waitFor()
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
          await page.screenshot({ path: join(resolve(root, process.env.SHOTS), 'script-fault.png') })
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
        await page.goto(`${server.url}/application/shiplock/application-list/inspection?f.result=BAD`)
        await row(page).waitFor()
        await page.locator('.ag-cell [title="Failed: corrective action required"]').first().waitFor()
        if (process.env.SHOTS)
          await page.screenshot({ path: join(resolve(root, process.env.SHOTS), 'script-marks.png') })
        await page.goto(`${server.url}/application/shiplock/application-list/inspection?f.result=OK`)
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
