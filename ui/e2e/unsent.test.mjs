// Input that was not saved, and two people in one record, in a browser against the real program: part of `npm run e2e`.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browserPath, openPage, password, quiet, root, signIn, someOf, startBrowser, startServer } from './server.mjs'

const shots = process.env.SHOTS ? resolve(root, process.env.SHOTS) : null
if (shots) mkdirSync(shots, { recursive: true })
const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

const words = {
  zh: {
    edit: '编辑',
    save: '保存',
    cancel: '取消',
    throwAway: '放弃修改',
    found: /您在 .+ 填写的内容尚未保存/,
    restore: '恢复',
    discard: '丢弃',
    conflict: '此记录已被他人修改',
    restoring: '未保存的内容与现有记录不一致',
    mine: '我的修改',
    theirs: '现有内容',
    left: '还有 1 项需要选择',
    ready: '已全部选定',
    merged: '保存合并结果',
    apply: '填入表单',
    again: '您选择期间，此记录又有新的修改，请再次确认。',
  },
  en: {
    edit: 'Edit',
    save: 'Save',
    cancel: 'Cancel',
    throwAway: 'Discard changes',
    found: /You have unsaved changes from .+/,
    restore: 'Restore',
    discard: 'Discard',
    conflict: 'Someone else changed this record',
    restoring: 'Your unsaved changes differ from the record',
    mine: 'Mine',
    theirs: 'Current',
    left: '1 field left to decide',
    ready: 'All fields are decided',
    merged: 'Save merged record',
    apply: 'Fill into the form',
    again: 'The record changed again while you were choosing. Review it once more.',
  },
}

