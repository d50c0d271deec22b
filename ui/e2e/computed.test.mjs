// Computed values that other records feed: live in the form, right in the other record, explained on demand.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { browserPath, openPage, root, signIn, someOf, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

/** Calls the API as the person of the page. */
const call = (page, path, body) =>
  page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(path, {
        method: body ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const { errcode, errmsg, data } = await answer.json()
      if (errcode !== 0) throw new Error(`${path}: ${errmsg} ${JSON.stringify(data)}`)
      return data
    },
    [path, body],
  )

test('computed values over related records', { skip }, async (t) => {
  const server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
  const browser = await startBrowser()
  try {
    await server.addUser('boss', 'administrator', '林工')
    for (const [name, look] of someOf(
      Object.entries({
        'en-dark': { locale: 'en', dark: true },
        phone: { width: 390, height: 844 },
        zh: {},
      }),
    ))
      await t.test(name, async () => {
        const { page, context, problems } = await openPage(browser, server.url, look)
        const english = look.locale === 'en'
        const shoot = async (what) => {
          if (!shots) return
          await page.waitForTimeout(400)
          await page.screenshot({ path: join(shots, `computed-${what}-${name}.png`) })
        }
        try {
          await signIn(page, server.url, 'boss')
          await page.waitForURL((at) => !at.pathname.startsWith('/login'))
          const node = await call(page, '/api/runtime/form/save', {
            schemaCode: 'qbs',
            data: { code: `Q-${name}`, name: '闸首', level: 'UNIT' },
          })
          for (const status of ['ISSUED', 'ISSUED', 'REVIEW'])
            await call(page, '/api/runtime/form/save', {
              schemaCode: 'drawing',
              data: {
                number: `D-${name}-${Math.random()}`,
                name: '图',
                discipline: 'HYDRAULIC',
                status,
                part: node.id,
              },
            })
          await page.goto(`${server.url}/form/detail?schemaCode=qbs&objectId=${node.id}`)
          const field = page.locator('[data-field="drawings"]')
          await field.getByText('2', { exact: true }).waitFor()
          await field.getByRole('button').click()
          const why = page.getByRole('tooltip').or(page.locator('.ant-popover')).last()
          await why.getByText("count(filter(related('drawing', 'part'), .status == 'ISSUED'))").waitFor()
          await why.getByText(english ? 'from 3 rows' : '来自 3 条数据').waitFor()
          await shoot('why')
          await page.keyboard.press('Escape')

          // A value along a relation: another choice shows it before it is saved, and what it comes from.
          const other = await call(page, '/api/runtime/form/save', {
            schemaCode: 'qbs',
            data: { code: `R-${name}`, name: `闸室 ${name}`, level: 'UNIT' },
          })
          const drawing = await call(page, '/api/runtime/form/save', {
            schemaCode: 'drawing',
            data: { number: `P-${name}`, name: '图', discipline: 'HYDRAULIC', part: node.id },
          })
          const stored = async () =>
            (await call(page, `/api/runtime/form/load?schemaCode=drawing&objectId=${drawing.id}`)).data.partCode
          assert.equal(await stored(), `Q-${name}`)
          await page.goto(`${server.url}/form/detail?schemaCode=drawing&key=${drawing.id}&edit=1`)
          const code = page.locator('[data-field="partCode"]')
          await code.getByText(`Q-${name}`).waitFor()
          await page.locator('[data-field="part"]').getByRole('combobox').click()
          await page.keyboard.type(`闸室 ${name}`)
          const choices = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
          await choices
            .filter({ hasText: `闸室 ${name}` })
            .first()
            .click()
          await code.getByText(`R-${name}`).waitFor()
          assert.equal(await stored(), `Q-${name}`, 'nothing is saved yet')
          await code.getByRole('button').click()
          await why.getByText('part.code', { exact: true }).first().waitFor()
          await why.getByText(`R-${name}`).first().waitFor()
          await shoot('why-path')
          await page.keyboard.press('Escape')
          await page.keyboard.press('Control+s')
          await page.getByRole('button', { name: english ? 'Edit' : '编辑', exact: true }).waitFor()
          assert.equal(await stored(), `R-${name}`)
          await call(page, '/api/runtime/form/save', {
            schemaCode: 'qbs',
            id: other.id,
            version: other.version,
            data: { code: `S-${name}` },
          })
          assert.equal(await stored(), `S-${name}`)
          assert.deepEqual(problems, [])
        } finally {
          await context.close()
        }
      })
  } finally {
    await browser.close()
    await server.stop()
  }
})
