// Which component tests import a file, and over how many steps.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'

/** The importers of each of these files, by paths from the root. */
export function importersOf(files, read = (file) => readFileSync(file, 'utf8')) {
  const known = new Set(files)
  const importers = new Map(files.map((file) => [file, []]))
  const named = (base) =>
    ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => base + end).find((one) => known.has(one))
  for (const file of files) {
    const source = read(file)
    for (const { fileName } of ts.preProcessFile(source, true, true).importedFiles) {
      const imported = named(pathOf(file, fileName))
      if (imported) importers.get(imported).push(file)
    }
    for (const [, pattern] of source.matchAll(/import\.meta\.glob(?:<[^(]*>)?\(\s*'([^']+)'/g)) {
      const parts = pathOf(file, pattern).split('*')
      const matches = new RegExp(`^${parts.map((part) => part.replace(/[.[\]()]/g, '\\$&')).join('[^/]*')}$`)
      for (const one of files) if (matches.test(one)) importers.get(one).push(file)
    }
  }
  return importers
}

function pathOf(file, name) {
  if (name === '@sluice/sdk') return 'ui/src/sdk/index.ts'
  if (name.startsWith('@/')) return `ui/src/${name.slice(2)}`
  return name.startsWith('.') ? posix.join(posix.dirname(file), name) : name
}

/** The test files that a file reaches, nearest first; of those equally near, the ones of its own folder. */
export function testsOf(importers, file) {
  const steps = new Map([[file, 0]])
  for (const one of steps.keys()) {
    for (const next of importers.get(one) ?? []) if (!steps.has(next)) steps.set(next, steps.get(one) + 1)
  }
  const far = (test) => steps.get(test) * 2 + (posix.dirname(test) === posix.dirname(file) ? 0 : 1)
  return [...steps.keys()].filter(isTest).toSorted((a, b) => far(a) - far(b) || (a < b ? -1 : 1))
}

export const isTest = (file) => /\.test\.tsx?$/.test(file)

/** Source files whose lines are broken: those of the interface and of packs; no tests, texts or generated files. */
export const isBreakable = (file) =>
  /^(ui\/src|plugins)\/.*\.tsx?$/.test(file) && !isTest(file) && !/\.(gen|d)\.ts$|^ui\/src\/(testing|i18n)\//.test(file)
