// Everything that people do with a task, by hand in the browser: in Chinese on a desktop and in English on a phone. SHOTS=folder keeps
// pictures.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { axeFaults, faultsOf } from './faults.mjs'
import { call, rowsOf } from './parts.mjs'
import { browserPath, openPage, root, said, settled, signIn, startBrowser, startServer, texts } from './server.mjs'

const shots = process.env.SHOTS ?? null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

const wordsOf = async (locale) => ({
  flow: await texts(locale, 'flow'),
  opinion: await texts(locale, 'opinion'),
  common: await texts(locale, 'common'),
})

const center = '/workflow-center/'
const LOOKS = [
  { locale: 'zh', width: 1440, height: 900, ...(await wordsOf('zh')), draft: '拟定', project: '项目经理审批' },
  { locale: 'en', width: 390, height: 844, ...(await wordsOf('en')), draft: 'Draft', project: 'Project manager' },
]

/** The example with nodes that allow everything, ask for signatures, and can be agreed to from the list. */
function pack() {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-flows-'))
  const to = join(dir, 'ship-lock')
  cpSync(join(root, 'examples/ship-lock'), to, { recursive: true })
  const file = join(to, 'workflows/contractApproval.json')
  const document = JSON.parse(readFileSync(file, 'utf8'))
  const all = ['agree', 'disagree', 'reject', 'transfer', 'addSign', 'assist', 'circulate', 'withdraw']
  const of = (id) => document.nodes.find((node) => node.id === id)
  Object.assign(of('commercial'), { actions: all, batch: true, reject: { targets: ['start'], resubmit: 'choose' } })
  Object.assign(of('project'), { actions: all, opinion: { required: 'always', signature: true } })
  writeFileSync(file, JSON.stringify(document))
  return { dir, to }
}

const letters = (name) => [...name].join(' ?').replace(/[.()]/g, '\\$&')

