// Builds the interface of a pack that lies anywhere:  node <sluice>/ui/scripts/build-pack.mjs DIR
// DIR is the pack's folder; ui/index.tsx exports definePack({...}) by default. What comes out is DIR/ui/dist: a manifest and modules whose imports
// of React, antd and the SDK are addresses of what the application has, so that there is one of each.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { lateParts } from './late-parts.mjs'
import { sdkVersion, split, whole } from './shared.mjs'

const PREFIX = '\0shared:'
const own = createRequire(import.meta.url)

/** Imports of what the application shares become addresses; only names that are used reach them. */
const shared = {
  name: 'shared',
  enforce: 'pre',
  resolveId(id) {
    if (id in split) return { id: PREFIX + id, moduleSideEffects: false }
    if (id in whole) return { id: whole[id], external: true, moduleSideEffects: false }
    if (id.startsWith('/sdk/')) return { id, external: true, moduleSideEffects: false }
    return null
  },
  load: (id) => (id.startsWith(PREFIX) ? { code: split[id.slice(PREFIX.length)], moduleSideEffects: false } : null),
}

/** A package that the pack's folder does not have is the one of this checkout. */
const checkout = {
  name: 'checkout',
  async resolveId(id, importer) {
    if (!importer || /^[./\0]/.test(id) || id in split || id in whole) return null
    return (
      (await this.resolve(id, importer, { skipSelf: true })) ??
      (await this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true }))
    )
  },
}

function settings(folder, { outDir, format, plugins, external }) {
  return {
    configFile: false,
    logLevel: 'warn',
    root: folder,
    plugins,
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    // Types of the SDK are found by tsconfig; what runs is the application's.
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: format === 'es',
      copyPublicDir: false,
      assetsInlineLimit: 64 * 1024, // images are part of the modules: a bundle is scripts and styles
      cssCodeSplit: false,
      lib: {
        entry: join(folder, 'ui/index.tsx'),
        formats: [format],
        fileName: () => (format === 'es' ? 'index.js' : 'index.cjs'),
        cssFileName: 'index',
      },
      rolldownOptions: {
        ...(external ? { external } : {}),
        output: {
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name][extname]',
          minify: format === 'es', // comments name files of this machine

          ...(format === 'cjs' ? { exports: 'named' } : {}),
        },
      },
    },
  }
}

/** Anything at all: what a module asks of React or antd while it is read. */
const anything = () =>
  new Proxy(() => anything(), {
    get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === '__esModule' ? true : anything()),
    apply: () => anything(),
    construct: () => anything(),
  })

/** The definers give back what they get, so that the manifest can say what is defined without drawing any of it. */
const definers = new Proxy(
  {
    defineTexts: (pack, texts) => ({ pack, texts, useText: anything(), text: anything() }),
  },
  {
    get: (known, name) =>
      name === '__esModule'
        ? true
        : (known[name] ?? (String(name).startsWith('define') ? (given) => given : anything())),
  },
)

/** What the pack defines: its modules are read here once, with nothing real behind their imports. */
async function definitionOf(folder) {
  const outDir = mkdtempSync(join(tmpdir(), 'sluice-pack-'))
  try {
    const isShared = (id) => id in split || id in whole
    await build(settings(folder, { outDir, format: 'cjs', plugins: [checkout], external: isShared }))
    const load = (file) => {
      const module = { exports: {} }
      const require = (id) => {
        if (id === '@sluice/sdk') return definers
        if (isShared(id)) return anything()
        return id.startsWith('.') ? load(join(outDir, id)) : own(id)
      }
      const scope = {
        module,
        exports: module.exports,
        require,
        console,
        setTimeout,
        URL,
        document: anything(),
        window: anything(),
        navigator: anything(),
      }
      runInNewContext(readFileSync(file, 'utf8'), scope, { filename: file })
      return module.exports
    }
    return load(join(outDir, 'index.cjs')).default
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

const namesOf = (list = []) => list.map(({ name }) => name)

function definesOf({ properties = [], actions, pages, parts = [], views, widgets }) {
  return {
    properties: properties.map(({ wire }) => wire),
    actions: namesOf(actions),
    pages: namesOf(pages),
    parts: parts.map(({ name, models = null }) => ({ name, models })),
    views: namesOf(views),
    widgets: namesOf(widgets),
  }
}

/** The digest that the server computes too (engine/compile/bundle.go). */
function digestOf(files) {
  const sum = createHash('sha256')
  for (const name of Object.keys(files).sort()) {
    sum.update(`${name} ${files[name].length}\n`)
    sum.update(files[name])
  }
  return sum.digest('hex').slice(0, 32)
}

export async function buildPack(given) {
  const folder = realpathSync(resolve(given))
  const manifest = join(folder, 'pack.json')
  if (!existsSync(manifest)) throw new Error(`${given} is no pack: it has no pack.json`)
  if (!existsSync(join(folder, 'ui/index.tsx'))) throw new Error(`${given} has no interface: ui/index.tsx is missing`)
  const code = JSON.parse(readFileSync(manifest, 'utf8')).code ?? basename(folder)
  const definition = await definitionOf(folder)
  if (definition?.pack !== code)
    throw new Error(`ui/index.tsx must export by default definePack({ pack: '${code}', ... })`)

  const outDir = join(folder, 'ui/dist')
  const built = mkdtempSync(join(tmpdir(), 'sluice-pack-'))
  try {
    await build(
      settings(folder, { outDir: built, format: 'es', plugins: [shared, checkout, lateParts(folder, '@sluice/sdk')] }),
    )
    const files = {}
    for (const name of readdirSync(built)) files[name] = readFileSync(join(built, name))
    const odd = Object.keys(files).filter((name) => !/\.(js|css)$/.test(name))
    if (odd.length > 0) throw new Error(`a bundle is scripts and styles; these are neither: ${odd.join(', ')}`)
    const told = {
      pack: code,
      sdk: sdkVersion,
      digest: digestOf(files),
      entry: 'index.js',
      styles: Object.keys(files).filter((name) => name.endsWith('.css')),
      files: Object.keys(files).sort(),
      defines: definesOf(definition),
    }
    // Without the manifest there is no bundle: who reads meanwhile finds none, and never half of one.
    rmSync(outDir, { recursive: true, force: true })
    mkdirSync(outDir, { recursive: true })
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(outDir, name), bytes)
    writeFileSync(join(outDir, 'manifest.json'), `${JSON.stringify(told, null, 2)}\n`)
    return { outDir, ...told, bytes: Object.values(files).reduce((sum, file) => sum + file.length, 0) }
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  if (!folder) {
    console.error('usage: node ui/scripts/build-pack.mjs DIR')
    process.exit(2)
  }
  try {
    const { pack, sdk, files, bytes, outDir } = await buildPack(folder)
    console.log(`${pack}: ${files.length} files, ${(bytes / 1024).toFixed(1)} KB, SDK ${sdk} -> ${outDir}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
