import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { lateParts } from './scripts/late-parts.mjs'
import { narrowImports } from './scripts/narrow-imports.ts'
import { pageChunks } from './scripts/page-chunks.ts'
import { sdkModules } from './scripts/sdk-modules.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = process.env.SLUICE_SERVER ?? 'http://127.0.0.1:8790'

/** Drops @font-face rules that fetch from foreign origins: style sheets of libraries bring them, and our policy refuses them. */
const ownFontsOnly: Plugin = {
  name: 'own-fonts-only',
  enforce: 'pre',
  transform: (code, id) =>
    /\.css(\?|$)/.test(id) ? code.replace(/@font-face\s*\{[^}]*url\(["']?(https?:)?\/\/[^}]*\}/g, '') : null,
}

/**
 * Puts src/app/early.ts before the application, as a file of its own, and tells it which files a list's page is made of. In
 * the page's head they would be read for every page.
 */
const early: Plugin = {
  name: 'early',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: at('./src/app/early.ts'), name: 'early' })
  },
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const of = (path: string) => chunks.find(({ facadeModuleId }) => facadeModuleId === at(path))?.fileName ?? ''
      const imported = (from: string[], seen = new Set<string>()) => {
        for (const name of from.filter((one) => one && !seen.has(one))) {
          seen.add(name)
          const file = bundle[name]
          if (file?.type === 'chunk') imported(file.imports, seen)
        }
        return seen
      }
      const first = imported([of('./index.html'), of('./src/app/main.tsx')])
      const pages = ['inside.tsx', 'frame/application-frame.tsx'].map((page) => of(`./src/app/${page}`))
      const list = ['list-page.tsx', 'table/list-table.tsx'].map((page) => of(`./src/features/list/${page}`))
      const more = [...imported([...pages, ...list])].filter((name) => !first.has(name))
      const src = `/${of('./src/app/early.ts')}`
      const names = more.map((name) => `/${name}`).join(' ')
      const script = `<script type="module" async crossorigin src="${src}" data-list="${names}"></script>`
      return html.replace('</title>', `</title>\n    ${script}`)
    },
  },
}

/** A worker whose next file asks for the other environment is ended, and all that it has loaded is loaded again: those without a page come last. */
class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const pageless = new Set(
      sorted.filter(({ moduleId }) => /^\/\/ @vitest-environment node$/m.test(readFileSync(moduleId, 'utf8'))),
    )
    return [...sorted.filter((file) => !pageless.has(file)), ...pageless]
  }
}

export default defineConfig({
  root: at('.'),
  cacheDir: at('../.cache/vite'),
  plugins: [
    react(),
    ownFontsOnly,
    narrowImports,
    ...(process.env.VITEST ? [] : [lateParts(realpathSync(at('..')), at('./src/lib/chunk.ts'))]),
    early,
    sdkModules,
  ],
  resolve: { alias: { '@/': `${at('./src')}/`, '@sluice/sdk': at('./src/sdk/index.ts') } },
  server: {
    port: 5173,
    proxy: { '/api': server, '/login/Authentication': server },
    fs: { allow: [at('..'), realpathSync(at('../node_modules'))] },
  },
  build: {
    outDir: at('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    assetsInlineLimit: 0,
    manifest: true,
    // What many chunks share comes as one file: a hundred small ones compress worse. A lower count draws more into the sign-in page.
    rolldownOptions: {
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: pageChunks(), debugName: 'pages' }] },
      },
      // Anyone who imports the SDK for its texts does not get its pickers, and with them antd's Select.
      treeshake: {
        moduleSideEffects: (id) =>
          !/\/ui\/src\/sdk\/(entry-picker\.tsx|choice-select\.tsx|search-select\.tsx|date-box\.tsx|pages\.tsx|sheet\.tsx|index\.ts)$/.test(
            id,
          ),
      },
    },
  },
  test: {
    // What most files spend their time on is loading the application's parts: they share them, and setup.ts begins each again.
    isolate: false,
    sequence: { sequencer: ByEnvironment },
    maxWorkers: '100%', // by itself it leaves a core to others, which is half of a machine with two
    environment: 'jsdom',
    testTimeout: 60_000, // of a machine that has other things to do
    hookTimeout: 60_000, // a first import of the application's parts among them
    include: ['src/**/*.test.{ts,tsx}', '../plugins/**/*.test.{ts,tsx}'],
    setupFiles: [at('./src/testing/setup.ts')],
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})
