// The journey of an administrator through rights: a role is changed, whose rights that touches is shown before it is published, and what
// somebody sees now is checked, explained and looked at as that person.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bothLooks, browserPath, openPage, root, signIn, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'
if (skip) {
  console.error(`LEFT OUT: browser journeys (${skip})`)
  if (process.env.CI === 'true') process.exit(1)
}
const looks = {
  'zh-light': {},
  'phone-en': { width: 390, height: 844, locale: 'en' },
}

/** Runs in the page: where the packs lie on this machine has no place in a picture. */
function ownPaths() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(/\/\S*\/(?=examples\/)/, '')
}

describe('rights', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('keeper', 'administrator', '张主管')
    server.addUser('wang', 'viewer', '王芳')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  for (const [look, options] of Object.entries(looks)) {
    const en = options.locale === 'en'
    test(`a role is changed and looked at (${look})`, async () => {
      const { page, context, problems } = await openPage(browser, server.url, { fresh: true, ...options })
      try {
        const shot = (name) => shots && bothLooks(page, join(shots, `rights-${name}-${look}.png`))
        await signIn(page, server.url, 'keeper')
        await page.goto(`${server.url}/rights`)
        await page.getByRole('link', { name: en ? 'Viewer' : '来访', exact: true }).click()
        await page.getByRole('button', { name: en ? 'Review changes' : '查看变化' }).waitFor()
        await shot('role')

        // The remark of lots, which this role hides, is shown: its people gain it, and nobody else.
        if (!en) {
          const lots = page.getByRole('region', { name: '检验批', exact: true })
          await lots.locator('summary').click()
          await lots.getByRole('radiogroup', { name: '备注', exact: true }).getByText('只读', { exact: true }).click()
          await page.getByRole('button', { name: '查看变化' }).click()
          const dialog = page.getByRole('dialog')
          await dialog.getByText('备注：隐藏 → 只读').waitFor()
          assert.match(await dialog.textContent(), /何晓岚/)
          await shot('review')
          await dialog.getByRole('button', { name: /发 ?布/ }).click()
          await page.waitForURL(/\/rights$/)
        }

        // What 王芳 may do, found by the sound of the name.
        await page.goto(`${server.url}/rights?tab=check`)
        await page.getByLabel(en ? 'Person' : '人员', { exact: true }).click()
        await page.keyboard.type('wangfang', { delay: 20 })
        await page.getByRole('option', { name: /王芳/ }).or(page.getByText('王芳')).first().waitFor()
        await page.keyboard.press('Enter')
        await page.getByLabel(en ? 'Model' : '模型', { exact: true }).click()
        await page.keyboard.type(en ? 'Inspection lot' : '检验批', { delay: 20 })
        await page.keyboard.press('Enter')
        await page.getByText(en ? 'This person sees records' : '此人能看到记录').waitFor()
        const field = page.getByRole('row', { name: new RegExp(`^${en ? 'Remark' : '备注'} `) })
        if (!en) assert.match(await field.textContent(), /只读/)
        if (shots) await page.evaluate(ownPaths)
        await shot('check')

        // As this person: their applications, a note on every page, and nothing can be written.
        await page.getByRole('button', { name: en ? 'View as this person' : '以此人身份查看' }).click()
        const note = page.getByText(en ? /You are viewing Sluice as 王芳/ : /您正在以 王芳 的身份查看/)
        await note.waitFor()
        await page.goto(`${server.url}/application/organisation/application-list/user`)
        await note.waitFor()
        await page.goto(`${server.url}/rights`)
        await page.getByText(en ? 'Only system administrators' : '只有系统管理员').waitFor()
        const answer = await page.evaluate(async () => {
          const pass = JSON.parse(sessionStorage.getItem('seeAs')).pass
          const headers = { 'Content-Type': 'application/json', 'X-See-As': pass }
          const response = await fetch('/api/message/updateReadStateAll', {
            method: 'PUT',
            headers,
            body: '{"messageType":"STATION"}',
          })
          return (await response.json()).errcode
        })
        assert.equal(answer, 700002)
        await shot('seen')
        await page.getByRole('button', { name: en ? 'Stop' : /结 ?束/, exact: !en }).click()
        await page.waitForURL(/tab=check/)
        await page.getByText(en ? 'This person sees records' : '此人能看到记录').waitFor()
        assert.deepEqual(
          problems.filter((one) => !/40[34]/.test(one)),
          [],
        )
      } finally {
        await context.close()
      }
    })
  }
})
