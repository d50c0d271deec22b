import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../server.mjs'
import { AREAS, BASE, EVERYTHING } from './areas.mjs'
import { areaOf, choose } from './choose.mjs'

const all = readdirSync(join(root, 'ui/e2e'))
  .filter((name) => name.endsWith('.test.mjs'))
  .map((name) => name.replace('.test.mjs', ''))

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

test('every file of the repository has an area, or asks for everything', () => {
  const none = tracked.filter(
    (path) =>
      !areaOf(path) &&
      !EVERYTHING.some((start) => path.startsWith(start)) &&
      !(path.startsWith('ui/e2e/') && path.endsWith('.test.mjs')),
  )
  assert.deepEqual(none, [])
})

test('every path of the table is there, once', () => {
  const paths = [...AREAS.map(([start]) => start), ...EVERYTHING]
  assert.deepEqual(
    paths.filter((start) => !tracked.some((path) => path.startsWith(start))),
    [],
  )
  assert.equal(new Set(paths).size, paths.length)
})

test('every journey is asked for by an area or always, and those that are asked for are there', () => {
  const named = new Set([...BASE, ...AREAS.flatMap(([, suites]) => suites)])
  assert.deepEqual(
    all.filter((name) => !named.has(name)),
    [],
  )
  assert.deepEqual(
    [...named].filter((name) => !all.includes(name)),
    [],
  )
})

test('every folder of the runtime, plugins, examples and the interface has a row of its own', () => {
  const folders = ['runtime', 'plugins', 'examples', 'ui/src', 'ui/src/features'].flatMap((parent) =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'core' && entry.name !== 'features')
      .map((entry) => `${parent}/${entry.name}/`),
  )
  const rows = [...AREAS.map(([start]) => start), ...EVERYTHING]
  assert.deepEqual(
    folders.filter((folder) => tracked.some((path) => path.startsWith(folder)) && !rows.includes(folder)),
    [],
  )
})

test('a change asks for the journeys of its areas beside those of the base', () => {
  const asked = (...paths) => choose(all, paths).chosen.filter((name) => !BASE.includes(name))
  assert.deepEqual(asked('docs/architecture.md'), [])
  assert.deepEqual(asked('runtime/exporter/exporter.go'), ['export'])
  assert.deepEqual(asked('runtime/exporter/exporter_test.go', 'ui/src/lib/ago.test.ts'), [])
  assert.deepEqual(asked('ui/src/features/list/gantt/bar.tsx'), ['gantt'])
  assert.deepEqual(asked('ui/e2e/gantt.test.mjs'), ['gantt'])
  assert.ok(asked('ui/e2e/parts.mjs').includes('widgets'))
  assert.deepEqual(asked('ui/e2e/kinds.mjs'), ['form-kinds'])
  for (const path of [
    'ui/src/lib/held-focus.ts',
    'schemas/api.yaml',
    'go.sum',
    'package-lock.json',
    '.ci/run',
    'ui/e2e/server.mjs',
    'ui/e2e/run.mjs',
  ])
    assert.deepEqual(choose(all, ['docs/architecture.md', path]).left, [], path)
  assert.deepEqual(choose(all, ['folder/that/nobody/knows.go']).left, [])
})

test('without a commit to compare with everything is asked for', () => {
  assert.deepEqual(choose(all, null), { chosen: all, left: [], why: 'there is no commit to compare with' })
})
