// How many presses ten approvals take: opening each, deciding and going back; going to the next task after each; and ticking them in the
// workflow center. Prints the three numbers, which docs/workflow-seams.md has.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { call, rowsOf } from './parts.mjs'
import { browserPath, openPage, root, said, signIn, startBrowser, startServer, texts } from './server.mjs'

const TEN = 10
/** A press more or less than these is told: somebody has made approving longer, or shorter. */
const PRESSES = { opened: 3 * TEN, next: TEN + 2, ticked: 4 }

/** The example whose step may be agreed to from the list. */
function pack() {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-clicks-'))
  const to = join(dir, 'ship-lock')
  cpSync(join(root, 'examples/ship-lock'), to, { recursive: true })
  const file = join(to, 'workflows/contractApproval.json')
  const document = JSON.parse(readFileSync(file, 'utf8'))
  Object.assign(
    document.nodes.find((node) => node.id === 'commercial'),
    { batch: true },
  )
  writeFileSync(file, JSON.stringify(document))
  return { dir, to }
}

test('ten approvals, by presses', { skip: browserPath() ? false : 'no Chromium' }, async () => {
  const flow = await texts('zh', 'flow')
  const opinion = await texts('zh', 'opinion')
  const packed = pack()
  const server = await startServer({ packs: [packed.to] })
  server.addUser('maker', 'contractManager', '李拟')
  server.addUser('chief', 'contractManager', '周审')
  const browser = await startBrowser()
  try {
    const { page, problems } = await openPage(browser, server.url)
    const start = async (way) => {
      await signIn(page, server.url, 'maker')
      const [row] = (await rowsOf(page, 'contract')).content
      const load = (await call(page, `/api/runtime/form/load?schemaCode=contract&objectId=${row.id}`)).data
      const fixed = Object.fromEntries(
        ['kind', 'partyA', 'partyB', 'manager', 'signedOn'].map((code) => [code, load.data[code]]),
      )
      for (let n = 0; n < TEN; n++) {
        const contractNo = `${way}-${n}.`
        const data = { ...fixed, contractNo, name: `合同 ${contractNo}`, amount: '1000' }
        const done = await call(page, '/api/runtime/form/submit', { workflowCode: 'contractApproval', data })
        assert.equal(done.errcode, 0, done.errmsg)
      }
      await signIn(page, server.url, 'chief')
      await page.goto(`${server.url}/workflow-center/my-unfinished-workitem`)
      await tasks(way)
        .nth(TEN - 1)
        .waitFor()
    }
    const tasks = (way) => page.getByRole('link', { name: `${way}-` })
    let presses = 0
    const press = async (what, options) => {
      presses++
      await what.click(options)
    }
    const named = (name, of = page) => of.getByRole('button', { name: new RegExp(`^${[...name].join(' ?')}$`) })
    const counted = async (way, run) => {
      await start(way)
      presses = 0
      await run()
      await page.goto(`${server.url}/workflow-center/my-unfinished-workitem`)
      await page.getByRole('heading').first().waitFor()
      await tasks(way).first().waitFor({ state: 'detached' })
      return presses
    }
    const agree = async () => {
      await press(named(flow.agree).first())
      await said(page, flow.done.agree)
    }
    const opened = await counted('AAA', async () => {
      for (let n = 0; n < TEN; n++) {
        await press(tasks('AAA').first())
        await agree()
        presses++ // the way back
        await page.goto(`${server.url}/workflow-center/my-unfinished-workitem`)
        if (n < TEN - 1)
          await tasks('AAA')
            .nth(TEN - 2 - n)
            .waitFor()
        await tasks('AAA')
          .nth(TEN - 1 - n)
          .waitFor({ state: 'detached' })
      }
    })
    const next = await counted('BBB', async () => {
      await press(tasks('BBB').first())
      await press(page.getByLabel(opinion.keepNext, { exact: false }))
      for (let n = 0; n < TEN; n++) {
        const at = page.url()
        await agree()
        if (n < TEN - 1) await page.waitForURL((url) => url.href !== at)
      }
    })
    const ticked = await counted('CCC', async () => {
      const boxes = page.getByRole('checkbox', { name: /CCC-/ })
      await press(boxes.first())
      await press(boxes.last(), { modifiers: ['Shift'] })
      await press(named(flow.batchAgree, page.getByRole('toolbar').last()))
      await press(named(flow.agree, page.getByRole('dialog').last()))
      await said(page, flow.batchDone.replace(/\{count[^}]*\}/, String(TEN)))
    })
    console.log(`presses for ${TEN} approvals: ${opened} opening each, ${next} with the next task, ${ticked} ticked`)
    assert.deepEqual({ opened, next, ticked }, PRESSES)
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
    await server.stop()
    rmSync(packed.dir, { recursive: true, force: true })
  }
})
