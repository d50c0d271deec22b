import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

// A class that nobody gives styles nothing, and nobody is told: the component library renames its own from one version to the next.

const root = resolve(import.meta.dirname, '../../..')
const filesIn = (folder: string, name: RegExp): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => name.test(file))
        .map((file) => join(folder, file))
    : []
const ours = (name: RegExp) => ['ui/src', 'plugins'].flatMap((folder) => filesIn(join(root, folder), name))
const read = (file: string) => readFileSync(file, 'utf8')
const sheets = ours(/\.css$/)
const code = new Map(ours(/(?<!\.test)\.tsx?$/).map((file) => [file, read(file)]))

/** Selectors without comments, addresses and texts. */
const selectors = (css: string) =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)].map(([, one = '']) => one.replace(/"[^"]*"/g, ''))
const classesIn = (css: string) => [
  ...new Set(selectors(css).flatMap((one) => one.match(/\.-?[A-Za-z_][\w-]*/g) ?? [])),
]

/** Where the classes of a component are given, for those that are not called as their folder. */
const FOLDERS: Record<string, string[]> = {
  btn: ['button'],
  modal: ['modal', 'dialog'],
  dropdown: ['dropdown', 'menu'],
}
/** Names that the library puts together from several components. */
const COMPOSED = /^ant-(picker-panel-container|input-search-btn|dropdown-menu-item)$/

const library = (component: string) =>
  (FOLDERS[component] ?? [component])
    .flatMap((folder) => [`antd/es/${folder}`, `@rc-component/${folder}/es`])
    .flatMap((folder) => filesIn(join(root, 'node_modules', folder), /\.js$/))
    .filter((file) => !file.includes('/style/'))
    .map(read)
    .join('\n')

/**
 * What components add to their own class, "-nav-list", as patterns. A variable that is called bodyPrefixCls means "-body", and part of the
 * component may be given it as its own class.
 */
function endingsOf(component: string): RegExp[] {
  const text = library(component)
  const parts = [...text.matchAll(/const (\w+)PrefixCls = `\$\{prefixCls\}(-[a-z-]+)`/g)]
  const bases = new Map(parts.map(([, of = '', base = '']) => [of, base]))
  const within = `(${['', ...bases.values()].join('|')})`
  const found = text.matchAll(/\$\{(\w*?)[pP]refixCls\}((?:-[a-z-]+|\$\{[^}]+\})*)/g)
  return [...found].map(([, of = '', rest = '']) => {
    const words = rest.replace(/\$\{[^}]+\}/g, '[a-z]+')
    return new RegExp(`^${bases.get(of) ?? within}${words}$`)
  })
}

const endings = new Map<string, RegExp[]>()
function isOfLibrary(name: string): boolean {
  if (COMPOSED.test(name) || existsSync(join(root, 'node_modules/antd/es', name.slice(4)))) return true
  const [, component = '', ending = ''] = /^ant-([a-z]+)(.*)$/.exec(name) ?? []
  const known = endings.get(component) ?? endingsOf(component)
  endings.set(component, known)
  return known.some((one) => one.test(ending))
}

/** The files that take a module's classes. */
const takers = (sheet: string) =>
  [...code].filter(([file, text]) =>
    [...text.matchAll(/from '([^']+\.module\.css)'/g)].some(([, of = '']) => {
      const address = of.startsWith('@/') ? join(root, 'ui/src', of.slice(2)) : resolve(dirname(file), of)
      return address === sheet
    }),
  )

describe('stylesheets', () => {
  it('name classes of the component library that it gives', () => {
    const unknown = sheets.flatMap((sheet) =>
      classesIn(read(sheet))
        .map((one) => one.slice(1))
        .filter((one) => one.startsWith('ant-') && !isOfLibrary(one))
        .map((one) => `${sheet.slice(root.length + 1)}: ${one}`),
    )
    expect(unknown).toEqual([])
    const names = ['nav-list', 'body-holder', 'content-active', 'content-holder', 'tabpane-active', 'nope']
    expect(names.filter((one) => isOfLibrary(`ant-tabs-${one}`))).toEqual(names.slice(0, 3))
  })

  it('have no class that the pages do not use', () => {
    const unused = sheets
      .filter((sheet) => sheet.endsWith('.module.css'))
      .flatMap((sheet) => {
        const used = takers(sheet)
          .map(([, text]) => text)
          .join('\n')
        const local = classesIn(read(sheet).replace(/:global\([^)]*\)+/g, ''))
        return local
          .map((one) => one.slice(1))
          .filter((one) => !new RegExp(`\\b${one}\\b`).test(used))
          .filter((one) => !(one.endsWith('Row') && used.includes('Row`'))) // put together from a word and this one
          .map((one) => `${sheet.slice(root.length + 1)}: ${one}`)
      })
    expect(unused).toEqual([])
  })
})
