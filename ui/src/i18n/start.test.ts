// @vitest-environment node
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { texts as en } from './en/start'
import { texts as zh } from './zh/start'

const src = fileURLToPath(new URL('..', import.meta.url))
/** What is before the sign-in: the program itself and the pages that it loads without the rest of the texts. */
const entries = ['app/main.tsx', 'features/account/login-page.tsx', 'features/account/setup-page.tsx']

function fileOf(from: string, wanted: string): string | undefined {
  if (!/^[@.]/.test(wanted) || (wanted.startsWith('@') && !wanted.startsWith('@/'))) return undefined
  const base = wanted.startsWith('@/') ? join(src, wanted.slice(2)) : join(dirname(from), wanted)
  return ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
    .map((end) => base + end)
    .find((path) => existsSync(path) && statSync(path).isFile() && /\.tsx?$/.test(path))
}

/** The files that come with the entries: types are not loaded, and what is imported later comes with its texts. */
function loaded(entries: string[]): Map<string, string> {
  const files = new Map<string, string>()
  const visit = (path: string) => {
    if (files.has(path)) return
    const text = readFileSync(path, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    files.set(path, text)
    for (const [, kind, wanted] of text.matchAll(/(?:^|\n)(?:import|export)( type)?\s(?:[^'"]*?from )?'([^']+)'/g)) {
      const found = kind || !wanted ? undefined : fileOf(path, wanted)
      if (found) visit(found)
    }
  }
  for (const entry of entries) visit(join(src, entry))
  return files
}

const say = (texts: object, key: string) =>
  key.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], texts)

it('the list of applications and a list come without reports and portal pages, which load their part on demand', () => {
  const files = loaded(['app/main.tsx', 'app/inside.tsx', 'app/home-page.tsx', 'features/list/list-page.tsx'])
  const parts = new Set([...files.keys()].map((path) => relative(src, path).split('/').slice(0, 2).join('/')))
  expect([...parts]).toEqual(expect.arrayContaining(['features/list', 'features/menu']))
  expect([...parts].filter((part) => ['features/report', 'features/portal', 'features/print'].includes(part))).toEqual(
    [],
  )
})

describe('texts before the sign-in', () => {
  const files = loaded(entries)
  const used = [...files].flatMap(([path, text]) =>
    [...text.matchAll(/\bt\('([\w.]+)'/g)].map(([, key]) => ({ key: key ?? '', file: relative(src, path) })),
  )

  it('are asked for by the pages that show them', () => {
    expect([...files.keys()].map((path) => relative(src, path))).toContain(
      'features/account/components/entry-frame.tsx',
    )
    expect(used.map(({ key }) => key)).toContain('session.signIn')
  })

  it.each([
    ['zh', zh],
    ['en', en],
  ])('are all there in %s', (_, texts) => {
    expect(used.filter(({ key }) => typeof say(texts, key) !== 'string')).toEqual([])
  })
})