describe('tasks', { skip }, () => {
  let server
  let browser
  let maker
  let template
  let packed
  const ids = {}
  before(async () => {
    packed = pack()
    server = await startServer({ packs: [packed.to] })
    for (const [user, role, name] of [
      ['maker', 'contractManager', '李拟'],
      ['chief', 'contractManager', '周审'],
      ['head', 'projectManager', '陈总'],
      ['vice', 'projectManager', '吴副'],
      ['look', 'inspectorRole', '郑检'],
      ['root', 'administrator', '管理员'],
    ])
      server.addUser(user, role, name)
    browser = await startBrowser()
    maker = await openPage(browser, server.url)
    await signIn(maker.page, server.url, 'maker')
    const [row] = (await rowsOf(maker.page, 'contract')).content
    const load = (await call(maker.page, `/api/runtime/form/load?schemaCode=contract&objectId=${row.id}`)).data
    template = Object.fromEntries(
      ['kind', 'partyA', 'partyB', 'manager', 'signedOn'].map((code) => [code, load.data[code]]),
    )
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    if (packed) rmSync(packed.dir, { recursive: true, force: true })
  })

  /** What is on the screen is without faults; with SHOTS it is kept. Axe looks at what a wide screen draws otherwise, and at all of a phone. */
  const shot = async (page, name) => {
    const wide = page.viewportSize().width >= 720
    const axe = process.env.EVERY || !wide || /^(tasks-list|task-opinion|task-sign|mine|track-signed)-/.test(name)
    await settled(page)
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`) })
    const faults = [...(axe ? await axeFaults(page) : []), ...(await faultsOf(page))]
    // The link of an attachment says what it does besides what it shows: the property type's own matter.
    assert.deepEqual(
      faults.filter((fault) => !/label-content-name-mismatch: .*download=/.test(fault)),
      [],
      name,
    )
  }
  const start = async (contractNo, amount = '1000') => {
    await signIn(maker.page, server.url, 'maker')
    const data = { ...template, contractNo, name: `合同 ${contractNo}`, amount }
    const done = await call(maker.page, '/api/runtime/form/submit', { workflowCode: 'contractApproval', data })
    assert.equal(done.errcode, 0, done.errmsg)
    ids[contractNo] = done.data.workflowInstanceId
  }

  for (const look of LOOKS) {
    const { locale, width, height, flow, opinion, common } = look
    const no = (n) => `${locale.toUpperCase()}-${n}.`
    test(`is done by hand in ${locale} at ${width}`, async () => {
      const { page, problems, context } = await openPage(browser, server.url, { width, height, locale })
      const phone = width < 720
      /** A step that one look shows as well as both names it in `only`; EVERY=1 takes all steps in both. */
      const step = async (name, run, only = look.locale) => {
        if (only !== look.locale && !process.env.EVERY) return
        try {
          await run()
        } catch (error) {
          error.message = `${name}: ${error.message}`
          throw error
        }
      }
      const as = (user) => signIn(page, server.url, user)
      const to = (list) => page.goto(`${server.url}${center}${list}`)
      const button = (of, name) => of.getByRole('button', { name: new RegExp(`^${letters(name)}$`) })
      const open = async (n, list = 'my-unfinished-workitem') => {
        await to(list)
        await page
          .getByRole('link', { name: no(n) })
          .first()
          .click()
        await page.getByRole('region', { name: flow.opinions }).waitFor()
      }
      const press = async (action) => {
        const direct = button(page, flow[action])
        await button(page, flow.more).or(direct).first().waitFor()
        if ((await direct.count()) > 0) return direct.first().click()
        await button(page, flow.more).click()
        // After an action the bar is drawn again: what stood in the menu may be a button by now.
        const item = page.getByRole('menuitem', { name: flow[action], exact: true })
        await item.or(direct).first().waitFor()
        await ((await direct.count()) > 0 ? direct : item).first().click()
      }
      const dialog = page.getByRole('dialog').last()
      const confirm = (action) => button(dialog, flow[action]).click()
      const choose = async (name) => {
        await dialog.getByRole('combobox').fill(name)
        await page.getByRole('option', { name: new RegExp(name) }).click()
        await page.keyboard.press('Tab') // on a phone its list is over the title
      }
      const done = (action) => said(page, flow.done[action])
      const task = (n) => page.getByRole('link', { name: no(n) }).first()

      await step('start', async () => {
        for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
          await start(no(n), n === 1 || n === 2 ? '20000000' : '1000')
      })
      await step('list', async () => {
        await as('chief')
        await to('my-unfinished-workitem')
        await task(12).waitFor()
        await shot(page, `tasks-list-${locale}`)
        await button(page, opinion.moreFilters).click()
        await page.getByLabel(opinion.delegatedOnly).click()
        await page.getByText(flow.noMatch).waitFor()
        assert.match(page.url(), /delegated=1/)
        await button(page, flow.clear).click()
        await task(12).waitFor()
        // From wherever the focus went when the button was gone: down, down again and back up.
        const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
        await page.keyboard.press('j')
        const at = await focused()
        assert.match(at, new RegExp(no('\\d+').replace('.', '\\.')))
        await page.keyboard.press('j')
        assert.notEqual(await focused(), at)
        await page.keyboard.press('k')
        assert.equal(await focused(), at)
        await page.keyboard.press('x')
        await page.getByRole('toolbar').last().waitFor()
        await page.keyboard.press('x')
        await page.keyboard.press('a')
        await button(dialog, common.cancel).click()
      })
      await step('agree, and the next task', async () => {
        await open(1)
        await page.getByText(phone ? /Project manager, \d+ people \(/ : /项目经理审批，\d+ 人（/).waitFor()
        await page.getByLabel(opinion.keepNext, { exact: false }).check()
        await page.getByRole('textbox', { name: flow.opinion }).pressSequentially('@陈')
        await page.getByRole('option', { name: /陈总/ }).click()
        await page.getByRole('textbox', { name: flow.opinion }).pressSequentially('look')
        await button(page, opinion.attach).click()
        await page
          .locator('input[type=file]')
          .last()
          .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('see') })
        await page.getByText('note.txt').waitFor()
        await shot(page, `task-opinion-${locale}`)
        await press('agree')
        await done('agree')
        await page.getByRole('heading', { name: no(12) }).waitFor()
        await page.getByLabel(opinion.keepNext, { exact: false }).uncheck()
      })
      await step(
        'agree by keys',
        async () => {
          await open(2)
          await page.keyboard.press('Control+Enter')
          await confirm('agree')
          await done('agree')
          await to('my-finished-workitem')
          await task(2).waitFor()
        },
        'zh',
      )
      await step(
        'withdraw',
        async () => {
          await open(2, 'my-finished-workitem')
          await press('withdraw')
          await shot(page, `task-withdraw-${locale}`)
          await confirm('withdraw')
          await done('withdraw')
          await open(2)
        },
        'zh',
      )
      await step(
        'disagree',
        async () => {
          await open(3)
          await press('disagree')
          await confirm('disagree')
          await dialog.getByText(flow.opinionNeeded).waitFor()
          await dialog.getByRole('textbox', { name: flow.opinion }).fill('no')
          await confirm('disagree')
          await done('disagree')
        },
        'en',
      )
      for (const [n, way] of [
        [4, 'rerun'],
        [5, 'toRejector'],
      ])
        await step(
          `reject ${way}`,
          async () => {
            await open(n)
            await press('reject')
            await dialog.getByRole('radio', { name: flow.resubmits[way] }).check()
            await dialog.getByRole('textbox', { name: flow.opinion }).fill('why')
            await dialog.getByText(look.draft, { exact: false }).nth(1).waitFor()
            if (n === 5) await shot(page, `task-reject-${locale}`)
            await confirm('reject')
            await done('reject')
          },
          n === 4 ? 'zh' : 'en',
        )
      await step(
        'transfer',
        async () => {
          await open(6)
          await press('transfer')
          await choose('陈总')
          await dialog.getByText('陈总', { exact: false }).nth(1).waitFor()
          await shot(page, `task-transfer-${locale}`)
          await confirm('transfer')
          await done('transfer')
        },
        'en',
      )
      for (const [n, placing] of [
        [7, 'before'],
        [8, 'after'],
        [9, 'parallel'],
      ])
        await step(
          `add signer ${placing}`,
          async () => {
            await open(n)
            await press('add_sign')
            await choose('陈总')
            await dialog.getByRole('radio', { name: flow.placings[placing] }).check()
            await confirm('add_sign')
            await done('add_sign')
          },
          n === 8 ? 'en' : 'zh',
        )
      await step(
        'assist, circulate, save',
        async () => {
          await open(10)
          await press('assist')
          await choose('陈总')
          await confirm('assist')
          await done('assist')
          await press('circulate')
          await choose('陈总')
          await confirm('circulate')
          await done('circulate')
          await press('save')
          await done('save')
        },
        'en',
      )

      await step('quick opinions', async () => {
        await as('head')
        await open(1)
        await page.getByText('look', { exact: false }).first().waitFor()
        await page.getByText('note.txt').first().waitFor()
        await button(page, flow.quick).click()
        await page.getByRole('menuitem', { name: opinion.editQuick }).click()
        await dialog.getByLabel(opinion.quickNew).fill('As discussed')
        await page.keyboard.press('Enter')
        await said(page, opinion.saved)
        await shot(page, `task-quick-${locale}`)
        await button(dialog, common.close).last().click()
        await button(page, flow.quick).click()
        await page.getByRole('menuitem', { name: 'As discussed' }).click()
      })
      await step('signature', async () => {
        if (locale === 'zh') {
          await press('agree')
          await page.getByText(opinion.signNeeded).waitFor()
          await button(page, opinion.sign).click()
        } else await button(page, opinion.signAgain).click() // the one that was saved before is shown
        const pad = dialog.getByRole('img', { name: opinion.signHere })
        const box = await pad.boundingBox()
        for (const [from, through, end] of [
          [0.2, 0.7, 0.4],
          [0.5, 0.2, 0.8],
        ]) {
          await page.mouse.move(box.x + box.width * from, box.y + box.height * 0.3)
          await page.mouse.down()
          await page.mouse.move(box.x + box.width * through, box.y + box.height * 0.7, { steps: 8 })
          await page.mouse.move(box.x + box.width * end, box.y + box.height * 0.5, { steps: 8 })
          await page.mouse.up()
        }
        await button(dialog, opinion.signUndo).click()
        await dialog.getByLabel(opinion.signKeep).check()
        await shot(page, `task-sign-${locale}`)
        await button(dialog, opinion.signUse).click()
        await page.getByRole('img', { name: opinion.signed }).waitFor()
        await shot(page, `task-signed-${locale}`)
        await press('agree')
        await done('agree')
        await page.goto(`${server.url}/from/workflow-track/${ids[no(1)]}`)
        const signature = page.getByRole('img', { name: opinion.signOf.replace('{name}', '陈总') })
        await signature.waitFor()
        assert.equal(await signature.evaluate((image) => image.complete && image.naturalWidth > 20), true)
        await shot(page, `track-signed-${locale}`)
      })
      await step(
        'opinions of the record',
        async () => {
          const { instance } = (await call(page, `/api/runtime/workflow/track?workflowInstanceId=${ids[no(1)]}`)).data
          await page.goto(`${server.url}/form/detail?schemaCode=contract&objectId=${instance.bizObjectId}`)
          await page.getByRole('tab', { name: locale === 'zh' ? '审批意见' : 'Approval comments' }).click()
          const decided = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: '陈总' }).last()
          await decided.getByText('As discussed').waitFor()
          await decided.getByText(`${look.project} · ${flow.operations.agree}`).waitFor()
          assert.match(await decided.locator('time').textContent(), /^\d{4}-\d\d-\d\d \d\d:\d\d$/)
          await decided.scrollIntoViewIfNeeded()
          await shot(page, `record-opinions-${locale}`)
        },
        'zh',
      )
      await step(
        'copies',
        async () => {
          await to('my-unread-workitem')
          await task(10).waitFor()
          await shot(page, `copies-${locale}`)
          await page.getByRole('checkbox', { name: new RegExp(no(10)) }).check()
          await button(page.getByRole('toolbar').last(), flow.markRead).click()
          await to('my-read-workitem')
          await task(10).waitFor()
        },
        'en',
      )
      await step(
        'claim and release',
        async () => {
          await as('head')
          const [row] = (await rowsOf(page, 'inspection')).content
          const like = (await call(page, `/api/runtime/form/load?schemaCode=inspection&objectId=${row.id}`)).data.data
          const data = Object.fromEntries(['qbs', 'part', 'unit', 'checkDate'].map((code) => [code, like[code]]))
          await as('root')
          const people = (await rowsOf(page, 'user')).content
          const inspector = { id: people.find((one) => one.data.username === 'look').id }
          await as('look')
          const begun = await call(page, '/api/runtime/form/submit', {
            workflowCode: 'inspectionAcceptance',
            data: {
              ...data,
              inspector,
              part: `T-${locale}`,
              lotNo: locale === 'zh' ? 'JYP-2099-101' : 'JYP-2099-102',
              items: [{ item: '轴线' }],
            },
          })
          assert.equal(begun.errcode, 0, JSON.stringify(begun))
          await as('vice')
          await to('my-unfinished-workitem')
          const { content } = (await call(page, '/api/runtime/workitem/unfinished', { size: 50 })).data
          const mine = content.find((one) => one.workflowInstanceId === begun.data.workflowInstanceId)
          await page.locator(`a[data-task="${mine.workItemId}"]`).click()
          await press('claim')
          await done('claim')
          await shot(page, `task-claimed-${locale}`)
          await press('release')
          await confirm('release')
          await done('release')
          await press('claim')
          await done('claim')
          const items = (
            await call(page, `/api/runtime/workflow/track?workflowInstanceId=${begun.data.workflowInstanceId}`)
          ).data.nodes
            .flatMap(({ rounds }) => rounds)
            .flatMap((round) => round.items)
          const lost = items.find(({ participant }) => participant.name === '陈总')
          await as('head')
          await page.goto(`${server.url}/form/detail?workItemId=${lost.workItemId}`)
          await page.getByRole('heading', { name: opinion.handledTitle }).waitFor()
          await page.getByText(/吴副/).first().waitFor()
          await shot(page, `task-handled-${locale}`)
        },
        'zh',
      )
      await step('urge, revoke, void, resubmit', async () => {
        await as('maker')
        for (const [n, act, told] of [
          [10, 'urge', flow.urged1],
          [11, 'revoke', flow.revoked],
        ]) {
          await to(`my-workflow?searchword=${no(n)}`)
          const of = (words) => page.getByRole('button', { name: new RegExp(`^${words} .*${no(n)}`) })
          if (act === 'urge') await of(letters(flow.urge)).click()
          else {
            await of(flow.more).click()
            await page.getByRole('menuitem', { name: flow[act] }).click()
          }
          await confirm(act)
          await said(page, told)
        }
        await to(`my-workflow?searchword=${no(11)}`)
        await page
          .getByRole('link', { name: flow.againOne.replace('{name}', no(11)).slice(0, 8), exact: false })
          .waitFor()
        await shot(page, `mine-${locale}`)
        for (const n of process.env.EVERY ? [4, 5] : [locale === 'zh' ? 4 : 5]) {
          await open(n)
          await press('submit')
          await done('submit')
        }
      })
      await step('batch agree', async () => {
        await as('chief')
        await to('my-unfinished-workitem')
        const tick = (n) => page.getByRole('checkbox', { name: new RegExp(no(n)) })
        for (const n of [10, 12]) {
          await tick(n).focus()
          await page.keyboard.press('Space')
        }
        await page.getByText(flow.ticked.replace(/\{count[^}]*\}/, '2')).waitFor()
        await button(page.getByRole('toolbar').last(), flow.batchAgree).click()
        await page.getByText(flow.batchTitle.replace(/\{count[^}]*\}/, '2')).waitFor()
        await dialog.getByRole('textbox', { name: flow.opinion }).pressSequentially('together')
        await shot(page, `task-batch-${locale}`)
        await confirm('agree')
        await said(page, flow.batchDone.replace(/\{count[^}]*\}/, '2'))
        for (const n of [10, 12]) await tick(n).waitFor({ state: 'detached' })
        await to('my-finished-workitem')
        await task(12).waitFor()
        await page.goto(`${server.url}/from/workflow-track/${ids[no(12)]}`)
        await page.getByText('together').first().waitFor()
      })
      assert.deepEqual(problems, [])
      await context.close()
    })
  }
})