describe('input that was not saved', { skip }, () => {
  let server
  let browser
  before(async () => {
    server = await startServer({ packs: [join(root, 'examples/ship-lock')] })
    server.addUser('boss', 'administrator', '管理员')
    server.addUser('deputy', 'administrator', '副经理')
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** One person at a browser, with the calls that this person's page can make. */
  async function person(name, options = {}) {
    const { page, context, problems } = await openPage(browser, server.url, { ...options, fresh: true })
    page.on('dialog', (dialog) => dialog.accept()) // the browser asks before a reload
    await signIn(page, server.url, name)
    const call = (path, body) =>
      page.evaluate(
        async ([to, data]) => {
          const headers = { 'Content-Type': 'application/json' }
          const answer = await fetch(to, data ? { method: 'POST', headers, body: JSON.stringify(data) } : {})
          return answer.json()
        },
        [path, body ?? null],
      )
    const read = async (schemaCode, id) =>
      (await call(`/api/runtime/form/load?schemaCode=${schemaCode}&objectId=${id}`)).data
    const write = async (schemaCode, id, data) => {
      const { version } = await read(schemaCode, id)
      const said = await call('/api/runtime/form/save', { schemaCode, id, version, data })
      assert.equal(said.errcode, 0, said.errmsg)
    }
    const ids = async (schemaCode) =>
      (await call('/api/runtime/query/list', { schemaCode, page: 0, size: 20, filters: [] })).data.content.map(
        ({ id }) => id,
      )
    return { page, problems, call, read, write, ids, leave: () => context.close() }
  }

  const waiting = (page) =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('unsent:')).length)
  const settled = (page, count) =>
    page.waitForFunction(
      (n) => Object.keys(localStorage).filter((key) => key.startsWith('unsent:')).length === n,
      count,
    )
  const input = (page, code) => page.locator(`[data-field="${code}"]`).locator('input, textarea').first()
  const press = (page, name) => page.getByRole('button', { name, exact: true })
  const pressed = (page, name) => press(page, name).click()
  const value = (page, code, text) =>
    page.waitForFunction(
      ([field, wanted]) => document.querySelector(`[data-field="${field}"] input`)?.value === wanted,
      [code, text],
    )
  const open = async (page, id, w, schemaCode = 'drawing') => {
    await page.goto(`${server.url}/form/detail?schemaCode=${schemaCode}&key=${id}`)
    await press(page, w.edit).waitFor()
  }
  const edit = async (page, id, w, schemaCode) => {
    await open(page, id, w, schemaCode)
    await pressed(page, w.edit)
    await press(page, w.save).waitFor()
    await quiet(page)
  }
  const shoot = async (page, name) => {
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`), animations: 'disabled' })
  }
  const choose = (page, code, label) =>
    page.locator(`[data-merge="${code}"]`).getByRole('radio', { name: label, exact: true })

  for (const locale of someOf(['zh', 'en'])) {
    const w = words[locale]
    const at = locale === 'zh' ? 0 : 1

    test(`survives a reload and is applied only when asked for (${locale})`, async () => {
      const one = await person('boss', { locale })
      const { page } = one
      const id = (await one.ids('drawing'))[at]
      const before = (await one.read('drawing', id)).data
      await edit(page, id, w)
      await input(page, 'name').fill(`typed ${locale}`)
      await page.reload() // before the pause is over: written as the page goes
      await page.getByText(w.found).waitFor()
      assert.equal(await page.getByText(`typed ${locale}`).count(), 0)
      await pressed(page, w.edit)
      await value(page, 'name', before.name)
      await shoot(page, `unsent-banner-${locale}`)
      await pressed(page, w.restore)
      await value(page, 'name', `typed ${locale}`)
      assert.equal(await page.getByText(w.found).count(), 0)
      await pressed(page, w.save)
      await press(page, w.edit).waitFor()
      assert.equal((await one.read('drawing', id)).data.name, `typed ${locale}`)
      await settled(page, 0)

      // Leaving with "discard" and discarding at the banner both end it.
      await edit(page, id, w)
      await input(page, 'name').fill('given up')
      await settled(page, 1)
      await pressed(page, w.cancel)
      await page.locator('.ant-modal').getByRole('button', { name: w.throwAway }).click()
      await press(page, w.edit).waitFor()
      await settled(page, 0)
      await pressed(page, w.edit)
      await input(page, 'name').fill('also given up')
      await settled(page, 1)
      await page.reload()
      await page.getByText(w.found).waitFor()
      await pressed(page, w.discard)
      await settled(page, 0)
      await page.reload()
      await press(page, w.edit).waitFor()
      assert.equal(await page.getByText(w.found).count(), 0)
      assert.deepEqual(one.problems, [])
      await one.leave()
    })

    test(`two people: one field differs, another does not (${locale})`, async () => {
      const [one, two] = [await person('boss', { locale }), await person('deputy', { locale })]
      const { page } = one
      const id = (await one.ids('drawing'))[2 + at]
      await edit(page, id, w)
      await input(page, 'name').fill('mine')
      await input(page, 'number').fill(`N-${locale}`)
      await two.write('drawing', id, { name: 'theirs', revision: 'Z' })
      await pressed(page, w.save)
      await page.getByText(w.conflict).first().waitFor()
      await page.getByText(w.left).waitFor()
      assert.equal(await press(page, w.merged).isDisabled(), true)
      assert.equal(await choose(page, 'number', w.mine).isChecked(), true)
      assert.equal(await choose(page, 'revision', w.theirs).isChecked(), true)
      for (const side of [w.mine, w.theirs]) assert.equal(await choose(page, 'name', side).isChecked(), false)
      await shoot(page, `merge-${locale}`)
      await choose(page, 'name', w.mine).focus()
      await page.keyboard.press('Space')
      await page.getByText(w.ready).waitFor()

      // Once more somebody is faster: the view opens again with the new state.
      await two.write('drawing', id, { name: 'faster' })
      await pressed(page, w.merged)
      await page.getByText(w.again).waitFor()
      await page.locator('[data-merge="name"]').getByText('faster').waitFor()
      assert.equal(await page.locator('[data-merge="revision"]').count(), 0) // it is theirs in both by now
      await choose(page, 'name', w.theirs).focus()
      await page.keyboard.press('Space')
      await pressed(page, w.merged)
      await press(page, w.edit).waitFor()
      const { data } = await one.read('drawing', id)
      assert.deepEqual([data.name, data.number, data.revision], ['faster', `N-${locale}`, 'Z'])
      await settled(page, 0)
      assert.deepEqual([...one.problems, ...two.problems], [])
      await Promise.all([one.leave(), two.leave()])
    })
  }

  test('restored over a record that changed since, people choose where both were', async () => {
    const w = words.zh
    const [one, two] = [await person('boss', { dark: true, width: 390, height: 844 }), await person('deputy')]
    const { page } = one
    const id = (await one.ids('drawing'))[4]
    await edit(page, id, w)
    await input(page, 'name').fill('waited')
    await input(page, 'revision').fill('W')
    await settled(page, 1)
    await two.write('drawing', id, { name: 'meanwhile' })
    await page.reload()
    await page.getByText(w.found).waitFor()
    await shoot(page, 'unsent-phone-dark')
    await pressed(page, w.restore)
    await page.getByText(w.restoring).waitFor()
    assert.equal(await choose(page, 'revision', w.mine).isChecked(), true)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= 390, `the view is ${wide} px wide on a phone`)
    await shoot(page, 'merge-phone-dark')
    await page.locator('[data-merge="name"] [data-side="mine"]').click() // the whole column is the button's
    await pressed(page, w.apply)
    await value(page, 'name', 'waited')
    await value(page, 'revision', 'W')
    assert.equal((await one.read('drawing', id)).data.name, 'meanwhile')
    await pressed(page, w.save)
    await press(page, w.edit).waitFor()
    const { data } = await one.read('drawing', id)
    assert.deepEqual([data.name, data.revision], ['waited', 'W'])
    assert.deepEqual([...one.problems, ...two.problems], [])
    await Promise.all([one.leave(), two.leave()])
  })

  test('a record that others change and then delete becomes one of its own, with the files of others', async () => {
    const w = words.zh
    const [one, two] = [await person('boss'), await person('deputy')]
    const { page } = one
    const { call } = two
    const refId = await two.page.evaluate(async () => {
      const body = new FormData()
      body.append('file', new Blob(['%PDF-1.4 of the deputy'], { type: 'application/pdf' }), 'paper.pdf')
      const answer = await fetch('/api/aliyun/upload', { method: 'POST', body })
      return (await answer.json()).data.refId
    })
    const data = { number: 'GONE-1', name: 'theirs', discipline: 'GATES', revision: 'A', files: [{ refId }] }
    const said = await call('/api/runtime/form/save', { schemaCode: 'drawing', data })
    assert.equal(said.errcode, 0, JSON.stringify(said.data))
    const { id } = said.data
    await edit(page, id, w)
    await input(page, 'name').fill('')
    await pressed(page, w.save)
    const state = page.locator('footer [aria-live]')
    await state.getByText('有 1 项需要修改').waitFor()
    await input(page, 'name').fill('mine')
    await state.getByText('有未保存的修改').waitFor() // as soon as it is repaired, not at the next save
    await two.write('drawing', id, { name: 'changed' })
    await page.getByText('副经理刚刚修改了此记录').waitFor()
    await shoot(page, 'meanwhile-zh')
    await call('/api/runtime/query/delete', { schemaCode: 'drawing', ids: [id] })
    await page.getByText('副经理已将此记录删除').waitFor()
    await shoot(page, 'gone-zh')
    await pressed(page, '另存为新记录')
    await press(page, w.edit).waitFor()
    const made = new URL(page.url()).searchParams.get('key')
    assert.notEqual(made, id)
    const saved = (await one.read('drawing', made)).data
    assert.deepEqual([saved.number, saved.name, saved.files.map((file) => file.refId)], ['GONE-1', 'mine', [refId]])
    assert.deepEqual([...one.problems, ...two.problems], [])
    await Promise.all([one.leave(), two.leave()])
  })

  test('sub-tables are merged row by row', async () => {
    const w = words.zh
    const [one, two] = [await person('boss'), await person('deputy')]
    const { page } = one
    let id
    let before
    for (id of await one.ids('inspection')) {
      before = (await one.read('inspection', id)).data
      if (before.items?.length > 1) break
    }
    const [first, second, ...others] = before.items
    const cell = (row, column) => page.locator(`[data-field="items"] [data-at="${row}:${column}"]`)
    const type = async (row, column, text) => {
      await cell(row, column).click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    const addRow = async (text) => {
      await page.locator('[data-field="items"] [data-add]').click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }

    // Another cell of the same row, a row of each: nothing is asked.
    await edit(page, id, w, 'inspection')
    await type(0, 0, '我改的项目')
    await addRow('我添的项目')
    const added = { item: '他人添的项目', points: '3', passed: '3', ok: true }
    await two.write('inspection', id, { items: [{ ...first, standard: '他人改的标准' }, second, ...others, added] })
    await pressed(page, w.save)
    const merge = page.locator('[data-merge="items"]')
    await merge.getByText('双方都改过，已逐行合并').waitFor()
    await merge.locator('[data-side="mine"]').getByText('新增 1 行，修改 1 行，删除 0 行').waitFor()
    await page.getByText(w.ready).waitFor()
    await shoot(page, 'merge-rows')
    await pressed(page, w.merged)
    await press(page, w.edit).waitFor()
    const merged = (await one.read('inspection', id)).data.items
    assert.deepEqual([merged[0].item, merged[0].standard], ['我改的项目', '他人改的标准'])
    assert.equal(merged.length, before.items.length + 2)
    for (const item of ['我添的项目', '他人添的项目'])
      assert.ok(
        merged.some((row) => row.item === item),
        item,
      )

    // The same cell, and a row that one removed and the other changed: each is asked for.
    await edit(page, id, w, 'inspection')
    await type(0, 0, '我再改')
    await type(1, 0, '我改了这一行')
    const rows = (await two.read('inspection', id)).data.items
    await two.write('inspection', id, { items: [{ ...rows[0], item: '他人再改' }, ...rows.slice(2)] })
    await pressed(page, w.save)
    await page.getByText('还有 2 项需要选择').waitFor()
    const ask = (key) => merge.locator(`[data-ask="items/${key}"]`)
    const choice = (key, label) => ask(key).getByRole('radio', { name: label, exact: true })
    await ask(rows[1].id).getByText('删除此行').waitFor()
    await shoot(page, 'merge-asks')
    await choice(`${rows[0].id}/item`, w.theirs).check({ force: true })
    await choice(rows[1].id, w.mine).check({ force: true })
    await page.getByText(w.ready).waitFor()
    await pressed(page, w.merged)
    await press(page, w.edit).waitFor()
    const last = (await one.read('inspection', id)).data.items
    assert.equal(last[0].item, '他人再改')
    const back = last.find((row) => row.item === '我改了这一行')
    assert.ok(back && back.id !== rows[1].id && back.standard === rows[1].standard, 'the row came back as a new one')
    assert.equal(last.length, rows.length)
    assert.deepEqual([...one.problems, ...two.problems], [])
    await Promise.all([one.leave(), two.leave()])
  })

  test('of a new record waits too, and a sign-out removes all of it', async () => {
    const w = words.zh
    const one = await person('boss')
    const { page } = one
    const add = `${server.url}/form/detail?schemaCode=drawing`
    await page.goto(add)
    await press(page, w.save).waitFor()
    await quiet(page)
    await input(page, 'name').fill('a new drawing')
    await settled(page, 1)
    await page.reload()
    await page.getByText(w.found).waitFor()
    // What is typed beside the banner does not replace what waits.
    await input(page, 'number').fill('N-1')
    await page.waitForFunction(() =>
      Object.entries(localStorage).some(([key, text]) => key.startsWith('unsent:') && text.includes('N-1')),
    )
    await page.reload()
    // Two beginnings, two entries: the newest is offered, and the other one is listed beside the drafts.
    await pressed(page, w.restore)
    await value(page, 'number', 'N-1')
    await value(page, 'name', '')
    await settled(page, 2)
    await page.goto(`${server.url}/my-draft`)
    await page.getByText('a new drawing').waitFor()

    await page.evaluate(() => fetch('/api/login/logout', { method: 'POST' }))
    await page.goto(`${server.url}/user/info`).catch(() => {})
    await page.locator('input[type="password"]').first().waitFor()
    assert.equal(await waiting(page), 2) // a session that merely ended keeps what its person typed
    await page.locator('input[autocomplete="username"]').first().fill('boss')
    await page.locator('input[type="password"]').first().fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.pathname.startsWith('/login'))
    await pressed(page, '以后再说') // to change a password that somebody else gave
    await page.goto(add)
    await page.getByText(w.found).waitFor()
    await input(page, 'name').fill('typed just before')
    await page.goto(`${server.url}/user/info`)
    await pressed(page, '退出登录')
    await page.waitForURL(/\/login/)
    assert.equal(await waiting(page), 0)
    await signIn(page, server.url, 'boss')
    await page.goto(add)
    await press(page, w.save).waitFor()
    assert.equal(await page.getByText(w.found).count(), 0)
    assert.deepEqual(one.problems, [])
    await one.leave()
  })
})
