import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const plugins = resolve(src, '../../plugins')

/** Each layer may use what is before it; the first row's three are one layer. */
const layers: string[][] = [['lib', 'components', 'i18n'], ['api'], ['sdk'], ['registry'], ['features'], ['app']]
const level = (folder: string) => layers.findIndex((names) => names.includes(folder))

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')
}

/** Folder parts below src, or null for packages. */
function target(file: string, specifier: string): string[] | null {
  if (specifier.startsWith('@/')) return specifier.slice(2).split('/')
  if (!specifier.startsWith('.')) return null
  const path = relative(src, resolve(dirname(file), specifier))
  return path.startsWith('..') ? null : path.split('/')
}

describe('imports', () => {
  it('go from later layers to earlier ones, and never between features', () => {
    const wrong: string[] = []
    for (const file of files(src)) {
      const own = relative(src, file).split('/')
      if (own[0] === 'testing') continue
      for (const specifier of imports(file)) {
        const to = target(file, specifier)
        if (!to?.[0] || to[0] === 'testing') continue
        const upwards = level(to[0]) > level(own[0] ?? '')
        const across = own[0] === 'features' && to[0] === 'features' && own[1] !== to[1]
        if (upwards || across) wrong.push(`${relative(src, file)} → ${specifier}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('of plugins reach @sluice/sdk, their own folder and packages only; tests also what stands in for server and keys', () => {
    const wrong: string[] = []
    const forTests = (file: string, specifier: string) =>
      /\.test\.tsx?$/.test(file) && (specifier.startsWith('@/testing/') || specifier.startsWith('@/i18n/'))
    for (const file of files(plugins)) {
      for (const specifier of imports(file)) {
        const inside = specifier.startsWith('.') && resolve(dirname(file), specifier).startsWith(plugins)
        const outside = specifier.startsWith('.') ? !inside : specifier.startsWith('@/') && !forTests(file, specifier)
        if (outside) wrong.push(`${relative(plugins, file)} → ${specifier}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('of plugin interfaces by glob stand in the registry only', () => {
    const globs = files(src).filter((file) => readFileSync(file, 'utf8').includes('import.meta.glob('))
    expect(
      globs
        .map((file) => relative(src, file).split('/')[0])
        .filter((folder) => folder !== 'testing' && folder !== 'registry'),
    ).toEqual([])
  })
})
