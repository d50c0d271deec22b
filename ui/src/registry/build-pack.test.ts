// @vitest-environment node
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildPack } from '../../scripts/build-pack.mjs'
import { SDK_VERSION } from '../sdk/version'

const folder = mkdtempSync(join(tmpdir(), 'sluice-build-pack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

it('builds modules that import what the application has, and a manifest of what they define', async () => {
  write({
    'pack.json': '{"code": "harbour"}',
    'ui/index.tsx': `import { defineAction, definePack, definePage, defineProperty, defineRecordPart, defineTexts, EntryPicker, Icon } from '@sluice/sdk'
import { Button, Table, Typography } from 'antd'
import { lazy } from 'react'
import './look.css'
const { Text } = Typography
const texts = defineTexts('harbour', { zh: { a: '甲' }, en: { a: 'A' } })
const Page = lazy(() => import('./page'))
export default definePack({ pack: 'harbour', texts,
  properties: [defineProperty<string>({ name: 'Mass', wire: 950, text: String, Cell: () => <Text><Icon name="table" /></Text> })],
  actions: [defineAction({ name: 'moor', Dialog: () => <Button /> })],
  pages: [definePage({ name: 'quay', Page })],
  parts: [defineRecordPart({ name: 'tides', place: 'below', models: ['lot'], Part: () => <EntryPicker {...({} as never)} /> })] })`,
    'ui/page.tsx': `import { Table } from 'antd'\nexport default function Page() { return <Table /> }`,
    'ui/look.css': '.harbour { color: red }',
  })
  const built = await buildPack(folder)
  const read = (name: string) => readFileSync(join(folder, 'ui/dist', name))
  const manifest = JSON.parse(read('manifest.json').toString())
  expect(manifest).toMatchObject({
    pack: 'harbour',
    sdk: SDK_VERSION,
    entry: 'index.js',
    styles: ['index.css'],
    defines: {
      properties: [950],
      actions: ['moor'],
      pages: ['quay'],
      parts: [{ name: 'tides', models: ['lot'] }],
      views: [],
      widgets: [],
    },
  })
  expect(manifest.files).toContainEqual(expect.stringMatching(/^page-/)) // a file of its own, read when it is opened
  expect(readdirSync(join(folder, 'ui/dist')).sort()).toEqual([...manifest.files, 'manifest.json'].sort())
  const sum = createHash('sha256')
  for (const name of manifest.files) sum.update(`${name} ${read(name).length}\n`).update(read(name))
  expect(manifest.digest).toBe(sum.digest('hex').slice(0, 32))

  const scripts = manifest.files.filter((name: string) => name.endsWith('.js'))
  const text = scripts.map((name: string) => read(name).toString()).join('\n')
  const imports = [...text.matchAll(/from\s*"([^"]+)"/g)].map((match) => match[1])
  expect([...new Set(imports)].filter((from) => !from?.startsWith('./')).sort()).toEqual([
    '/sdk/antd-light.js',
    '/sdk/antd.js',
    '/sdk/react-jsx-runtime.js',
    '/sdk/react.js',
    '/sdk/sdk-controls.js',
    '/sdk/sdk.js',
  ])
  expect(text).not.toContain(folder)
  expect(text).not.toMatch(/\beval\(|new Function/)
  expect(built.bytes).toBeLessThan(4000)

  // Of the same sources comes the same bundle.
  expect((await buildPack(folder)).digest).toBe(manifest.digest)
}, 60_000)

it('says what is missing', async () => {
  write({ 'ui/index.tsx': "import { definePack } from '@sluice/sdk'\nexport default definePack({ pack: 'other' })" })
  await expect(buildPack(folder)).rejects.toThrow("definePack({ pack: 'harbour', ... })")
  await expect(buildPack(join(folder, 'ui'))).rejects.toThrow('it has no pack.json')
}, 60_000)
