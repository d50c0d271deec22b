// @vitest-environment node
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { lateParts } from '../../scripts/late-parts.mjs'

const FROM = '/app/lib/chunk.ts'
const transform = (code: string, id: string) => {
  const { transform: run } = lateParts('/app', FROM)
  const done = (run as (this: object, code: string, id: string) => { code: string } | null).call(
    { parse: parseAst },
    code,
    id,
  )
  return done?.code ?? null
}

it('puts the loader around each import of a part, and around nothing else', () => {
  const code = `const a = lazy(() => import('./a').then((m) => m.A))
const all = { x: () => import("./x"), y: import(address) } // import('./comment')
const text = "import('./text')"`
  expect(transform(code, '/app/page.tsx?v=1')).toBe(
    `import { loadChunk as __loadChunk } from "${FROM}";const a = lazy(() => __loadChunk(() => import('./a')).then((m) => m.A))
const all = { x: () => __loadChunk(() => import("./x")), y: import(address) } // import('./comment')
const text = "import('./text')"`,
  )
})

it.each([
  ['the loader itself', "import('./a')", FROM],
  ['a package', "import('./a')", '/app/node_modules/x/index.js'],
  ['another folder', "import('./a')", '/else/a.ts'],
  ['a style sheet', "import('./a')", '/app/a.css'],
  ['a module without parts', "import a from './a'", '/app/a.ts'],
  ['an address that is known later', 'import(a)', '/app/a.ts'],
])('leaves %s as it is', (_, code, id) => {
  expect(transform(code, id)).toBeNull()
})
