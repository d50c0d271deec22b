// The tools of continuous integration: node --test .ci/ci.test.mjs
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ci = fileURLToPath(new URL('.', import.meta.url))
let folder
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-ci-test-'))
  chmodSync(folder, 0o711) // PostgreSQL runs as somebody else
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('equal contents get equal times, in every checkout', () => {
  const origin = join(folder, 'origin')
  mkdirSync(join(origin, 'a/b'), { recursive: true })
  const git = (at, ...args) => execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.com', ...args], { cwd: at })
  for (const name of ['one.go', 'a/two.go', 'a/b/三.json']) writeFileSync(join(origin, name), name)
  git(origin, 'init', '-q')
  git(origin, 'add', '.')
  git(origin, 'commit', '-qm', 'begin')
  const timesOf = (name) => {
    git(folder, 'clone', '-q', origin, name)
    execFileSync('node', [join(ci, 'times.mjs'), join(folder, name)])
    return ['.', 'a', 'a/b', 'one.go', 'a/two.go', 'a/b/三.json'].map((path) => statSync(join(folder, name, path)).mtimeMs)
  }
  const first = timesOf('first')
  assert.deepEqual(timesOf('second'), first)
  assert.ok(first.every((time) => time < Date.now() - 3_000_000_000), 'long ago')
  appendFileSync(join(origin, 'one.go'), '!')
  git(origin, 'commit', '-qam', 'change')
  const third = timesOf('third')
  assert.deepEqual(
    third.map((time, i) => time === first[i]),
    [true, true, true, false, true, true],
  )
})

/** A copy of growth.mjs with a baseline, and with the times of a run of half a second a unit. */
function growth(name, baseline) {
  const copy = join(folder, name)
  mkdirSync(join(copy, '.ci'), { recursive: true })
  mkdirSync(join(copy, '.cache/test-times'), { recursive: true })
  cpSync(join(ci, 'growth.mjs'), join(copy, '.ci/growth.mjs'))
  writeFileSync(join(copy, '.ci/baseline'), baseline)
  const times = (file, text) => writeFileSync(join(copy, '.cache/test-times', file), text)
  times('.unit', '0.5\n')
  const judged = (costs) => {
    for (const [part, text] of Object.entries(costs)) times(`.costs-${part}`, text)
    try {
      return execFileSync('node', [join(copy, '.ci/growth.mjs'), '--judge'], { encoding: 'utf8' })
    } catch ({ status, stdout }) {
      return `${status} ${stdout}`
    }
  }
  const update = () => {
    execFileSync('node', [join(copy, '.ci/growth.mjs')], { env: { ...process.env, UPDATE: '1' } })
    return readFileSync(join(copy, '.ci/baseline'), 'utf8')
  }
  return { times, judged, update }
}

const here = `${cpus().length} x ${cpus()[0].model.trim().replace(/\s+/g, ' ')}`

test('what has grown by a quarter is judged, what was not measured is not', () => {
  const old = 'parts/test-go 100\ntest-go/runtime/store 100\ntest-go/runtime/query 100\ntest-e2e/bulk 4\ntest-e2e/talk 90\n'
  const { times, judged, update } = growth('growth', old)
  times('test-go', '90 200\n')
  const e2e = 'bulk 6\nnew 100\n'
  assert.doesNotMatch(judged({ 'test-go': 'runtime/store 62\n', 'test-e2e': e2e }), /GREW/) // 124 units
  assert.match(
    judged({ 'test-go': 'runtime/store 63\n', 'test-e2e': e2e }),
    /^1 [^]*NEW, without a baseline: test-e2e\/new[^]*GREW: test-go\/runtime\/store from 100 to 126, 26 %\n/,
  )
  assert.equal(
    update(),
    `machine/parts ${here}\nmachine/test-e2e ${here}\nmachine/test-go ${here}\n` +
      'parts/test-go 400\ntest-e2e/bulk 12\ntest-e2e/new 200\ntest-e2e/talk 90\ntest-go/runtime/query 100\ntest-go/runtime/store 126\n',
  )
})

