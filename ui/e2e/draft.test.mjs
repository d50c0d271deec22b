// Drafts: a new record that is put aside, gone on with elsewhere, and gone when it has been saved.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { browserPath, openPage, root, signIn, someOf, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

test('drafts', { skip }, async (t) => {
  const server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
  const browser = await startBrowser()
  try {
    const looks = { zh: {}, 'en-dark': { locale: 'en', dark: true }, phone: { width: 390, height: 844 } }
    // The server knows of an account after a second at the latest.
    for (const name of Object.keys(looks)) server.addUser(`drafter.${name}`, 'administrator', '林工')
    for (const [name, look] of someOf(Object.entries(looks)))
      await t.test(name, async () => {
        const user = `drafter.${name}`
        const english = look.locale === 'en'
        const [keep, kept, save, untitled] = english
          ? ['Save as draft', 'Draft saved', 'Save', '(untitled)']
          : ['存为草稿', '已存为草稿', '保存', '（未填写标题）']
        const first = await openPage(browser, server.url, { ...look, fresh: true })
        let at = first
        const shoot = async (what) => {
          if (!shots) return
          await at.page.waitForTimeout(400)
          await at.page.screenshot({ path: join(shots, `draft-${what}-${name}.png`) })
        }
        try {
          const { page } = first
          await signIn(page, server.url, user)
          await page.waitForURL((to) => !to.pathname.startsWith('/login'))
          await page.goto(`${server.url}/my-draft`)
          await page.getByText(/^(暂无草稿|No drafts)$/).waitFor()
          await shoot('none')
          await page.goto(`${server.url}/form/detail?schemaCode=site`)
          const field = (code) => at.page.locator(`[data-field="${code}"] input`).first()
          const keepIt = () => at.page.getByRole('button', { name: keep }).click()
          assert.equal(await page.getByRole('button', { name: keep }).isDisabled(), true, 'there is nothing to keep')
          await field('name').fill(`草稿工地 ${name}`)
          await keepIt()
          await page.getByText(kept).waitFor()
          await shoot('kept')
          await field('area').fill('12.5')
          await keepIt()
          await page.getByText(kept).last().waitFor()
          // What the draft holds is not lost by leaving: nobody is asked.
          await page.goto(`${server.url}/my-draft`)
          await page.getByText(`草稿工地 ${name}`).waitFor()
          assert.equal(await page.locator('main li').count(), 1, 'kept twice, one draft')
          await shoot('list')
          assert.deepEqual(first.problems, [])
          await first.context.close()

          at = await openPage(browser, server.url, { ...look, fresh: true }) // another browser of the same person
          await signIn(at.page, server.url, user)
          await at.page.waitForURL((to) => !to.pathname.startsWith('/login'))
          await at.page.goto(`${server.url}/my-draft`)
          await at.page.getByText(`草稿工地 ${name}`).click()
          await at.page.waitForFunction(() =>
            document.querySelector('[data-field="area"] input')?.value.startsWith('12.5'),
          )
          assert.equal(await field('name').inputValue(), `草稿工地 ${name}`)
          await shoot('opened')
          await at.page.getByRole('button', { name: save, exact: true }).click()
          await at.page.locator('[data-field="code"] [role="alert"]').waitFor() // a draft may lack what a record must have
          await field('code').fill(`D-${name}`)
          await at.page.getByRole('button', { name: save, exact: true }).click()
          await at.page.waitForURL(/key=/)
          await at.page.goto(`${server.url}/my-draft`)
          await at.page.getByText(/^(暂无草稿|No drafts)$/).waitFor()

          await at.page.goto(`${server.url}/form/detail?schemaCode=site`)
          await field('area').fill('7')
          await keepIt()
          await at.page.getByText(kept).waitFor()
          await at.page.goto(`${server.url}/my-draft`)
          await at.page.getByText(untitled).waitFor()
          await at.page.locator('main li button').click()
          await at.page.getByRole('dialog').getByRole('button').last().click()
          await at.page.getByText(/^(暂无草稿|No drafts)$/).waitFor()
          const wide = await at.page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          assert.equal(wide, 0, 'the page scrolls sideways')
          assert.deepEqual(at.problems, [])
        } finally {
          await at.context.close()
        }
      })
  } finally {
    await browser.close()
    await server.stop()
  }
})
