import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Info {
  code: string | null
  importedIds: string[]
  dynamicallyImportedIds: string[]
}
type GetInfo = (id: string) => Info | null

const at = (path: string) => realpathSync(fileURLToPath(new URL(`../src/${path}`, import.meta.url)))

/**
 * What people wait for, and the modules that each is made of. `start` is there on every page, `inside` on every page behind
 * the sign-in; `around` is what a list draws once its rows stand, `filters` what the usual conditions above them are.
 */
const PAGES: Record<string, string[]> = {
  start: ['app/main.tsx'],
  inside: ['app/inside.tsx', 'app/frame/application-frame.tsx'],
  texts: ['../../node_modules/antd/es/locale/zh_CN.js', '../../node_modules/antd/es/locale/en_US.js'],
  login: ['features/account/login-page.tsx'],
  apps: ['features/menu/app-list-page.tsx'],
  list: ['features/list/list-page.tsx', 'features/list/table/list-table.tsx'],
  around: [
    'app/frame/app-switcher.tsx',
    'app/frame/background-note.tsx',
    'app/frame/breadcrumb.tsx',
    'app/frame/project.tsx',
    'features/task/job-notes.tsx',
    'registry/bundle-loader.ts',
    'features/message/bell.tsx',
    'features/list/components/changes-hint.tsx',
    'features/list/filters/filter-row.tsx',
    'features/list/components/pager.tsx',
    'features/list/bulk/bulk-layer.tsx',
    'features/list/gantt/view-switch.tsx',
  ],
  filters: ['shared/text-filter', 'shared/option-filter', 'date/filter', 'number/filter'].map(
    (filter) => `../../plugins/core/property/${filter}.tsx`,
  ),
  record: ['app/record-route.tsx', 'app/record-drawer.tsx'],
  script: ['sdk/script/host.ts', 'sdk/script/http.ts', 'sdk/script/results.ts'],
}
const PROGRAM = at('app/main.tsx')
/** What a language brings along before the sign-in: libraries' texts and ours. */
const FIRST_TEXTS = [
  /\/(?:antd|@rc-component\/[\w-]+)\/es\/.*locale\/zh_CN\.js$/,
  /\/dayjs\/locale\/zh-cn\.js$/,
  /\/ui\/src\/i18n\/zh\/(?:start|common|session)\.ts$/,
]
/** Files that only pass on what others export: who imports a name from them needs that file and not the others. */
const BARREL = /\/node_modules\/antd\/es\/index\.js$|\/ui\/src\/sdk\/index\.ts$/

const names = (list = '') =>
  list
    .split(',')
    .map((name) => name.trim().split(/\s+as\s+/))
    .filter(([name]) => name)

/** The files that a module reads when it imports a few names from a barrel. */
function throughBarrel(from: Info, barrel: string, info: GetInfo): string[] {
  const passed = info(barrel)
  const wanted = new Set<string>()
  for (const [, list, path = ''] of from.code?.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g) ?? [])
    if (path === 'antd' || path.startsWith('@sluice/sdk')) for (const [name = ''] of names(list)) wanted.add(name)
  const files: string[] = []
  for (const [, list, path = ''] of passed?.code?.matchAll(/export\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g) ?? []) {
    if (!names(list).some(([name, as]) => wanted.has(as ?? name ?? ''))) continue
    const tail = path.replace(/^[.@]\//, '')
    const file = passed?.importedIds.find((id) => id.replace(/(\/index)?\.[jt]sx?$/, '').endsWith(`/${tail}`))
    if (file) files.push(file)
  }
  return files
}

function modulesOf(entries: string[], info: GetInfo): Set<string> {
  const seen = new Set<string>()
  const open = entries.map(at)
  for (let id = open.pop(); id; id = open.pop()) {
    if (seen.has(id)) continue
    const module = info(id)
    if (!module) continue
    seen.add(id)
    for (const next of module.importedIds)
      open.push(...(BARREL.test(next) ? throughBarrel(module, next, info) : [next]))
  }
  return seen
}

/** Everything that the application ever reads. The modules below /sdk/ pass on more than that, for packs. */
function ofProgram(info: GetInfo): Set<string> {
  const seen = new Set<string>()
  const open = [PROGRAM, at('app/early.ts')]
  for (let id = open.pop(); id; id = open.pop()) {
    const module = seen.has(id) ? null : info(id)
    if (!module) continue
    seen.add(id)
    for (const next of module.importedIds)
      open.push(...(BARREL.test(next) ? throughBarrel(module, next, info) : [next]))
    open.push(...module.dynamicallyImportedIds)
  }
  return seen
}

/**
 * The file of what several pages need. A file for each set of pages would be two dozen, most of them with a handful of lines: what the
 * sign-in page or the list of applications shares with lists comes with what each page behind the sign-in reads, and what a list shares
 * with the record that opens beside it is one file.
 */
function together(pages: string[]): string {
  if (pages.length === 1) return pages[0] as string
  const always = pages.includes('list') || pages.includes('around')
  if (pages.includes('login') && always) return 'inside-login'
  if (pages.includes('apps') && always) return 'inside'
  if (pages.includes('list')) return pages.includes('record') || pages.includes('script') ? 'list-record' : 'list'
  if (pages.includes('around')) return 'around'
  if (pages.includes('filters') && pages.includes('record')) return 'around'
  return pages.join('-')
}

/**
 * Names the file that a module goes into: modules that the same pages need share one, so that a page is a handful of files
 * and brings nothing along that only others need. Null for what no such page needs; the bundler places it.
 */
export function pageChunks(): (id: string, context: { getModuleInfo: GetInfo }) => string | null {
  let pages: [string, Set<string>][] | undefined
  let program: Set<string> | undefined
  return (id, context) => {
    pages ??= Object.entries(PAGES).map(([page, entries]) => [
      page,
      modulesOf(entries, (of) => context.getModuleInfo(of)),
    ])
    const needing = pages.filter(([, modules]) => modules.has(id)).map(([page]) => page)
    // The program itself waits for its texts, which need what is in start: in one file they would wait for each other.
    if (id === PROGRAM) return null
    if (needing[0] === 'start') return 'start'
    if (FIRST_TEXTS.some((one) => one.test(id))) return 'zh-start'
    if (needing.includes('texts')) return null
    if (needing[0] === 'inside') return needing.includes('login') ? 'inside-login' : 'inside'
    if (needing.length) return together(needing)
    program ??= ofProgram((of) => context.getModuleInfo(of))
    // What only packs use comes as one file when the first of them asks for it.
    return !program.has(id) && id.includes('/node_modules/') ? 'packs' : null
  }
}