test('a suite with more journeys may cost as much more, and one with as many or fewer may not', () => {
  const { judged } = growth('journeys', `machine/test-e2e ${here}\ntest-e2e/rights 100 2\n`)
  assert.doesNotMatch(judged({ 'test-e2e': 'rights 124 4\n' }), /GREW/) // 248 units where 250 may be
  assert.match(judged({ 'test-e2e': 'rights 126 4\n' }), /^1 [^]*GREW: .* from 100 to 252, 152 %, 4 journeys instead of 2\n/)
  assert.match(judged({ 'test-e2e': 'rights 63 1\n' }), /^1 [^]*GREW: .* from 100 to 126, 26 %\n/)
})

test('what grew against another machine is reported and not judged, and figures of two machines are not mixed', () => {
  const { judged, update } = growth('machines', 'machine/test-e2e 64 x Abacus\ntest-e2e/rights 100 2\ntest-e2e/talk 90 3\ntest-go/runtime/store 100\n')
  assert.match(judged({ 'test-e2e': 'rights 80 2\n' }), /^\s[^]*GREW: .* from 100 to 160, 60 % \(the baseline is of another machine: 64 x Abacus\)/)
  assert.equal(update(), `machine/test-e2e ${here}\ntest-e2e/rights 160 2\ntest-go/runtime/store 100\n`)
})

const postgres = existsSync('/usr/lib/postgresql') && readdirSync('/usr/lib/postgresql').length > 0
test('runs of one checkout have databases of their own, in folders that are named alike next time', { skip: !postgres }, async () => {
  const env = { ...process.env, TMPDIR: folder }
  const named = () => execFileSync(join(ci, 'with-postgres'), ['printenv', 'SLUICE_TEST_POSTGRES'], { env, encoding: 'utf8' })
  const first = named()
  assert.equal(named(), first)
  const holds = spawn(join(ci, 'with-postgres'), ['sh', '-c', 'echo up; cat'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  await new Promise((resolve) => holds.stdout.once('data', resolve))
  assert.notEqual(named(), first)
  // Killed, it leaves its server behind; the next run ends it and has the folder.
  const ended = new Promise((resolve) => holds.once('exit', resolve))
  const closed = new Promise((resolve) => holds.stdout.once('close', resolve)) // by what it ran, before or after its own end
  holds.kill('SIGKILL')
  holds.stdin.end()
  await ended
  await closed
  assert.equal(named(), first)
})

test('a red run of go test says at its end what was red and what it waited for', () => {
  const printed = [
    'ok  \texample.com/a\t1s',
    'panic: test timed out after 2s',
    '\trunning tests:',
    '\t\tTestWaits (2s)',
    '',
    ...[1, 2].flatMap((n) => [
      `goroutine ${n} [select, ${n} minutes]:`,
      'database/sql.(*DB).conn(0x1)',
      'github.com/sluice-platform/sluice/runtime/store.(*postgresDialect).writeAlone(0x1?, {0x2, 0x3})',
      '\t/src/runtime/store/writer.go:29 +0x52',
      'github.com/sluice-platform/sluice/runtime/app.(*App).beat(0x1)',
      'created by github.com/sluice-platform/sluice/runtime/app.Open in goroutine 7',
      '',
    ]),
    'FAIL\texample.com/b\t2s',
  ].join('\n')
  const run = (code) => {
    const script = `process.stdout.write(${JSON.stringify(printed)}); process.exitCode = ${code}`
    const { status, stdout } = spawnSync(join(ci, 'red.mjs'), [process.execPath, '-e', script], { encoding: 'utf8' })
    assert.equal(status, code)
    return stdout
  }
  assert.equal(run(0), printed)
  assert.equal(
    run(1),
    `${printed}
RED:
panic: test timed out after 2s
\trunning tests:
\t\tTestWaits (2s)
FAIL\texample.com/b\t2s
2 x [select] runtime/store.(*postgresDialect).writeAlone < runtime/app.(*App).beat
`,
  )
})
