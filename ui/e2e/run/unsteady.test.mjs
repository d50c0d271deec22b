import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { entriesOf, faultsOf, historyOf, judge } from './unsteady.mjs'

const known = (more) => ({ listed: [], listedBefore: [], merges: () => 0, explained: () => false, ...more })

test('lines are entries, comments are not', () => {
  assert.deepEqual(entriesOf('# a remark\n\n talk > a mention \nlists > x\n'), ['talk > a mention', 'lists > x'])
})

test('a journey that turned green has to be listed', () => {
  assert.deepEqual(judge(['a'], known({})), { faults: [], paste: ['a'] })
  assert.deepEqual(judge(['a'], known({ listed: ['a'] })), { faults: [], paste: [] })
})

test('one that was listed before this change may not be red again within ten merges', () => {
  const before = { listed: ['a'], listedBefore: ['a'] }
  assert.equal(judge(['a'], known({ ...before, merges: () => 9 })).faults.length, 1)
  assert.deepEqual(judge(['a'], known({ ...before, merges: () => 10 })), { faults: [], paste: [] })
})

test('there are three entries at most, and none goes without its cause', () => {
  assert.deepEqual(faultsOf(known({ listed: ['a', 'b', 'c'] })), [])
  assert.equal(faultsOf(known({ listed: ['a', 'b', 'c', 'd'] })).length, 1)
  assert.equal(faultsOf(known({ listedBefore: ['a'] })).length, 1)
  assert.deepEqual(faultsOf(known({ listedBefore: ['a'], explained: () => true })), [])
})

test('git tells when an entry came, and why it went', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-unsteady-'))
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  const list = (text, message) => {
    mkdirSync(join(folder, '.ci'), { recursive: true })
    writeFileSync(join(folder, '.ci/unsteady'), text)
    git('add', '.')
    git('commit', '-qm', message)
    return git('rev-parse', 'HEAD').trim()
  }
  const merge = () => {
    git('checkout', '-qb', 'side')
    git('commit', '-q', '--allow-empty', '-m', 'work')
    git('checkout', '-q', 'main')
    git('merge', '-q', '--no-ff', '-m', 'Merge side', 'side')
    git('branch', '-qd', 'side')
  }
  try {
    git('init', '-qb', 'main')
    list('', 'begin')
    const base = list('talk > a\n', 'list a')
    merge()
    assert.deepEqual(historyOf(base, folder).listedBefore, ['talk > a'])
    assert.equal(historyOf(base, folder).merges('talk > a'), 1)
    assert.equal(historyOf(base, folder).merges('talk > never'), 0)
    list('', 'the entry goes')
    assert.equal(faultsOf(historyOf(base, folder)).length, 1)
    git('commit', '-q', '--amend', '-m', 'the entry goes\n\nCause: the page asked before it had rights.')
    assert.deepEqual(faultsOf(historyOf(base, folder)), [])
    assert.deepEqual(historyOf(null, folder).listedBefore, ['talk > a']) // as of the commit before
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
