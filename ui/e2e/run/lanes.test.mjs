import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runFile, runLanes } from './lanes.mjs'

let folder
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-lanes-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

const written = (name, body) => {
  const file = join(folder, name)
  writeFileSync(file, `import { describe, test, before } from 'node:test'\n${body}`)
  return file
}

test('tests are told by their titles', async () => {
  const file = written(
    'a.test.mjs',
    `describe('lists', () => {
      test('good', () => {})
      test('bad', () => { throw new Error('no') })
      test('left out', { skip: 'no browser' }, () => {})
      test('with parts', async (t) => {
        await t.test('one', () => {})
        await t.test('two', () => { throw new Error('no') })
      })
    })`,
  )
  const { passed, failed, skipped, report, why } = await runFile(file)
  assert.deepEqual(passed, ['a.test.mjs > lists > good', 'a.test.mjs > lists > with parts > one'])
  assert.deepEqual(failed, ['a.test.mjs > lists > bad', 'a.test.mjs > lists > with parts > two'])
  assert.deepEqual(skipped, ['a.test.mjs > lists > left out'])
  assert.match(report, /bad/)
  assert.equal(why.length, 2)
  assert.match(why[0], /^no\n\s+at .*a\.test\.mjs:4/)
})

test('a hook that fails, a file that cannot be read and one that hangs are red', async () => {
  const hook = await runFile(
    written('b.test.mjs', `describe('s', () => { before(() => { throw new Error('x') }); test('t', () => {}) })`),
  )
  assert.ok(hook.failed.length > 0)
  assert.deepEqual(hook.passed, [])
  const syntax = await runFile(written('c.test.mjs', 'test('))
  assert.equal(syntax.failed.length, 1)
  const hangs = await runFile(
    written('d.test.mjs', `test('t', () => new Promise(() => setInterval(() => {}, 1000)))`),
    1500,
  )
  assert.deepEqual(hangs.failed, ['d.test.mjs > ended by SIGKILL'])
})

test('lanes run every file once', async () => {
  const files = ['e', 'f', 'g'].map((name) => written(`${name}.test.mjs`, `test('t', () => {})`))
  const told = []
  await runLanes(files, 2, ({ file }) => told.push(file))
  assert.deepEqual(told.sort(), files)
})
